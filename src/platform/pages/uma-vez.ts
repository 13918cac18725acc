/** A value that is made when it is first asked for. A failure is not kept. */
export function abrirUmaVez<T>(abrir: () => Promise<T>): () => Promise<T> {
  let aberto: Promise<T> | undefined
  return () => {
    aberto ??= abrir().catch((error) => {
      aberto = undefined
      throw error
    })
    return aberto
  }
}
