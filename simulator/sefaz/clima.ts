import { mix } from '../documento/aleatorio.ts'
import { isUf } from '../documento/inscricao-estadual.ts'
import type { Uf } from '../documento/uf.ts'
import { type Autorizador, autorizadores, type CasaSefaz, type Doc, fisico } from './autorizadores.ts'

/** What a status service may do: answer at once or late, say nothing, answer a code, or fail below SOAP. */
const casos = [
  ...(['normal', 'lento', 'sem-resposta', '108', '109', '113', '114', '656', '678'] as const),
  ...(['fault', 'http-403', 'http-500', 'recusa-tls', 'html', 'malformado', 'corte'] as const),
] as const

export type NomeDoCaso = (typeof casos)[number]

type Ativacao = 'ativada' | 'encerrando' | 'desativada'

const ativacoes: readonly Ativacao[] = ['ativada', 'encerrando', 'desativada']

/** A case by its name alone, or with the milliseconds that the answer takes. */
export type CasoImposto = NomeDoCaso | { caso: NomeDoCaso; ms?: number }

/** What a public page may do besides showing the weather: lead to erro.aspx, show no table, or an old one. */
export type CasoDaPagina = (typeof casosDaPagina)[number]

const casosDaPagina = ['normal', 'erro', 'sem-tabela', 'velha'] as const

/** What overrides the weather; `padrao` is for all authorizers that are not named. */
export type Imposto = {
  padrao?: CasoImposto
  autorizadores?: Record<string, CasoImposto>
  svc?: { nfe?: Partial<Record<Uf, Ativacao>>; cte?: Partial<Record<Uf, Ativacao>> }
  paginas?: { nfe?: CasoDaPagina; cte?: CasoDaPagina }
}

/** No answer is made to wait longer. */
const MAIOR_ESPERA_MS = 600_000

/** Reads the body of `PUT /sefaz.json`; a text is why it cannot be. */
export function readImposto(corpo: string): Imposto | string {
  let lido: unknown
  try {
    lido = JSON.parse(corpo)
  } catch {
    return 'O corpo não é JSON.'
  }
  if (!isObjeto(lido)) return 'O corpo não é um objeto.'
  const problemas: string[] = []
  const imposto: Imposto = {}
  for (const [nome, valor] of Object.entries(lido)) {
    if (nome === 'padrao' && isCaso(valor)) imposto.padrao = valor
    else if (nome === 'autorizadores' && isObjeto(valor)) imposto.autorizadores = readCasos(valor, problemas)
    else if (nome === 'svc' && isObjeto(valor)) imposto.svc = readSvc(valor, problemas)
    else if (nome === 'paginas' && isObjeto(valor)) imposto.paginas = readPaginas(valor, problemas)
    else problemas.push(nome)
  }
  return problemas.length === 0 ? imposto : `Não entendo: ${problemas.slice(0, 5).join(', ')}.`
}

function readCasos(lido: object, problemas: string[]): Record<string, CasoImposto> {
  const lidos: Record<string, CasoImposto> = {}
  for (const [id, valor] of Object.entries(lido)) {
    if (autorizadores.some((um) => um.id === id) && isCaso(valor)) lidos[id] = valor
    else problemas.push(id)
  }
  return lidos
}

function readSvc(lido: object, problemas: string[]): NonNullable<Imposto['svc']> {
  const lidos: NonNullable<Imposto['svc']> = {}
  for (const [doc, estados] of Object.entries(lido)) {
    if ((doc !== 'nfe' && doc !== 'cte') || !isObjeto(estados)) {
      problemas.push(doc)
      continue
    }
    const seus: Partial<Record<Uf, Ativacao>> = {}
    for (const [uf, valor] of Object.entries(estados)) {
      const ativacao = ativacoes.find((uma) => uma === valor)
      if (isUf(uf) && ativacao) seus[uf] = ativacao
      else problemas.push(uf)
    }
    lidos[doc] = seus
  }
  return lidos
}

function readPaginas(lido: object, problemas: string[]): NonNullable<Imposto['paginas']> {
  const lidas: NonNullable<Imposto['paginas']> = {}
  for (const [doc, valor] of Object.entries(lido)) {
    const known = casosDaPagina.find((um) => um === valor)
    if ((doc === 'nfe' || doc === 'cte') && known) lidas[doc] = known
    else problemas.push(doc)
  }
  return lidas
}

function isCaso(valor: unknown): valor is CasoImposto {
  if (!isObjeto(valor)) return casos.some((um) => um === valor)
  const { caso, ms = 0, ...resto }: Record<string, unknown> = { ...valor }
  const espera = typeof ms === 'number' && ms >= 0 && ms <= MAIOR_ESPERA_MS
  return casos.some((um) => um === caso) && espera && Object.keys(resto).length === 0
}

const isObjeto = (valor: unknown): valor is object =>
  typeof valor === 'object' && valor !== null && !Array.isArray(valor)

export const MINUTO_MS = 60_000
export const HORA_MS = 60 * MINUTO_MS
export const DIA_MS = 24 * HORA_MS

/** A fall of a data centre, in milliseconds since 1970. Until `aparece` the services still say 107. */
export type Queda = {
  casa: CasaSefaz
  inicio: number
  aparece: number
  fim: number
  caso: NomeDoCaso
  ids: ReadonlySet<string>
}

/** The data centres, and how likely a fall is on a day: the great ones fall less. */
const casas = Object.entries({
  ...{
    AM: 0.06,
    BA: 0.05,
    GO: 0.05,
    MG: 0.035,
    MS: 0.05,
    MT: 0.06,
    PE: 0.05,
    PR: 0.035,
    RS: 0.025,
    SP: 0.02,
  },
  SERPRO: 0.03,
}) as [CasaSefaz, number][]

/** How a fall shows; what is named twice is twice as frequent. */
const modos: readonly NomeDoCaso[] = [
  ...(['108', '108', '108', '109', 'fault', 'http-500', 'corte', 'sem-resposta'] as const),
]

export const acaso = (...chaves: readonly number[]): number =>
  chaves.reduce((feito, chave) => mix(feito, chave), 0x5ef) / 0x1_0000_0000

/** The day in Brasília that an instant is on, counted since 1970. */
export const diaDe = (instante: number): number => Math.floor((instante - 3 * HORA_MS) / DIA_MS)

export const inicioDoDia = (dia: number): number => dia * DIA_MS + 3 * HORA_MS

const SHORTEST_MIN = 20

/** No fall is longer than 30 times the shortest: ten hours. */
const SPREAD = 30

/** The falls that begin on a day. They follow from the day alone. */
export function quedasDoDia(dia: number): readonly Queda[] {
  const feitas = porDia.get(dia)
  if (feitas) return feitas
  if (porDia.size > LEMBRADOS) porDia.clear()
  const novas = casas.flatMap(([casa, chance], indice) => {
    const de = (sal: number): number => acaso(dia, indice, sal)
    return de(1) < chance ? [fall(casa, dia, de)] : []
  })
  porDia.set(dia, novas)
  return novas
}

const porDia = new Map<number, readonly Queda[]>()
const LEMBRADOS = 400

function fall(casa: CasaSefaz, dia: number, de: (sal: number) => number): Queda {
  const inicio = inicioDoDia(dia) + Math.floor(de(2) * 24 * 60) * MINUTO_MS
  const minutos = Math.round(SHORTEST_MIN * SPREAD ** (de(3) ** 1.6))
  const calada = Math.floor(de(4) ** 2 * Math.min(12, minutos - 15)) * MINUTO_MS
  return {
    casa,
    inicio,
    aparece: inicio + calada,
    fim: inicio + minutos * MINUTO_MS,
    caso: modos[Math.floor(de(5) * modos.length)] ?? '108',
    ids: new Set(alcance(casa, de(6))),
  }
}

/** What a fall takes with it: everything, the two consumer-facing documents, or one document. */
function alcance(casa: CasaSefaz, sorte: number): string[] {
  const seus = autorizadores.filter((um) => um.casa === casa)
  const docs = new Set(seus.map(({ doc }) => doc))
  if (sorte < 0.35 || docs.size === 1) return seus.map(({ id }) => id)
  const so = sorte < 0.6 ? ['nfe', 'nfce'] : sorte < 0.85 ? ['nfce'] : ['cte']
  const atingidos = seus.filter(({ doc }) => so.includes(doc))
  return (atingidos.length > 0 ? atingidos : seus).map(({ id }) => id)
}

/** The fall that an authorizer is in; undefined where it stands. */
function quedaEm(id: string, instante: number): Queda | undefined {
  const dia = diaDe(instante)
  for (const um of [dia, dia - 1])
    for (const queda of quedasDoDia(um))
      if (queda.inicio <= instante && instante < queda.fim && queda.ids.has(id)) return queda
  return undefined
}

/** What an authorizer does with a question, and how many milliseconds it takes. */
export type Tempo = { caso: NomeDoCaso; ms: number }

/** After this the weather's silence is broken off, so that nobody who looks at it waits long. */
export const SILENCIO_MS = 7_000

const indices = new Map(autorizadores.map(({ id }, indice) => [id, indice]))

/** A function of the id and of the instant (milliseconds since 1970), and of nothing else. */
export function climaEm(idDito: string, instante: number): Tempo {
  const id = fisico(idDito)
  const indice = indices.get(id) ?? 0
  const minuto = Math.floor(instante / MINUTO_MS)
  const queda = quedaEm(id, instante)
  if (queda && instante >= queda.aparece) return fail(queda.caso, acaso(indice, minuto, 1))
  if (acaso(indice, minuto, 2) < SOLUCOS) {
    const modo = soluco[Math.floor(acaso(indice, minuto, 3) * soluco.length)] ?? 'corte'
    return fail(modo, acaso(indice, minuto, 4))
  }
  // An authorizer that is about to be down is slow already.
  const lento = queda ? 3_000 : lentidaoEm(indice, instante)
  const ruido = acaso(indice, Math.floor(instante / 1000), 5)
  if (lento) return { caso: 'lento', ms: Math.round(lento * (0.9 + 0.2 * ruido)) }
  const base = 70 + 330 * acaso(indice, 6)
  return { caso: 'normal', ms: Math.round(base * cargaEm(instante) * (0.75 + 0.8 * ruido ** 3)) }
}

/** How often a single question fails, in a minute. */
const SOLUCOS = 0.0015
const soluco: readonly NomeDoCaso[] = ['corte', 'http-500', 'fault', 'sem-resposta']

const fail = (caso: NomeDoCaso, sorte: number): Tempo => ({
  caso,
  ms: caso === 'sem-resposta' ? SILENCIO_MS : Math.round(60 + 400 * sorte),
})

/** The working day in Brasília: twice as slow at its height as at night. */
function cargaEm(instante: number): number {
  const hora = ((instante - 3 * HORA_MS) % (24 * HORA_MS)) / HORA_MS
  return 1 + Math.exp(-(((hora - 14) / 4.5) ** 2))
}

/** The slow spells: rare ones of every authorizer, and one somewhere at any time. Undefined outside them. */
function lentidaoEm(indice: number, instante: number): number | undefined {
  const bloco = Math.floor(instante / (4 * HORA_MS))
  if (acaso(indice, bloco, 7) < 0.04) {
    const inicio = bloco * 4 * HORA_MS + acaso(indice, bloco, 8) * 2.5 * HORA_MS
    const fim = inicio + (0.5 + acaso(indice, bloco, 9)) * HORA_MS
    if (inicio <= instante && instante < fim) return 2_400 + 3_800 * acaso(indice, bloco, 10) ** 2
  }
  const turno = Math.floor(instante / (2 * HORA_MS))
  for (const { pool, chance, sal } of sempre) {
    const escolhido = pool[Math.floor(acaso(turno, sal, 11) * pool.length)]
    if (escolhido === indice && acaso(turno, sal, 12) < chance)
      return 2_400 + 1_800 * acaso(indice, turno, 13)
  }
  return undefined
}

/** The authorizers of one state each, by document: one of them is slow in most turns of two hours. */
const sempre = (
  [
    ['nfe', 1],
    ['nfce', 0.6],
    ['cte', 0.25],
  ] as const
).map(([doc, chance], sal) => ({
  chance,
  sal,
  pool: autorizadores.flatMap((um, indice) =>
    um.doc === doc && um.ufs.length === 1 && um.id === fisico(um.id) ? [indice] : [],
  ),
}))

/** A state activates its SVC half an hour after the fall, and ends it 15 minutes after the return. */
const DECISAO_MS = 30 * MINUTO_MS
export const TOLERANCIA_MS = 15 * MINUTO_MS

/** How a state's SVC stands, and until when, where it ends. */
export type Situacao = { estado: Ativacao; ate: number }

/** Four in five states activate their SVC, in a fall of an hour or more. */
export function ativacaoEm(doc: Doc, uf: Uf, instante: number): Situacao {
  const dia = diaDe(instante)
  const autorizador = autorizadorDe(doc, uf)
  for (const queda of [dia, dia - 1].flatMap(quedasDoDia)) {
    if (!autorizador || !ativa(queda, autorizador, uf)) continue
    const ate = queda.fim + TOLERANCIA_MS
    if (queda.inicio + DECISAO_MS <= instante && instante < ate)
      return { estado: instante < queda.fim ? 'ativada' : 'encerrando', ate }
  }
  return { estado: 'desativada', ate: instante }
}

function ativa(queda: Queda, { id }: Autorizador, uf: Uf): boolean {
  const longa = queda.fim - queda.inicio >= HORA_MS
  const decide = acaso(uf.charCodeAt(0), uf.charCodeAt(1), queda.inicio / MINUTO_MS) < 0.8
  return longa && decide && queda.ids.has(id)
}

const autorizadorDe = (doc: Doc, uf: Uf): Autorizador | undefined =>
  autorizadores.find((um) => um.doc === doc && um.ufs.includes(uf))
