/** Whose answers a service gives: the authorities', their test environments', or the simulator's. */
export type Ambiente = 'producao' | 'homologacao' | 'simulador'
