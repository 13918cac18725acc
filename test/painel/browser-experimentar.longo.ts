// On each screen.
import './browser-experimentar.test.ts'
