import { diaDepois, diaProblem } from '../documento/dia.ts'
import { ufs, unidades } from '../documento/uf.ts'
import { DIAS_DO_REGISTRO } from '../platform/http/outcome.ts'
import {
  escolhida,
  type OpcaoDeFiltro,
  opcoesDeDesfecho,
  opcoesDeEndpoint,
  textoDe,
} from '../platform/pages/forms.ts'

/** What a visitor asked the log for. Undefined says nothing of it. */
export type PerguntaAoRegistro = {
  endpoint: string | undefined
  desfecho: string | undefined
  uf: string | undefined
  /** AAAA-MM-DD in Brasília. */
  dia: string | undefined
  /** The number of one request, as it was typed. */
  pedido: string | undefined
  /** From which call on, and to which side. */
  marco: { criado_em: number; request_id: string } | undefined
  sentido: 'antigas' | 'novas'
  /** What of it could not be read, in words. */
  problemas: readonly string[]
}

/** What a call may have come to, with what the sums of the days cannot be asked for. */
export const desfechos: readonly OpcaoDeFiltro[] = [
  ...opcoesDeDesfecho.slice(0, 1),
  ['cache', 'Do cache'],
  ['fonte', 'Entregues, com erro em source_status'],
  ...opcoesDeDesfecho.slice(1),
]

/** The states, and BR for what is asked of the Union. */
export const opcoesDeUf: readonly OpcaoDeFiltro[] = [
  ...ufs.map((uf): OpcaoDeFiltro => [uf, `${uf} · ${unidades[uf].nome}`]),
  ['BR', 'BR · fontes nacionais'],
]

/** Reads a query of the log. What is wrong in it is left out and told. */
export function lerPergunta(query: unknown, hoje: string): PerguntaAoRegistro {
  const problemas: string[] = []
  const um = (nome: string, opcoes: readonly OpcaoDeFiltro[], what: string): string | undefined => {
    const valor = escolhida(query, nome, opcoes)
    if (valor === undefined && textoDe(query, nome) !== '')
      problemas.push(`Não há ${what} assim: o filtro ficou de fora.`)
    return valor
  }
  const antes = lerMarco(textoDe(query, 'antes'))
  const depois = lerMarco(textoDe(query, 'depois'))
  return {
    endpoint: um('endpoint', opcoesDeEndpoint, 'consulta'),
    desfecho: um('desfecho', desfechos, 'resultado'),
    uf: um('uf', opcoesDeUf, 'UF'),
    dia: lerDia(textoDe(query, 'dia'), hoje, problemas),
    pedido: textoDe(query, 'pedido').slice(0, 100) || undefined,
    marco: antes ?? depois,
    sentido: antes === undefined && depois !== undefined ? 'novas' : 'antigas',
    problemas,
  }
}

function lerDia(text: string, hoje: string, problemas: string[]): string | undefined {
  if (text === '') return undefined
  const problem = diaProblem(text)
  if (problem !== undefined) problemas.push(`Dia: ${problem}.`)
  else if (text > hoje || text < primeiroDia(hoje))
    problemas.push(
      `O registro guarda ${DIAS_DO_REGISTRO} dias: escolha um dia de ${primeiroDia(hoje).split('-').toReversed().join('/')} a hoje.`,
    )
  else return text
  return undefined
}

/** The first day that the log still has whole. */
export const primeiroDia = (hoje: string): string => diaDepois(hoje, 1 - DIAS_DO_REGISTRO)

const UUID = /^(?:urn:uuid:)?([\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12})$/i

/** The number of a request of ours (a UUID of version 7); undefined for any other text. */
export const lerPedido = (text: string): string | undefined => UUID.exec(text)?.[1]?.toLowerCase()

function lerMarco(text: string): PerguntaAoRegistro['marco'] {
  const [, instant, id] = /^(\d{12,14})_([\w-]{1,64})$/.exec(text) ?? []
  return instant === undefined || id === undefined
    ? undefined
    : { criado_em: Number(instant), request_id: id }
}

/** The same question from another place on, as a query. */
export function queryDe(
  { endpoint, desfecho, uf, dia }: Partial<PerguntaAoRegistro>,
  de?: { lado: 'antes' | 'depois'; marco: NonNullable<PerguntaAoRegistro['marco']> },
): string {
  const params = new URLSearchParams()
  for (const [nome, valor] of Object.entries({ endpoint, desfecho, uf, dia }))
    if (valor !== undefined) params.set(nome, valor)
  if (de) params.set(de.lado, `${de.marco.criado_em}_${de.marco.request_id}`)
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}
