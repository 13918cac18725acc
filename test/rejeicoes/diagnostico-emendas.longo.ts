// Of all mutants.
import './diagnostico-emendas.test.ts'
