// Every row of a call is left on PostgreSQL too.
import './usos.test.ts'
