// With the languages that are compiled, and those that few machines have.
import './consultar-codigo.test.ts'
