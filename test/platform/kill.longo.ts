import { forEachDatabase } from '../kit/databases.ts'
import { provarLivros } from '../kit/kill-livros.ts'

forEachDatabase(provarLivros)
