import { ufs } from '../documento/uf.ts'
import { enumerar } from '../platform/texto.ts'
import {
  contar,
  formatHora,
  formatLeitura,
  formatSegundos,
  type IncidenteVisto,
  isoDe,
  verIncidente,
} from './incidentes.ts'
import type { StatusCode } from './rules.ts'
import { type Doc, docs } from './rules.ts'
import { situacaoDe } from './rules-quadro.ts'
import type { Vista } from './vista.ts'

/** What the page says of now, and each live event says anew: words that the browser puts in place. */
export type Agora = {
  /** The name of the round; 0 where there is none. */
  em: number
  lida: { texto: string; iso: string; proxima: string } | undefined
  aviso: Aviso
  docs: Record<Doc, DocAgora>
  incidentes: readonly IncidenteVisto[]
  /** What stands in the place of open incidents. */
  semIncidentes: string
}

/** The band under the heading. Its tone is a class of the style. */
type Aviso = { tom: 'bom' | 'lento' | 'ruim' | 'nada'; titulo: string; texto: string }

type DocAgora = {
  /** How many states are normal; a dash where nothing is known of now. */
  normais: number | '–'
  resumo: string
  /** How many states stand in each class. */
  contagem: readonly number[]
  /** Class and mean time of each state, in the order of the states. */
  situacoes: readonly (readonly [StatusCode, string])[]
}

/** Says how things stand, from one moment of the monitor. */
export function resumir(vista: Vista): Agora {
  const { quadro, ultima, intervaloS } = vista
  const lida = ultima !== undefined && {
    texto: formatLeitura(ultima),
    iso: isoDe(ultima),
    proxima: quadro ? formatHora(quadro.rodada.em + intervaloS * 1000) : '',
  }
  return {
    em: quadro?.rodada.em ?? 0,
    lida: lida || undefined,
    aviso: avisar(vista),
    docs: { nfe: resumirDoc(vista, 'nfe'), nfce: resumirDoc(vista, 'nfce'), cte: resumirDoc(vista, 'cte') },
    incidentes: (quadro?.abertos ?? []).map((one) => verIncidente(one, vista)),
    semIncidentes: quadro ? 'Nenhum incidente em aberto.' : 'Sem leitura de agora.',
  }
}

function resumirDoc(vista: Vista, doc: Doc): DocAgora {
  const all = ufs.map((uf) => situacaoDe(vista.quadro, doc, uf))
  const contagem = [0, 1, 2, 3, 4, 5].map((code) => all.filter((one) => one.status_code === code).length)
  const [nada = 0, normais = 0, lentos = 0, muito = 0, erros = 0, timeouts = 0] = contagem
  const parts = [
    lentos > 0 && contar(lentos, 'lento', 'lentos'),
    muito > 0 && contar(muito, 'muito lento', 'muito lentos'),
    erros + timeouts > 0 && `${erros + timeouts} fora`,
    nada > 0 && contar(nada, 'sem leitura', 'sem leitura'),
  ].filter((part) => part !== false)
  return {
    normais: vista.quadro ? normais : '–',
    resumo: vista.quadro ? enumerar(parts) || 'Todos respondem bem' : 'Sem leitura de agora',
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
    'O monitor parou de ler: nada aqui diz como as SEFAZ estão agora. A história continua abaixo.',
  ],
} as const

function avisar(vista: Vista): Aviso {
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
  const seen = docs.flatMap((doc) => ufs.map((uf) => situacaoDe(vista.quadro, doc, uf).status_code))
  const nada = seen.filter((code) => code === 0).length
  if (nada === seen.length)
    return {
      tom: 'nada',
      titulo: 'Nenhum estado tem leitura agora',
      texto:
        'As últimas rodadas não souberam de nenhum autorizador: nada aqui diz como as SEFAZ estão agora.',
    }
  if (quadro.abertos.length > 0) return avisarIncidentes(vista)
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
      texto: 'Nenhum incidente em aberto; há estados que demoram a responder.',
    }
  if (nada > 0)
    return {
      tom: 'bom',
      titulo: 'Tudo no ar onde há leitura',
      texto: 'Nenhum incidente em aberto. De parte dos estados não há leitura agora, e nada se sabe.',
    }
  return { tom: 'bom', titulo: 'Tudo no ar', texto: 'Nenhum incidente em aberto.' }
}

function avisarIncidentes(vista: Vista): Aviso {
  const abertos = vista.quadro?.abertos ?? []
  const texts = abertos.slice(0, 3).map((one) => {
    const seen = verIncidente(one, vista)
    return `${seen.nome} desde ${seen.desde}`
  })
  const more = abertos.length > 3 ? ` e mais ${abertos.length - 3}` : ''
  return {
    tom: 'ruim',
    titulo: contar(abertos.length, 'incidente em aberto', 'incidentes em aberto'),
    texto: `${texts.join('; ')}${more}.`,
  }
}
