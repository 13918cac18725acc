import { drawTable, say } from '../platform/terminal.ts'
import { modos, thousands } from '../platform/texto.ts'
import type { Ambiente } from '../platform/wire/fonte.ts'
import type { Fonte } from '../portal/fonte.ts'
import type { Disponibilidade } from '../portal/rotas.ts'

export type Moldura = {
  ambiente: Ambiente
  /** States of the question that are not connected. */
  desligados: readonly string[]
  json: boolean
}

const situacoes: Record<Disponibilidade, string> = {
  disponivel: 'disponível',
  desligada: 'desligada',
  'sem-certificado': 'falta o A1',
  'protocolo-desconhecido': 'sem protocolo',
  'sem-solucao-de-captcha': 'falta captcha',
  'sem-contrato': 'sem contrato',
  'sem-conector': 'sem conector',
  'sem-sessao': 'sem sessão',
}

const circuitos = { fechado: 'fechado', aberto: 'aberto', 'em-teste': 'em teste' }

export function showFontes(fontes: readonly Fonte[], { ambiente, desligados, json }: Moldura): void {
  if (json) {
    console.log(JSON.stringify({ ambiente, fontes }, null, 2))
    return
  }
  const numbers = [
    ['Cons.', 'right'],
    ['Êxito', 'right'],
    ['Mediana', 'right'],
  ] as const
  const head = [
    'Fonte',
    'Rota',
    'Situação',
    'Certeza',
    'Captcha',
    'Circuito',
    ...numbers,
    'Último erro',
  ] as const
  if (fontes.length > 0) console.log(drawTable(head, fontes.map(rowOf)))
  const consultas = fontes.reduce((sum, { ultima_hora }) => sum + ultima_hora.consultas, 0)
  const ready = fontes.filter(({ situacao }) => situacao === 'disponivel').length
  say(
    `Modo ${modos[ambiente]}. Rotas: ${fontes.length}, disponíveis: ${ready}. Consultas na última hora: ${thousands(consultas)}.`,
  )
  sayStrange(fontes)
  sayMissing(fontes, desligados)
}

/** How many answers found nothing, which routes find too little, which pages show unknown labels. */
function sayStrange(fontes: readonly Fonte[]): void {
  const shares = fontes.flatMap(({ fonte, ultima_hora, dias_anteriores }) =>
    ultima_hora.taxa_vazias === null
      ? []
      : `${fonte} ${percent(ultima_hora.taxa_vazias)} (${percent(dias_anteriores.taxa_vazias) || 'sem dados'})`,
  )
  if (shares.length > 0) say('Respostas sem achado na última hora (nos 7 dias anteriores):')
  for (let at = 0; at < shares.length; at += 4) say(`  ${shares.slice(at, at + 4).join(', ')}`)
  for (const { fonte, acha_pouco, ultima_hora, dias_anteriores, rotulos_novos } of fontes) {
    if (acha_pouco)
      say(
        `${fonte}: acha pouco. Sem achado na última hora: ${percent(ultima_hora.taxa_vazias)}; nos 7 dias anteriores: ${percent(dias_anteriores.taxa_vazias)}.`,
      )
    for (const rotulo of rotulos_novos) say(`${fonte}: rótulo novo: "${rotulo}".`)
    if (ultima_hora.incompletas > 0)
      say(
        `${fonte}: ${ultima_hora.incompletas} de ${ultima_hora.sucessos} respostas da última hora sem algo que ela sempre traz.`,
      )
  }
}

function rowOf({
  fonte,
  rota,
  situacao,
  certeza,
  captcha,
  circuito,
  ultima_hora,
  ultimo_erro,
}: Fonte): string[] {
  const { consultas, taxa_sucesso, mediana_ms } = ultima_hora
  return [
    fonte,
    rota,
    situacoes[situacao],
    certeza,
    captchaWords(captcha),
    circuitos[circuito.estado],
    consultas === 0 ? '' : thousands(consultas),
    percent(taxa_sucesso),
    mediana_ms === null ? '' : `${thousands(mediana_ms)} ms`,
    ultimo_erro ? ultimo_erro.codigo || ultimo_erro.tipo : '',
  ]
}

const percent = (share: number | null): string => (share === null ? '' : `${Math.floor(share * 100)}%`)

/** An occasional captcha has a question mark. One that is drawn and not checked does not matter. */
function captchaWords({ tipo, quando }: Fonte['captcha']): string {
  if (quando === 'nunca' || quando === 'desenhado') return ''
  const short = tipo.startsWith('recaptcha') ? 'reCAPTCHA' : tipo
  return quando === 'as-vezes' ? `${short}?` : short
}

function sayMissing(fontes: readonly Fonte[], desligados: readonly string[]): void {
  const withCnd = new Set(fontes.filter(({ servico }) => servico === 'cnd').map(({ uf }) => uf))
  const without = [...new Set(fontes.map(({ uf }) => uf))].filter((uf) => uf !== 'BR' && !withCnd.has(uf))
  if (without.length > 0) say(`Sem rota de certidão (CND) nesta versão: ${without.join(', ')}.`)
  if (desligados.length > 0) say(`Ainda não ligados nesta versão: ${desligados.join(', ')}.`)
}
