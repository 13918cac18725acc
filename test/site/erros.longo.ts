// With all failures of a lookup.
import './erros.test.ts'
