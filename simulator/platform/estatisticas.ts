/** The gateway's counters since its start. */
export type Estatisticas = {
  /** Accepted TCP connections, of TLS and of plain HTTP. */
  conexoes: number
  /**
   * `renegociados`: those of an open connection, to get its certificate; they are in neither of the others.
   */
  handshakes: { completos: number; retomados: number; renegociados: number }
  /** Requests that reached an authority, by host. */
  pedidos: Record<string, number>
}

/** Counters at zero. */
export function criarEstatisticas(): Estatisticas {
  return { conexoes: 0, handshakes: { completos: 0, retomados: 0, renegociados: 0 }, pedidos: {} }
}

/** Counts one more request to a host. */
export function contarPedido({ pedidos }: Estatisticas, host: string): void {
  pedidos[host] = (pedidos[host] ?? 0) + 1
}
