// The portals of all states.
import './portal-contrato.test.ts'
