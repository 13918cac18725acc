// The limits hold on both databases.
import './limites.test.ts'
