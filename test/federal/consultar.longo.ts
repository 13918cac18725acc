// The rules, and callers at once, on both databases.
import './consultar.test.ts'
