// With LONGO also the rows that take their seconds in real time.
import './apresentacao.test.ts'
