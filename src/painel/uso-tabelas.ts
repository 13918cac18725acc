import { diaDepois, diaProblem } from '../documento/dia.ts'
import { escolhida, opcoesDeDesfecho, opcoesDeEndpoint, textoDe } from '../platform/pages/forms.ts'

/** How many days the sums go back: thirteen months. */
const DIAS_DO_USO = 395

/** What a visitor asked of the use. Days are AAAA-MM-DD in Brasília, both included. */
export type PerguntaDoUso = {
  de: string
  ate: string
  /** The ready period that this is; undefined for two days of the visitor's own. */
  pronto: string | undefined
  endpoint: string | undefined
  desfecho: string | undefined
  /** What could not be read, in words. */
  problemas: readonly string[]
}

/** A ready period: its name in the address, for people, and its days. */
type Pronto = { nome: string; texto: string; dias: (hoje: string) => { de: string; ate: string } }

const mesAntes = (hoje: string): string => diaDepois(`${hoje.slice(0, 7)}-01`, -1)

/** The periods to choose from. */
export const prontos: readonly Pronto[] = [
  { nome: '7', texto: '7 dias', dias: (hoje) => ({ de: diaDepois(hoje, -6), ate: hoje }) },
  { nome: '30', texto: '30 dias', dias: (hoje) => ({ de: diaDepois(hoje, -29), ate: hoje }) },
  { nome: '90', texto: '90 dias', dias: (hoje) => ({ de: diaDepois(hoje, -89), ate: hoje }) },
  { nome: 'mes', texto: 'Este mês', dias: (hoje) => ({ de: `${hoje.slice(0, 7)}-01`, ate: hoje }) },
  {
    nome: 'mes-passado',
    texto: 'Mês passado',
    dias: (hoje) => ({ de: `${mesAntes(hoje).slice(0, 7)}-01`, ate: mesAntes(hoje) }),
  },
  { nome: 'ano', texto: '12 meses', dias: (hoje) => ({ de: mesesAntes(hoje, 11), ate: hoje }) },
]

/** The first day of the month so many months ago. */
function mesesAntes(hoje: string, meses: number): string {
  const [year = 0, month = 1] = hoje.split('-').map(Number)
  return new Date(Date.UTC(year, month - 1 - meses, 1)).toISOString().slice(0, 10)
}

const PADRAO = '30'

/** Reads a query of the use. What is wrong in it is left out and told. */
export function lerPeriodo(query: unknown, hoje: string): PerguntaDoUso {
  const problemas: string[] = []
  const first = primeiroDiaDoUso(hoje)
  const dia = (nome: 'de' | 'ate'): string | undefined => {
    const text = textoDe(query, nome)
    if (text === '') return undefined
    const problem = diaProblem(text)
    if (problem === undefined) return text < first ? first : text > hoje ? hoje : text
    problemas.push(`${nome === 'de' ? 'De' : 'Até'}: ${problem}.`)
    return undefined
  }
  const [de, ate] = emOrdem(dia('de'), dia('ate'))
  const filtro = {
    endpoint: escolhida(query, 'endpoint', opcoesDeEndpoint),
    desfecho: escolhida(query, 'desfecho', opcoesDeDesfecho),
    problemas,
  }
  if (de !== undefined || ate !== undefined)
    return { ...filtro, pronto: undefined, de: de ?? diaDepois(ate ?? hoje, -29), ate: ate ?? hoje }
  const nome = textoDe(query, 'periodo') || PADRAO
  const pronto = prontos.find((one) => one.nome === nome) ?? prontos[1]
  if (!pronto) throw new Error('there is no period')
  return { ...filtro, pronto: pronto.nome, ...pronto.dias(hoje) }
}

const emOrdem = (de: string | undefined, ate: string | undefined) =>
  de !== undefined && ate !== undefined && de > ate ? [ate, de] : [de, ate]

/** The first day of which there are sums. */
export const primeiroDiaDoUso = (hoje: string): string => diaDepois(hoje, -DIAS_DO_USO)

/** The same question as a query, of another ready period where one is given. */
export function queryDoUso(
  { de, ate, pronto, endpoint, desfecho }: PerguntaDoUso,
  other: string | undefined = pronto,
): string {
  const params = new URLSearchParams(other === undefined ? { de, ate } : { periodo: other })
  if (endpoint !== undefined) params.set('endpoint', endpoint)
  if (desfecho !== undefined) params.set('desfecho', desfecho)
  return `?${params}`
}
