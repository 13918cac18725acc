// The calls compile with each of the compilers.
import './cliente.test.ts'
