// Every way in which the Receita Federal fails.
import './consultar-ao-vivo.test.ts'
