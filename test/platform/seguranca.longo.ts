// Each form refuses each wrong sender and each wrong type.
import './seguranca.test.ts'
