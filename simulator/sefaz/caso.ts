import type { Uf } from '../documento/molde.ts'
import { autorizadores, isUfSefaz } from './autorizadores.ts'

/** What a status service may do: answer at once or late, say nothing, answer a code, or fail below SOAP. */
const casos = [
  ...(['normal', 'lento', 'sem-resposta', '108', '109', '113', '114', '656', '678'] as const),
  ...(['fault', 'http-403', 'http-500', 'recusa-tls', 'html', 'malformado', 'corte'] as const),
] as const

export type NomeDoCaso = (typeof casos)[number]

/** How an SVC stands for a state. */
export type Ativacao = 'ativada' | 'encerrando' | 'desativada'

const ativacoes: readonly Ativacao[] = ['ativada', 'encerrando', 'desativada']

/** A case by its name alone, or with the milliseconds that the answer takes. */
export type CasoImposto = NomeDoCaso | { caso: NomeDoCaso; ms?: number }

/** What a public page may do besides showing the weather: lead to erro.aspx, show no table, or an old one. */
export type CasoDaPagina = (typeof casosDaPagina)[number]

const casosDaPagina = ['normal', 'erro', 'sem-tabela', 'velha'] as const

/**
 * What overrides the weather: by id of an authorizer, and for all others by `padrao`; the activation of a
 * state's SVC; the public pages.
 */
export type Imposto = {
  padrao?: CasoImposto
  autorizadores?: Record<string, CasoImposto>
  svc?: { nfe?: Partial<Record<Uf, Ativacao>>; cte?: Partial<Record<Uf, Ativacao>> }
  paginas?: { nfe?: CasoDaPagina; cte?: CasoDaPagina }
}

/** No answer is made to wait longer. */
const MAIOR_ESPERA_MS = 600_000

/** Reads the body of `PUT /sefaz.json`; a text is why it cannot be. */
export function lerImposto(corpo: string): Imposto | string {
  let lido: unknown
  try {
    lido = JSON.parse(corpo)
  } catch {
    return 'O corpo não é JSON.'
  }
  if (!ehObjeto(lido)) return 'O corpo não é um objeto.'
  const problemas: string[] = []
  const imposto: Imposto = {}
  for (const [nome, valor] of Object.entries(lido)) {
    if (nome === 'padrao' && isCaso(valor)) imposto.padrao = valor
    else if (nome === 'autorizadores' && ehObjeto(valor)) imposto.autorizadores = lerCasos(valor, problemas)
    else if (nome === 'svc' && ehObjeto(valor)) imposto.svc = lerSvc(valor, problemas)
    else if (nome === 'paginas' && ehObjeto(valor)) imposto.paginas = lerPaginas(valor, problemas)
    else problemas.push(nome)
  }
  return problemas.length === 0 ? imposto : `Não entendo: ${problemas.slice(0, 5).join(', ')}.`
}

function lerCasos(lido: object, problemas: string[]): Record<string, CasoImposto> {
  const lidos: Record<string, CasoImposto> = {}
  for (const [id, valor] of Object.entries(lido)) {
    if (autorizadores.some((um) => um.id === id) && isCaso(valor)) lidos[id] = valor
    else problemas.push(id)
  }
  return lidos
}

function lerSvc(lido: object, problemas: string[]): NonNullable<Imposto['svc']> {
  const lidos: NonNullable<Imposto['svc']> = {}
  for (const [doc, estados] of Object.entries(lido)) {
    if ((doc !== 'nfe' && doc !== 'cte') || !ehObjeto(estados)) {
      problemas.push(doc)
      continue
    }
    const seus: Partial<Record<Uf, Ativacao>> = {}
    for (const [uf, valor] of Object.entries(estados)) {
      const ativacao = ativacoes.find((uma) => uma === valor)
      if (isUfSefaz(uf) && ativacao) seus[uf] = ativacao
      else problemas.push(uf)
    }
    lidos[doc] = seus
  }
  return lidos
}

function lerPaginas(lido: object, problemas: string[]): NonNullable<Imposto['paginas']> {
  const lidas: NonNullable<Imposto['paginas']> = {}
  for (const [doc, valor] of Object.entries(lido)) {
    const known = casosDaPagina.find((um) => um === valor)
    if ((doc === 'nfe' || doc === 'cte') && known) lidas[doc] = known
    else problemas.push(doc)
  }
  return lidas
}

function isCaso(valor: unknown): valor is CasoImposto {
  if (!ehObjeto(valor)) return casos.some((um) => um === valor)
  const { caso, ms = 0, ...resto }: Record<string, unknown> = { ...valor }
  const espera = typeof ms === 'number' && ms >= 0 && ms <= MAIOR_ESPERA_MS
  return casos.some((um) => um === caso) && espera && Object.keys(resto).length === 0
}

const ehObjeto = (valor: unknown): valor is object =>
  typeof valor === 'object' && valor !== null && !Array.isArray(valor)
