import { escapeXml } from '../platform/xml.ts'

/** An attribute list: ` nome="valor"`, in order; those undefined are left out. */
export type Atributos = Readonly<Record<string, string | undefined>>

/** One element with its content (HTML, or none for a void element). */
export function elemento(nome: string, atributos: Atributos, conteudo?: string): string {
  const escritos = Object.entries(atributos)
    .map(([chave, valor]) => (valor === undefined ? '' : ` ${chave}="${escapeXml(valor)}"`))
    .join('')
  return conteudo === undefined ? `<${nome}${escritos}>` : `<${nome}${escritos}>${conteudo}</${nome}>`
}

export const formulario = (atributos: Atributos, ...conteudo: readonly string[]): string =>
  elemento('form', { method: 'post', ...atributos }, conteudo.join('\n'))

/** A hidden input for each name, in order. */
export const ocultos = (valores: Readonly<Record<string, string>>): string =>
  Object.entries(valores)
    .map(([name, value]) => elemento('input', { type: 'hidden', name, value }))
    .join('\n')

export const entrada = (name: string, atributos: Atributos = {}): string =>
  elemento('input', { type: 'text', name, ...atributos })

export const botao = (name: string, value: string, atributos: Atributos = {}): string =>
  elemento('input', { type: 'submit', name, value, ...atributos })

export function selecao(
  name: string,
  opcoes: Readonly<Record<string, string>>,
  escolhida?: string,
  atributos: Atributos = {},
): string {
  const itens = Object.entries(opcoes).map(([value, texto]) =>
    elemento('option', { value, selected: value === escolhida ? 'selected' : undefined }, escapeXml(texto)),
  )
  return elemento('select', { name, ...atributos }, itens.join(''))
}

/** A label and its value, as a page shows them: plain text. */
export type Par = readonly [rotulo: string, valor: string]

export type EstiloDePares = {
  rotulo?: Atributos
  valor?: Atributos
  celulaDoRotulo?: 'td' | 'th'
  porLinha?: number
}

export function tabelaDePares(
  pares: readonly Par[],
  { rotulo = {}, valor = {}, celulaDoRotulo = 'td', porLinha = 1 }: EstiloDePares = {},
  atributos: Atributos = {},
): string {
  const celulas = pares.map(
    ([nome, texto]) =>
      elemento(celulaDoRotulo, rotulo, escapeXml(nome)) + elemento('td', valor, escapeXml(texto) || '&nbsp;'),
  )
  const linhas: string[] = []
  for (let i = 0; i < celulas.length; i += porLinha)
    linhas.push(`<tr>${celulas.slice(i, i + porLinha).join('')}</tr>`)
  return elemento('table', atributos, `\n${linhas.join('\n')}\n`)
}
