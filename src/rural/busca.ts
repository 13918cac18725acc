import { fonteSigef, MAIS_FOLHAS, MAIS_PARCELAS } from './fonte.ts'
import { type ParcelaListada, readLista } from './lista.ts'
import { failureOf, type MeiosDoSigef, pedir } from './source-sigef.ts'

/** The fields of the form, which SIGEF sends all of them, empty or not. */
const CAMPOS = ['proprietario', 'cns', 'matricula', 'codigo', 'protocolo', 'credenciado', 'vertice', 'sncr']

/** The address of a page of the list of a holder's parcels. The document goes by its digits alone. */
function enderecoDaLista(documento: string, numero: number, limite: string): string {
  const query = new URLSearchParams({
    page: String(numero),
    termo: '',
    pesquisa_avancada: 'True',
    cpf_cnpj: documento,
    ...Object.fromEntries(CAMPOS.map((campo) => [campo, ''])),
    ...(limite !== '' && { limit: limite }),
  })
  return `${fonteSigef.url}/consultar/parcelas/?${query}`
}

/**
 * The parcels that SIGEF lists for a holder, without those of the history. The count of the list must be the
 * rows of all its pages, each a parcel of its own; anything else is SourceError `parse`.
 */
export async function listParcelas(documento: string, meios: MeiosDoSigef): Promise<ParcelaListada[]> {
  const linhas = new Map<string, ParcelaListada>()
  let limite = ''
  let esperadas: number | undefined
  for (let numero = 1; ; numero++) {
    const url = enderecoDaLista(documento, numero, limite)
    const pagina = await pedir(url, meios, (page, note) => {
      const read = readLista(page, numero)
      if (numero === 1) note({ vazia: read.total === 0 })
      return read
    })
    if (pagina.total > MAIS_PARCELAS) throw failureOf('parse', `lista mais de ${MAIS_PARCELAS} parcelas`)
    esperadas ??= pagina.total
    const before = linhas.size
    for (const linha of pagina.linhas) linhas.set(linha.uuid, linha)
    const isOther = pagina.total !== esperadas || linhas.size < before + pagina.linhas.length
    if (isOther || (pagina.proxima && (numero === MAIS_FOLHAS || pagina.linhas.length === 0)))
      throw contradicao()
    if (!pagina.proxima) break
    limite ||= pagina.proxima.limite
  }
  if (linhas.size !== esperadas) throw contradicao()
  return [...linhas.values()].filter(({ historico }) => !historico)
}

const contradicao = () =>
  failureOf('parse', 'se contradiz: a lista não tem tantas parcelas quantas diz', { codigo: 'contradicao' })
