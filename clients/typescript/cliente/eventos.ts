import { ErroDeConexao } from './erros.ts'

/** An event of `text/event-stream` (WHATWG HTML, 9.2.6), its data as they came. */
export type Evento = { evento: string; dados: string }

/**
 * The events of pieces that were cut anywhere: in a line, a CRLF or a letter; one without its empty line at
 * the end does not count. Throws RESPOSTA_GRANDE where a line, or the data of an event, have more than
 * `maximo` letters.
 */
export async function* eventosDe(
  pedacos: AsyncIterable<Uint8Array>,
  maximo: number,
): AsyncGenerator<Evento, void, undefined> {
  let evento = ''
  let dados: string[] = []
  let tamanho = 0
  for await (const linha of linhasDe(pedacos, maximo)) {
    if (linha === '') {
      if (dados.length > 0) yield { evento: evento || 'message', dados: dados.join('\n') }
      evento = ''
      dados = []
      tamanho = 0
      continue
    }
    const [, campo, valor = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(linha) ?? []
    if (campo === 'event') evento = valor
    if (campo !== 'data') continue
    tamanho += valor.length + 1
    if (tamanho > maximo) throw new ErroDeConexao('RESPOSTA_GRANDE')
    dados.push(valor)
  }
}

/** The lines of a text in UTF-8 that end in LF, CRLF or CR. */
async function* linhasDe(pedacos: AsyncIterable<Uint8Array>, maximo: number): AsyncGenerator<string> {
  const decodificador = new TextDecoder()
  let meia = ''
  let acabouEmCr = false
  for await (const pedaco of pedacos) {
    let texto = decodificador.decode(pedaco, { stream: true })
    if (texto === '') continue
    // Its LF belongs to the CR that ended the piece before.
    if (acabouEmCr && texto.startsWith('\n')) texto = texto.slice(1)
    acabouEmCr = texto === '' ? false : texto.endsWith('\r')
    const linhas = texto.split(/\r\n|\n|\r/)
    const resto = linhas.pop() ?? ''
    for (const linha of linhas) {
      const inteira = meia + linha
      meia = ''
      if (inteira.length > maximo) throw new ErroDeConexao('RESPOSTA_GRANDE')
      yield inteira
    }
    meia += resto
    if (meia.length > maximo) throw new ErroDeConexao('RESPOSTA_GRANDE')
  }
}
