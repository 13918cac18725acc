// On each screen.
import './browser-portas.test.ts'
