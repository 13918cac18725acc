// With the failures that take their time.
import './exemplos.test.ts'
