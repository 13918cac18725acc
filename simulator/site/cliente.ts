/** The service that uses this simulator: its address, and a key to try it with. */
export type Cliente = { servico: string; chave: string }

/**
 * Reads a line of JSON in which the parent process says where the service is. Undefined for anything else.
 */
export function lerCliente(linha: string): Cliente | undefined {
  try {
    const { servico, chave } = Object(JSON.parse(linha))
    const isCliente = URL.canParse(servico) && typeof chave === 'string' && /^\w+$/.test(chave)
    return isCliente ? { servico: String(servico), chave } : undefined
  } catch {
    return undefined
  }
}
