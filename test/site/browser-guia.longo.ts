// With the links to the reference page.
import './browser-guia.test.ts'
