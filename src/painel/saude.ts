import { contar, formatNumero, formatParte, formatQuando } from '../platform/pages/formatos.ts'
import { type Content, type Html, html } from '../platform/pages/html.ts'
import { dizerErro, situacoes } from './palavras.ts'

/** How a source has answered lately. */
export type Saude = {
  situacao: string
  circuito: { estado: 'fechado' | 'aberto' | 'em-teste'; ate: string }
  ultima_hora: {
    consultas: number
    sucessos: number
    taxa_sucesso: number | null
    incompletas: number
    mediana_ms: number | null
  }
  acha_pouco: boolean
  ultimo_erro: { tipo: string; codigo: string; em: string } | null
}

/** From this share of answers on a source is well. */
const BOA = 0.9

/** How a source stands, as a badge. */
export function seloDaFonte({ situacao, circuito, ultima_hora, acha_pouco }: Saude): Html {
  if (situacao !== 'disponivel') return html`<span class="selo">${situacoes[situacao] ?? situacao}</span>`
  if (circuito.estado === 'aberto') return html`<span class="selo ruim">Em pausa</span>`
  if (circuito.estado === 'em-teste') return html`<span class="selo lento">Em teste</span>`
  const { taxa_sucesso } = ultima_hora
  if (taxa_sucesso === null) return html`<span class="selo nota">Sem consultas</span>`
  if (acha_pouco) return html`<span class="selo lento">Acha pouco</span>`
  return taxa_sucesso >= BOA
    ? html`<span class="selo bom">Responde bem</span>`
    : html`<span class="selo ${taxa_sucesso > 0 ? 'lento' : 'ruim'}">${taxa_sucesso > 0 ? 'Falha às vezes' : 'Não responde'}</span>`
}

/** The last hour in words. */
export function ultimaHora({ ultima_hora, circuito }: Saude): Content {
  const { consultas, sucessos, taxa_sucesso, incompletas, mediana_ms } = ultima_hora
  const pause =
    circuito.estado === 'aberto' &&
    `; em pausa até ${formatQuando(Date.parse(circuito.ate))}, por falhas seguidas`
  if (taxa_sucesso === null) return ['nenhuma consulta', pause]
  return [
    `${formatNumero(sucessos)} de ${contar(consultas, 'consulta', 'consultas')} (${formatParte(taxa_sucesso)})`,
    mediana_ms !== null && `, em ${formatNumero(mediana_ms)} ms`,
    incompletas > 0 && `; ${formatNumero(incompletas)} sem algo que ela sempre traz`,
    pause,
  ]
}

/** The last failure of the hour in words, with its instant. */
export const ultimoErro = ({ ultimo_erro }: Saude): Content =>
  ultimo_erro
    ? html`${dizerErro(ultimo_erro)}, <time datetime="${ultimo_erro.em}">${formatQuando(Date.parse(ultimo_erro.em))}</time>`
    : 'nenhum na hora'
