// Of each document.
import './browser-ao-vivo.test.ts'
