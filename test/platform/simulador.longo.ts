// Four times as many questions dial nothing but the simulator.
import './simulador.test.ts'
