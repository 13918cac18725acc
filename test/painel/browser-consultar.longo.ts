// On each screen, and without JavaScript.
import './browser-consultar.test.ts'
