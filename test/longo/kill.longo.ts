import { provarLivros } from '../kill-livros.ts'
import { forEachDatabase } from '../store/databases.ts'

forEachDatabase(provarLivros)
