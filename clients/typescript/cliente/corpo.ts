import { ErroDeConexao } from './erros.ts'

/** Octets of an answer, or of an event of a stream, at most: 27 certificates as PDF fit. */
export const MAXIMO = 64 * 1024 * 1024

/** The text of an answer. Throws RESPOSTA_GRANDE beyond `maximo` octets, and reads no more. */
export async function textoDe(resposta: Response, maximo: number): Promise<string> {
  const decodificador = new TextDecoder()
  let texto = ''
  for await (const pedaco of pedacosDe(resposta, maximo))
    texto += decodificador.decode(pedaco, { stream: true })
  return texto + decodificador.decode()
}

/** The pieces of a body. Whoever stops reading ends the connection. */
export async function* pedacosDe(
  resposta: Response,
  maximo = Number.POSITIVE_INFINITY,
): AsyncGenerator<Uint8Array> {
  const leitor = resposta.body?.getReader()
  if (!leitor) return
  let lidos = 0
  try {
    for (;;) {
      const { done, value } = await leitor.read()
      if (done) return
      lidos += value.byteLength
      if (lidos > maximo) throw new ErroDeConexao('RESPOSTA_GRANDE')
      yield value
    }
  } finally {
    // A body that failed rejects its cancellation too, and there is nothing left to end.
    await leitor.cancel().catch(() => {})
  }
}
