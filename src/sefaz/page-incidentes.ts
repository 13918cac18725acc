import { dateFormat } from '../documento/formato.ts'
import { ufs, unidades } from '../documento/uf.ts'
import { type Content, type Html, html } from '../platform/pages/html.ts'
import { enumerate } from '../platform/texto.ts'
import { adviceOf, textOfAtivacao, type Vista } from './page-vista.ts'
import { autorizadorById, type Doc, docs, nomeDoDoc, type StatusCode } from './rules.ts'
import { percent } from './rules-historico.ts'
import { standingOf } from './rules-quadro.ts'
import type { Incidente, Queda } from './rules-rodada.ts'

const dia = dateFormat({ day: '2-digit', month: '2-digit' })
const diaEAno = dateFormat({ dateStyle: 'short' })
const hora = dateFormat({ hour: '2-digit', minute: '2-digit' })
const horaInteira = dateFormat({ timeStyle: 'medium' })

/** `22/11 às 14:48`, in Brasília, of an instant in milliseconds. */
export const formatInstante = (ms: number): string => `${dia.format(ms)} às ${hora.format(ms)}`

/** `28/11, das 01:04 às 03:18`, with the second day where it is another. */
const formatPeriodo = (de: number, ate: number): string =>
  dia.format(de) === dia.format(ate)
    ? `${dia.format(de)}, das ${hora.format(de)} às ${hora.format(ate)}`
    : `de ${formatInstante(de)} a ${formatInstante(ate)}`

/** What an attribute `datetime` takes. */
export const isoDe = (ms: number): string => new Date(ms).toISOString()

/** `14 min`, `2 h 10 min`, `3 dias`: of a time in milliseconds. */
function formatDuracao(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000))
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours >= 48) return `${Math.round(hours / 24)} dias`
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
}

export const formatSegundos = (seconds: number): string =>
  `${seconds.toLocaleString('pt-BR', { minimumFractionDigits: 2, maximumFractionDigits: 2 })} s`

/** `99,94%`. 0 and 100 are said of none and of all alone. */
export const formatParte = (share: number): string =>
  `${percent(share, 1)?.toLocaleString('pt-BR', { minimumFractionDigits: 2 })}%`

/** `1 lento`, `2 lentos` */
export const countOf = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`

/** An incident in words, for the page and for the live events. */
export type IncidenteVisto = {
  id: string
  aberto: boolean
  nome: string
  desde: string
  iso: string
  durou: string
  quedas: readonly string[]
  conselhos: readonly { onde: string; texto: string; svc: string; ativacao: string }[]
}

export function viewIncidente({ id, inicio, fim, quedas }: Incidente, vista: Vista): IncidenteVisto {
  return {
    id,
    aberto: fim === null,
    nome: nameOfIncidente(quedas),
    desde: formatInstante(inicio),
    iso: isoDe(inicio),
    durou: fim === null ? '' : `${formatPeriodo(inicio, fim)} (${formatDuracao(fim - inicio)})`,
    quedas: lastQuedas(quedas).map((one) => tellQueda(one, fim)),
    conselhos: quedas.filter((one) => one.fim === null).flatMap((one) => adviseQueda(one, vista)),
  }
}

/** `SEFAZ RS e SVRS`: the authorizers that fell, each once. */
export const nameOfIncidente = (quedas: readonly Queda[]): string =>
  enumerate([...new Set(quedas.map(({ autorizador }) => autorizadorById(autorizador)?.nome ?? autorizador))])

/** An authorizer that fell more than once is said once: by its last fall. */
const lastQuedas = (quedas: readonly Queda[]): Queda[] => [
  ...new Map(quedas.map((one) => [one.autorizador, one])).values(),
]

/** Its end is said where the incident went on without it. */
function tellQueda({ autorizador, cStat, motivo, fim }: Queda, fimDoIncidente: number | null): string {
  const known = autorizadorById(autorizador)
  if (!known) return motivo
  const where =
    known.ufs.length === 1 ? known.ufs.join('') : `${known.ufs.length} estados (${enumerate(known.ufs)})`
  const code = cStat === null ? '' : ` (código ${cStat})`
  const back = fim === null || fim === fimDoIncidente ? '' : `; voltou em ${formatInstante(fim)}`
  return `${nomeDoDoc[known.doc]} de ${where}: ${motivo.replace(/[.\s]+$/, '')}${code}${back}.`
}

/** The advice for the states that a fall hits; those with the same are told together. */
function adviseQueda({ autorizador }: Queda, vista: Vista): IncidenteVisto['conselhos'] {
  const known = autorizadorById(autorizador)
  if (!known) return []
  const told = known.ufs.flatMap((uf) => {
    const conselho = adviceOf(vista, known.doc, uf)
    return conselho ? [{ uf, conselho }] : []
  })
  return [...Map.groupBy(told, ({ conselho }) => conselho.texto)].map(([texto, same]) => ({
    onde: `${nomeDoDoc[known.doc]} em ${enumerate(same.map(({ uf }) => uf))}`,
    texto,
    svc: same[0]?.conselho.svc ?? '',
    ativacao: same[0]?.conselho.svc ? textOfAtivacao(same[0].conselho.ativacao) : '',
  }))
}

export const drawIncidentes = (seen: readonly IncidenteVisto[], vazio: Content): Html =>
  html`<ul class="incidentes">${seen.length === 0 ? html`<li class="vazio">${vazio}</li>` : seen.map(drawIncidente)}</ul>`

const drawIncidente = ({ aberto, nome, desde, iso, durou, quedas, conselhos }: IncidenteVisto): Html =>
  html`<li><p><span class="selo ${aberto ? 'ruim' : ''}">${aberto ? 'Em aberto' : 'Encerrado'}</span> <b>${nome}</b> <span class="suave">${!durou && 'desde '}<time datetime="${iso}">${durou || desde}</time></span></p>${quedas.map(
    (queda) => html`<p>${queda}</p>`,
  )}${conselhos.map(
    ({ onde, texto, svc, ativacao }) =>
      html`<div class="conselho"><p><b>${onde}</b></p><p>${texto}</p>${svc !== '' && html`<p class="suave">Contingência do estado: <b>${svc}</b> · Ativação: <b>${ativacao}</b></p>`}</div>`,
  )}</li>`

export type Agora = {
  /** The name of the round; 0 where there is none. */
  em: number
  lida: { texto: string; iso: string; proxima: string } | undefined
  aviso: Aviso
  docs: Record<Doc, DocAgora>
  incidentes: readonly IncidenteVisto[]
  semIncidentes: string
}

type Aviso = { tom: 'bom' | 'lento' | 'ruim' | 'nada'; titulo: string; texto: string }

type DocAgora = {
  /** How many states are normal; a dash where nothing is known of now. */
  normais: number | '–'
  resumo: string
  contagem: readonly number[]
  /** Class and mean time of each state, in the order of the states. */
  situacoes: readonly (readonly [StatusCode, string])[]
}

export function summarize(vista: Vista): Agora {
  const { quadro, ultima, intervaloS } = vista
  const lida = ultima !== undefined && {
    texto: `${diaEAno.format(ultima)} às ${horaInteira.format(ultima)}`,
    iso: isoDe(ultima),
    proxima: quadro ? horaInteira.format(quadro.rodada.em + intervaloS * 1000) : '',
  }
  return {
    em: quadro?.rodada.em ?? 0,
    lida: lida || undefined,
    aviso: warningOf(vista),
    docs: {
      nfe: summarizeDoc(vista, 'nfe'),
      nfce: summarizeDoc(vista, 'nfce'),
      cte: summarizeDoc(vista, 'cte'),
    },
    incidentes: (quadro?.abertos ?? []).map((one) => viewIncidente(one, vista)),
    semIncidentes: quadro ? 'Nenhum incidente em aberto.' : 'Sem leitura de agora.',
  }
}

function summarizeDoc(vista: Vista, doc: Doc): DocAgora {
  const all = ufs.map((uf) => standingOf(vista.quadro, doc, uf))
  const contagem = [0, 1, 2, 3, 4, 5].map((code) => all.filter((one) => one.status_code === code).length)
  const [nada = 0, normais = 0, lentos = 0, muito = 0, erros = 0, timeouts = 0] = contagem
  const parts = [
    lentos > 0 && countOf(lentos, 'lento', 'lentos'),
    muito > 0 && countOf(muito, 'muito lento', 'muito lentos'),
    erros + timeouts > 0 && `${erros + timeouts} fora`,
    nada > 0 && countOf(nada, 'sem leitura', 'sem leitura'),
  ].filter((part) => part !== false)
  return {
    normais: vista.quadro ? normais : '–',
    resumo: vista.quadro ? enumerate(parts) || 'todos normais' : 'Sem leitura de agora',
    contagem,
    situacoes: all.map(({ status_code, status_avg }) => [
      status_code,
      status_avg > 0 ? formatSegundos(status_avg) : '',
    ]),
  }
}

const faltas = {
  desligado: [
    'O monitor está desligado neste serviço',
    'Ninguém pergunta às SEFAZ. Quem opera o serviço o liga com SEFAZ_MONITOR=ligado.',
  ],
  'sem-rodada': [
    'A primeira leitura está em curso',
    'Os autorizadores estão sendo perguntados. Leva até meio minuto.',
  ],
  parado: [
    'Sem leitura há mais de 10 minutos',
    'O monitor parou de ler: nada aqui diz como as SEFAZ estão agora. O histórico continua abaixo.',
  ],
} as const

function warningOf(vista: Vista): Aviso {
  const { quadro, falta } = vista
  if (falta || !quadro) {
    const [titulo, texto] = faltas[falta ?? 'sem-rodada']
    return { tom: 'nada', titulo, texto }
  }
  if (quadro.rodada.semRede)
    return {
      tom: 'ruim',
      titulo: 'Nenhum serviço respondeu na última leitura',
      texto:
        'O mais provável é uma falha nossa (rede, endereço ou certificado): vale a última leitura que teve resposta, e nenhum incidente é aberto por isso.',
    }
  const seen = docs.flatMap((doc) => ufs.map((uf) => standingOf(vista.quadro, doc, uf).status_code))
  const nada = seen.filter((code) => code === 0).length
  if (nada === seen.length)
    return {
      tom: 'nada',
      titulo: 'Nenhum estado tem leitura agora',
      texto:
        'As últimas rodadas não souberam de nenhum autorizador: nada aqui diz como as SEFAZ estão agora.',
    }
  if (quadro.abertos.length > 0) return warnOfIncidentes(vista)
  if (seen.some((code) => code === 4 || code === 5))
    return {
      tom: 'lento',
      titulo: 'Há autorizadores que não responderam bem à última leitura',
      texto: 'Três leituras ruins seguidas abrem um incidente.',
    }
  if (seen.some((code) => code === 2 || code === 3))
    return {
      tom: 'lento',
      titulo: nada > 0 ? 'No ar, com lentidão, onde há leitura' : 'Tudo no ar, com lentidão',
      texto: `Nenhum incidente em aberto; ${tellLentos(vista)} a responder.`,
    }
  if (nada > 0)
    return {
      tom: 'bom',
      titulo: 'Tudo no ar onde há leitura',
      texto: 'Nenhum incidente em aberto. De parte dos estados não há leitura agora, e nada se sabe.',
    }
  return { tom: 'bom', titulo: 'Tudo no ar', texto: 'Nenhum incidente em aberto.' }
}

/** Few states are named, each with the documents that are slow there; many are counted. */
function tellLentos({ quadro }: Vista): string {
  const lentos = ufs.flatMap((uf) => {
    const seus = docs.filter((doc) => [2, 3].includes(standingOf(quadro, doc, uf).status_code))
    return seus.length === 0 ? [] : `${unidades[uf].nome} (${enumerate(seus.map((doc) => nomeDoDoc[doc]))})`
  })
  const nomes = lentos.length > 3 ? `${lentos.length} estados` : enumerate(lentos)
  return `${nomes} ${lentos.length === 1 ? 'demora' : 'demoram'}`
}

function warnOfIncidentes(vista: Vista): Aviso {
  const abertos = vista.quadro?.abertos ?? []
  const texts = abertos
    .slice(0, 3)
    .map(({ quedas, inicio }) => `${nameOfIncidente(quedas)} desde ${formatInstante(inicio)}`)
  const more = abertos.length > 3 ? ` e mais ${abertos.length - 3}` : ''
  return {
    tom: 'ruim',
    titulo: countOf(abertos.length, 'incidente em aberto', 'incidentes em aberto'),
    texto: `${texts.join('; ')}${more}.`,
  }
}
