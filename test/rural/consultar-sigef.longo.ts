// Every way in which SIGEF and the open map fail, and both forms of the list.
import './consultar-sigef.test.ts'
