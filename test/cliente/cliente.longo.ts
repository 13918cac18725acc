// The calls compile with each of the compilers, and the types are those of production.
import './cliente.test.ts'
