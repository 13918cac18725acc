// Every page.
import './cnd.test.ts'
