// A service stops in the middle of a search on both databases.
import './sigef-busca.test.ts'
