// Every refusal of the Receita Federal.
import './recusas.test.ts'
