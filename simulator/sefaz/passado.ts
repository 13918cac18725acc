import { autorizadores } from './autorizadores.ts'
import type { NomeDoCaso } from './caso.ts'
import { climaEm } from './clima.ts'
import { acaso, DIA_MS, diaDe, HORA_MS, inicioDoDia, MINUTO_MS, type Queda, quedasDoDia } from './quedas.ts'

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

/**
 * The weather of the 90 days of Brasília before the day of `agora`, and the incidents from then until now.
 */
export type Passado = { de: string; ate: string; dias: Dia[]; incidentes: Incidente[] }

const DIAS = 90
const RODADA_MS = 10 * MINUTO_MS

/** What falls again within this time after the end goes on as the same incident. */
const REABRE_MS = 3 * HORA_MS

export function escreverPassado(agora: Date): Passado {
  const hoje = diaDe(agora.getTime())
  const numeros = Array.from({ length: DIAS }, (_, i) => hoje - DIAS + i)
  return {
    de: dataDe(hoje - DIAS),
    ate: dataDe(hoje - 1),
    dias: autorizadores.flatMap(({ id }, indice) => numeros.map((dia) => contar(id, indice, dia))),
    incidentes: contarIncidentes([...numeros, hoje], agora.getTime()),
  }
}

const dataDe = (dia: number): string => new Date(dia * DIA_MS).toISOString().slice(0, 10)

function contar(id: string, indice: number, dia: number): Dia {
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

function contarIncidentes(dias: readonly number[], agora: number): Incidente[] {
  const quedas = dias.flatMap(quedasDoDia).filter(({ aparece }) => aparece <= agora)
  const incidentes: Incidente[] = []
  for (const queda of quedas.toSorted((a, b) => a.aparece - b.aparece)) {
    const novas = separar(queda, agora)
    const fim = queda.fim > agora ? null : queda.fim
    const aberto = incidentes.findLast(({ casa }) => casa === queda.casa)
    if (aberto && (aberto.fim === null || queda.aparece - aberto.fim <= REABRE_MS)) {
      aberto.quedas.push(...novas)
      aberto.fim = aberto.fim === null || fim === null ? null : Math.max(aberto.fim, fim)
    } else incidentes.push({ casa: queda.casa, inicio: queda.aparece, fim, quedas: novas })
  }
  return incidentes
}

function separar({ ids, aparece, fim, caso }: Queda, agora: number): QuedaDeUm[] {
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
