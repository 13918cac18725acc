// With each page of the site.
import './page-rejeicoes.test.ts'
