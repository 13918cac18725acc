import { type Content, type Html, html, url } from '../../platform/pages/html.ts'
import { membro, texto } from './json.ts'
import { type PerguntaDoPainel, perguntas } from './perguntas.ts'

/** A document of the simulator, for one endpoint. */
export type Exemplo = {
  endpoint: string
  valores: Readonly<Record<string, string>>
  nota: string
  /** What comes of it in one word: a code, the status of a certificate, or nothing for a plain answer. */
  espera: string
  http: number
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
  }
}

/** Of each question: a few that are answered well, then one of each other outcome. */
const MAIS = 7
const BOAS = 2

function choose(exemplos: readonly Exemplo[]): readonly Exemplo[] {
  const seen = new Set<string>()
  const good = exemplos.filter(({ http }) => http === 200).slice(0, BOAS)
  const others = exemplos.filter(({ espera, http }) => {
    const kind = `${http} ${espera}`
    return espera !== '' && !seen.has(kind) && seen.add(kind)
  })
  return [...new Set([...good, ...others])].slice(0, MAIS)
}

/** Documents that the simulator answers, in a fold: they fill the form in, and nothing is asked by them. */
export function drawExemplos(exemplos: readonly Exemplo[], base: string, nota: Content): Html | false {
  if (exemplos.length === 0) return false
  const seen = new Set<string>()
  const grupos = perguntas.flatMap((pergunta) => {
    if (seen.has(pergunta.endpoint)) return []
    seen.add(pergunta.endpoint)
    const chosen = choose(exemplos.filter(({ endpoint }) => endpoint === pergunta.endpoint))
    return chosen.length > 0 && pergunta.tipos[0] !== 'chave' ? [drawGrupo(pergunta, chosen, base)] : []
  })
  return html`<details class="cartao exemplos"><summary><h2>Documentos do simulador</h2> <span class="suave">fictícios, cada um responde de um jeito</span></summary><div class="grupos">${grupos}${nota}</div></details>`
}

const drawGrupo = ({ nome }: PerguntaDoPainel, exemplos: readonly Exemplo[], base: string): Html =>
  html`<div><h3>${nome}</h3><ul>${exemplos.map(({ valores, nota }) => {
    const { uf = '', cpf, cnpj, ie } = valores
    const documento = cnpj ?? cpf ?? ie ?? ''
    const query = new URLSearchParams({ documento, ...(uf && { uf }) })
    return html`<li><a href="${url(`${base}?${query}`)}">${nota || documento}</a>${uf && html` <span class="suave">${uf}</span>`}</li>`
  })}</ul></div>`
