import { type Html, html, url } from '../../platform/pages/html.ts'
import type { Valores } from './consulta.ts'
import { membro, texto } from './consulta.ts'

export type Exemplo = {
  endpoint: string
  valores: Valores
  nota: string
  /** What comes of it in one word: a code, the status of a certificate, or nothing for a plain answer. */
  espera: string
  http: number
  /** The name of the test certificate that it wants, and its password. */
  certificado: string
  senha: string
}

/** Reads an entry of the simulator's list; undefined for what is none. */
export function readExemplo(entrada: unknown): Exemplo | undefined {
  const endpoint = texto(membro(entrada, 'endpoint'))
  const envio = membro(entrada, 'envio')
  const sent = { ...Object(membro(entrada, 'parametros')), ...Object(membro(envio, 'corpo')) }
  const espera = membro(entrada, 'espera')
  if (endpoint === '') return undefined
  return {
    endpoint,
    valores: Object.fromEntries(Object.entries(sent).map(([nome, value]) => [nome, String(value)])),
    nota: texto(membro(entrada, 'nota')),
    espera:
      texto(membro(espera, 'error_code')) ||
      texto(membro(espera, 'source_error')) ||
      texto(membro(espera, 'status')),
    http: Number(membro(espera, 'http')),
    certificado: texto(membro(envio, 'certificado')),
    senha: texto(membro(envio, 'senha')),
  }
}

const A_VISTA = 6
const MAIS = 60

const BOAS = 3

/** Some good answers, then one of each other outcome: who tries wants to see what differs. */
function choose(exemplos: readonly Exemplo[]): readonly Exemplo[] {
  const seen = new Set<string>()
  const good = exemplos.filter(({ http }) => http === 200).slice(0, BOAS)
  const others = exemplos.filter(({ espera, http }) => {
    const kind = `${http} ${espera}`
    return espera !== '' && !seen.has(kind) && seen.add(kind)
  })
  return [...new Set([...good, ...others, ...exemplos])]
}

/** Links that fill the form in; nothing is asked and nothing is spent by them. */
export function drawExemplos(exemplos: readonly Exemplo[], endereco: string): Html | false {
  if (exemplos.length === 0) return false
  const chosen = choose(exemplos)
  const rest = chosen.slice(A_VISTA, MAIS)
  return html`<section class="cartao exemplos" aria-labelledby="exemplos"><header><h2 id="exemplos">Documentos do simulador</h2></header><p class="suave">Fictícios, e cada um responde de um jeito. Um toque preenche o formulário; nada é consultado ainda.</p>${drawLista(chosen.slice(0, A_VISTA), endereco)}${
    rest.length > 0 &&
    html`<details><summary>Mais ${rest.length} para experimentar</summary>${drawLista(rest, endereco)}</details>`
  }</section>`
}

const drawLista = (exemplos: readonly Exemplo[], endereco: string): Html =>
  html`<ul>${exemplos.map(
    ({ valores, nota, espera }) =>
      html`<li><a href="${url(`${endereco}?${new URLSearchParams(valores)}#consultar`)}">${nota || Object.values(valores).join(' ')}</a>${
        espera !== '' && html` <span class="suave">${espera}</span>`
      }</li>`,
  )}</ul>`

type NotaDeTeste = {
  chave: string
  senha: string
  endereco: string
  arquivo: string
}

export const drawNotaDeTeste = ({ chave, senha, endereco, arquivo }: NotaDeTeste): Html =>
  html`<section class="cartao exemplos" aria-labelledby="teste"><header><h2 id="teste">Para experimentar sem um certificado</h2></header><ol class="como-testar"><li><a href="${url(`${endereco}?chave=${encodeURIComponent(chave)}#consultar`)}">Preencher a chave da nota fictícia</a></li><li><a href="${url(arquivo)}" download="">Baixar o certificado de teste</a>, e escolhê-lo no formulário</li><li>A senha dele: <code>${senha}</code></li></ol><p class="suave">São do simulador: não valem em lugar nenhum.</p></section>`
