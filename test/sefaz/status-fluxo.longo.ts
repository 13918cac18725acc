// With all listeners.
import './status-fluxo.test.ts'
