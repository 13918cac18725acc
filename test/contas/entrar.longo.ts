// Who may not log in is refused on PostgreSQL too.
import './entrar.test.ts'
