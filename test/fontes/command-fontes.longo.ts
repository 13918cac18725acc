// With the examples of all states.
import './command-fontes.test.ts'
