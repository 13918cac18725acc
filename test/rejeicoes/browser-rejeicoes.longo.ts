// On each screen.
import './browser-rejeicoes.test.ts'
