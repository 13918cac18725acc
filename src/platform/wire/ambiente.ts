/** Whose answers a service gives: the authorities', their test environments', or the simulator's. */
export const ambientes = ['producao', 'homologacao', 'simulador'] as const

export type Ambiente = (typeof ambientes)[number]
