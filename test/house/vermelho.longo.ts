// All that turns npm test red.
import './red.test.ts'
