import { setTimeout } from 'node:timers/promises'
import type { Uf } from '../documento/uf.ts'
import type { Autoridade, Pagina } from '../platform/autoridade.ts'
import { autorizadores, type Doc, fisico } from './autorizadores.ts'
import {
  acaso,
  ativacaoEm,
  type CasoDaPagina,
  type CasoImposto,
  climaEm,
  DIA_MS,
  diaDe,
  HORA_MS,
  type Imposto,
  inicioDoDia,
  MINUTO_MS,
  type NomeDoCaso,
  type Queda,
  quedasDoDia,
  readImposto,
  type Situacao,
  type Tempo,
  TOLERANCIA_MS,
} from './clima.ts'

export type Sefaz = {
  tempoDe: (id: string) => Tempo
  /** Since when an authorizer is in the case that was imposed on it; undefined where the weather rules. */
  impostoDesde: (id: string) => number | undefined
  ativacaoDe: (doc: Doc, uf: Uf) => Situacao
  paginaDe: (doc: 'nfe' | 'cte') => CasoDaPagina
  imposto: () => Imposto
  /** Takes the place of all that was imposed before. `{}` leaves the weather alone. */
  impose: (imposto: Imposto) => void
  wait: (ms: number) => Promise<void>
  agora: () => Date
}

/** `wait` takes real timers, times `ritmo`, when left out; a test may advance its own clock. */
type OpcoesDaSefaz = { agora: () => Date; ritmo?: number; wait?: (ms: number) => Promise<void> }

/** An imposed case that says nothing about its time takes this long. */
const PADRAO_MS = { normal: 100, lento: 3_000, 'sem-resposta': 120_000 } as const

export function createSefaz({ agora, ritmo = 1, wait }: OpcoesDaSefaz): Sefaz {
  let atual: Imposto = {}
  let desde = new Map<string, { caso: string; em: number }>()
  const impostoA = (id: string): CasoImposto | undefined => {
    const impostos = Object.entries(atual.autorizadores ?? {})
    return impostos.findLast(([um]) => fisico(um) === fisico(id))?.[1] ?? atual.padrao
  }
  return {
    agora,
    wait: wait ?? ((ms) => setTimeout(ms * ritmo, undefined, { ref: false })),
    tempoDe: (id) => {
      const imposto = impostoA(id)
      return imposto ? comTempo(imposto) : climaEm(id, agora().getTime())
    },
    impostoDesde: (id) => {
      const imposto = impostoA(id)
      return imposto && (desde.get(fisico(id)) ?? desde.get('padrao'))?.em
    },
    ativacaoDe: (doc, uf) => {
      const instante = agora().getTime()
      const imposta = doc === 'nfce' ? undefined : atual.svc?.[doc]?.[uf]
      return imposta ? { estado: imposta, ate: instante + TOLERANCIA_MS } : ativacaoEm(doc, uf, instante)
    },
    paginaDe: (doc) => atual.paginas?.[doc] ?? 'normal',
    imposto: () => atual,
    impose: (imposto) => {
      atual = structuredClone(imposto)
      const novos = Object.entries({
        ...(imposto.padrao && { padrao: imposto.padrao }),
        ...imposto.autorizadores,
      })
      desde = new Map(
        novos.map(([nome, valor]) => {
          const { caso } = comTempo(valor)
          const antes = desde.get(fisico(nome))
          return [fisico(nome), antes?.caso === caso ? antes : { caso, em: agora().getTime() }]
        }),
      )
    },
  }
}

function comTempo(imposto: CasoImposto): Tempo {
  const { caso, ms } = typeof imposto === 'string' ? { caso: imposto, ms: undefined } : imposto
  const usual = Object.entries(PADRAO_MS).find(([nome]) => nome === caso)?.[1] ?? PADRAO_MS.normal
  return { caso, ms: ms ?? usual }
}

/** A day of an authorizer. `tempos` is base64 of 16-bit numbers, little-endian, ascending: milliseconds. */
type Dia = {
  autorizador: string
  dia: string
  leituras: number
  erros: number
  timeouts: number
  tempos: string
  confirmadas: number
  desmentidas: number
}

/** A fall of one authorizer; `fim` is null while it lasts. Instants are in milliseconds since 1970. */
type QuedaDeUm = {
  autorizador: string
  inicio: number
  fim: number | null
  cStat: number | null
  motivo: string
}

type Incidente = { casa: string; inicio: number; fim: number | null; quedas: QuedaDeUm[] }

/** The 90 days of Brasília before the day of `agora`, and their incidents: nobody has read today yet. */
export type Passado = { de: string; ate: string; dias: Dia[]; incidentes: Incidente[] }

const DIAS = 90
const RODADA_MS = 10 * MINUTO_MS

/** What falls again within this time after the end goes on as the same incident. */
const REABRE_MS = 3 * HORA_MS

export function writePassado(agora: Date): Passado {
  const hoje = diaDe(agora.getTime())
  const numeros = Array.from({ length: DIAS }, (_, i) => hoje - DIAS + i)
  return {
    de: dataDe(hoje - DIAS),
    ate: dataDe(hoje - 1),
    dias: autorizadores.flatMap(({ id }, indice) => numeros.map((dia) => count(id, indice, dia))),
    incidentes: countIncidentes(numeros, agora.getTime()),
  }
}

/** A fall is known from the first reading in it to the first after it. */
const naLeitura = (ms: number): number => Math.ceil(ms / RODADA_MS) * RODADA_MS

const dataDe = (dia: number): string => new Date(dia * DIA_MS).toISOString().slice(0, 10)

function count(id: string, indice: number, dia: number): Dia {
  const tempos: number[] = []
  const contados = { erros: 0, timeouts: 0, confirmadas: 0, desmentidas: 0 }
  for (let i = 0; i < DIA_MS / RODADA_MS; i++) {
    const instante = inicioDoDia(dia) + i * RODADA_MS
    const { caso, ms } = climaEm(id, instante)
    if (caso === 'sem-resposta') contados.timeouts += 1
    else if (caso !== 'normal' && caso !== 'lento') contados.erros += 1
    else {
      tempos.push(ms)
      const sorte = acaso(indice, dia, i, 21)
      if (sorte < (caso === 'lento' ? 0.04 : 0.0008)) contados.desmentidas += 1
      else if (sorte < 0.6) contados.confirmadas += 1
    }
  }
  const ordenados = Uint16Array.from(tempos).sort()
  const octetos = Buffer.alloc(ordenados.length * 2)
  for (const [i, ms] of ordenados.entries()) octetos.writeUInt16LE(ms, i * 2)
  const leituras = DIA_MS / RODADA_MS
  return { autorizador: id, dia: dataDe(dia), leituras, ...contados, tempos: octetos.toString('base64') }
}

function countIncidentes(dias: readonly number[], agora: number): Incidente[] {
  const quedas = dias
    .flatMap(quedasDoDia)
    .map((um) => ({ ...um, aparece: naLeitura(um.aparece), fim: naLeitura(um.fim) }))
    .filter(({ aparece }) => aparece < inicioDoDia(diaDe(agora)))
  const incidentes: Incidente[] = []
  for (const queda of quedas.toSorted((a, b) => a.aparece - b.aparece)) {
    const novas = split(queda, agora)
    const fim = queda.fim > agora ? null : queda.fim
    const aberto = incidentes.findLast(({ casa }) => casa === queda.casa)
    if (aberto && (aberto.fim === null || queda.aparece - aberto.fim <= REABRE_MS)) {
      aberto.quedas.push(...novas)
      aberto.fim = aberto.fim === null || fim === null ? null : Math.max(aberto.fim, fim)
    } else incidentes.push({ casa: queda.casa, inicio: queda.aparece, fim, quedas: novas })
  }
  return incidentes
}

function split({ ids, aparece, fim, caso }: Queda, agora: number): QuedaDeUm[] {
  const cStat = Number(caso) || null
  const dito = motivos[caso] ?? ''
  return autorizadores
    .filter(({ id }) => ids.has(id))
    .map(({ id }) => ({
      autorizador: id,
      inicio: aparece,
      fim: fim > agora ? null : fim,
      cStat,
      motivo: dito,
    }))
}

const motivos: Partial<Record<NomeDoCaso, string>> = {
  '108': 'Serviço Paralisado Momentaneamente (curto prazo)',
  '109': 'Serviço Paralisado sem Previsão',
  fault: 'O serviço respondeu com um SOAP Fault.',
  'http-500': 'O serviço respondeu com HTTP 500.',
  corte: 'A conexão foi interrompida.',
  'sem-resposta': 'O serviço não respondeu a tempo.',
}

/**
 * `/sefaz.json` shows how all stand and takes what overrides the weather; `/sefaz/passado.json` shows the 90
 * days.
 */
export const createInstrumentos = (sefaz: Sefaz): NonNullable<Autoridade['instrumentos']> => [
  { caminho: '/sefaz.json', answer: (metodo, corpo) => impose(sefaz, metodo, corpo.toString()) },
  {
    caminho: '/sefaz/passado.json',
    answer: (metodo) =>
      metodo === 'GET' ? json(200, JSON.stringify(writePassado(sefaz.agora()))) : undefined,
  },
]

function impose(sefaz: Sefaz, metodo: string, corpo: string): Pagina | undefined {
  if (metodo === 'PUT') {
    const lido = readImposto(corpo)
    if (typeof lido === 'string') return json(400, JSON.stringify({ erro: lido }))
    sefaz.impose(lido)
  } else if (metodo === 'DELETE') sefaz.impose({})
  else if (metodo !== 'GET') return undefined
  const agora = Object.fromEntries(autorizadores.map(({ id }) => [id, sefaz.tempoDe(id)]))
  return json(200, JSON.stringify({ imposto: sefaz.imposto(), agora }, null, 2))
}

const json = (status: number, texto: string): Pagina => ({
  status,
  tipo: 'application/json; charset=utf-8',
  corpo: `${texto}\n`,
})
