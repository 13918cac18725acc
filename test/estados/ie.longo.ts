// Every route.
import './ie.test.ts'
