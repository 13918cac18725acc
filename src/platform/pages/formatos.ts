import { dataBrasileira, diasAte } from '../../documento/dia.ts'
import { dateFormat, numberFormat } from '../../documento/formato.ts'
import { type Html, html } from './html.ts'

const numero = numberFormat()
const moeda = numberFormat({ style: 'currency', currency: 'BRL' })
const parte = numberFormat({ style: 'percent', maximumFractionDigits: 1 })
const segundos = numberFormat({ minimumFractionDigits: 1, maximumFractionDigits: 1 })
const dia = dateFormat({ day: '2-digit', month: '2-digit' })
const hora = dateFormat({ timeStyle: 'medium' })
const instante = dateFormat({ dateStyle: 'short', timeStyle: 'medium' })
const porExtenso = dateFormat({ dateStyle: 'long' })
const diaEMes = dateFormat({ day: 'numeric', month: 'long' })

export const formatNumero = (value: number): string => numero.format(value)

export const formatReais = (value: number): string => moeda.format(value)

/** `98,4%`, of a share from 0 to 1. 0 and 100 are said of none and of all alone. */
export function formatParte(share: number): string {
  if (share > 0.999 && share < 1) return '99,9%'
  if (share < 0.001 && share > 0) return '0,1%'
  return parte.format(share)
}

/** `22/11 14:59:55`, in Brasília, of an instant in milliseconds. */
export const formatQuando = (ms: number): string => `${dia.format(ms)} ${hora.format(ms)}`

/** A relative time in its own words; the exact instant is its title, and stands on paper. */
export const comInstante = (em: string | number, dito: string): Html =>
  html`<time class="idade" datetime="${new Date(em).toISOString()}" title="${formatInstante(new Date(em))}">${dito}</time>`

/** `23/11/2026 09:12:07`, in Brasília, as spreadsheets read it too. */
export const formatInstante = (quando: Date): string => instante.format(quando).replace(', ', ' ')

export const formatAgora = (ms: number): string =>
  `${porExtenso.format(ms)}, ${hora.format(ms).slice(0, 5).replace(':', 'h')} (Brasília)`

export const formatDiaEMes = (ms: number): string => diaEMes.format(ms).replace(/^1 /, '1º ')

export const formatDiaCurto = (day: string): string => `${day.slice(8, 10)}/${day.slice(5, 7)}`

/** `920 ms`, `1,3 s`. */
export const formatTempo = (ms: number): string =>
  ms < 1_000 ? `${ms} ms` : `${segundos.format(ms / 1_000)} s`

export const countOf = (count: number, one: string, many: string): string =>
  `${numero.format(count)} ${count === 1 ? one : many}`

/** `agora`, `há 4 s`, `há 12 min`, `há 3 h`, `há 2 dias`. */
export function haQuanto(em: string | number, agora: Date): string {
  const seconds = Math.max(0, Math.round((agora.getTime() - new Date(em).getTime()) / 1000))
  if (seconds === 0) return 'agora'
  if (seconds < 60) return `há ${seconds} s`
  if (seconds < 3_600) return `há ${Math.floor(seconds / 60)} min`
  if (seconds < 86_400) return `há ${Math.floor(seconds / 3_600)} h`
  return `há ${countOf(Math.floor(seconds / 86_400), 'dia', 'dias')}`
}

/** `90010-000`. A text of another form stays as it is. */
export const formatCep = (cep: string): string => cep.replace(/^(\d{5})(\d{3})$/, '$1-$2')

/** `0115-6/00`. A text of another form stays as it is. */
export const formatCnae = (codigo: string): string => codigo.replace(/^(\d{4})(\d)(\d{2})$/, '$1-$2/$3')

/** Writes the days that stand in an authority's words as people do. */
export const comDatas = (text: string): string =>
  text.replace(/\d{4}-\d{2}-\d{2}/g, (dia) => dataBrasileira(dia))

/** `faltam 60 dias`, `vence hoje`, `venceu há 2 dias`, of the days that are left. */
export function formatPrazo(dias: number): string {
  if (dias === 0) return 'vence hoje'
  const count = countOf(Math.abs(dias), 'dia', 'dias')
  if (dias < 0) return `venceu há ${count}`
  return `${dias === 1 ? 'falta' : 'faltam'} ${count}`
}

/** `Válida até 23/01/2027 (faltam 60 dias)`, of a last day (AAAA-MM-DD). */
export const prazoDa = (validade: string, agora: Date): Html =>
  html`Válida até <b>${dataBrasileira(validade)}</b> (${formatPrazo(diasAte(validade, agora))})`

/** Of a certificate whose last day is over. */
export const vencimentoDa = (validade: string, agora: Date): Html =>
  html`Venceu em <b>${dataBrasileira(validade)}</b>, há ${countOf(-diasAte(validade, agora), 'dia', 'dias')}: já não prova nada. Peça outra.`

/** `Não habilitada`, of words that a register writes in capitals. Others stay as they are. */
export const semCaixaAlta = (text: string): string =>
  text === text.toUpperCase() ? text.charAt(0) + text.slice(1).toLowerCase() : text

const format = dateFormat({
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

export const quando = (instante: Date): Html =>
  html`<time datetime="${instante.toISOString()}">${format.format(instante).replace(', ', ' às ')}</time>`

/**
 * A failure in words for whoever asked: what its operator must do, and the names of his settings, stand in
 * the answer itself, which is for programmers.
 */
export const semOperador = (text: string): string =>
  semProtocolo(text)
    .replace(/ Consulte sem \w+_\w+\./, '')
    .replace(/ \([^()]*(?:SERPRO|CNIR|CAPTCHA|A1)_[^()]*\)/g, '')
    .replace(/(?:SERPRO|CNIR|CAPTCHA|A1)_[A-Z]+(?: e [A-Z0-9]+_[A-Z]+)*/g, 'a credencial deste serviço')
    .replace(/Operador: [^.]*\./g, 'Avise quem opera este serviço.')

/** What a state has no way for, in words for people: for some the national register is the one way. */
export const semProtocolo = (text: string): string =>
  text
    .replace(
      /A SEFAZ-[A-Z]{2} não publica como se consulta por programa\. Consulte na página dela \([^\s()]+\)\. O cadastro nacional \(CCC\) também não respondeu desta vez\./,
      'O cadastro nacional (CCC) não respondeu. Por aqui, a inscrição só se consulta por ele.',
    )
    .replace('não publica como se consulta por programa', 'não tem consulta automática')

const SECOES: Readonly<Record<string, string>> = {
  receita_federal: 'Receita Federal',
  inscricoes_estaduais: 'Inscrições estaduais',
  cnd_estaduais: 'Certidões estaduais',
}

/** A notice of the API in words for people: without the ids of sources and the names of members. */
export const semPrograma = (aviso: string): string =>
  semOperador(aviso)
    .replace(/ \((?:[A-Z]{2}\/[\w-]+|[a-z_]+)\)/g, '')
    .replace(/ o campo [a-z_]+, que/, ' um campo, que')
    .replace(/ os campos [a-z_]+(?:(?:, | e )[a-z_]+)*, que/, ' alguns campos, que')
    .replace('não contam em total_imoveis_ativos', 'não contam entre os ativos')
    .replace('com número, nome e situação', 'com o número, o nome e a situação')
    .replace('consulte pelo CNPJ da matriz', 'pergunte pelo da matriz')
    .replace(/^[a-z_]+(?=: )/, (secao) => SECOES[secao] ?? secao)
