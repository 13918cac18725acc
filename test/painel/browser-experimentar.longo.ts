// On each screen, and without JavaScript.
import './browser-experimentar.test.ts'
