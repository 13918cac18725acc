/** Whose authorities are played: the service's address and a key to try it with. */
export type Cliente = { servico: string; chave: string }

/** A line of JSON in which the parent process says where the service is; undefined for anything else. */
export function lerCliente(linha: string): Cliente | undefined {
  try {
    const { servico, chave } = Object(JSON.parse(linha))
    const isCliente = URL.canParse(servico) && typeof chave === 'string' && /^\w+$/.test(chave)
    return isCliente ? { servico: String(servico), chave } : undefined
  } catch {
    return undefined
  }
}
