import type { CampoDaConsulta, ConsultaDaApi } from './consulta.ts'

/** What a form sends: the values of its fields by their names, without the empty ones. */
export type Valores = Readonly<Record<string, string>>

/** The longest value of a field, in characters. */
export const MAIOR_VALOR = 200

/** A parameter as it is sent. A box is `true` or `false`, and never left out. */
export type Parametro = Pick<CampoDaConsulta, 'nome' | 'onde' | 'tipo'> & { valor: string | boolean }

/** What the API is asked for a lookup. */
export type PedidoDaPagina = {
  id: ConsultaDaApi['id']
  metodo: ConsultaDaApi['metodo']
  /** Path and query. */
  endereco: string
  /** What path, query and body are made of: every sample of code is written from them. */
  parametros: readonly Parametro[]
  cabecalhos: Readonly<Record<string, string>>
  /** The members of a JSON body; undefined for a GET. */
  corpo: Readonly<Record<string, string | boolean>> | undefined
}

/** Reads the fields of a lookup from what was sent. Documents lose the marks that people write them with. */
export function lerValores(campos: readonly CampoDaConsulta[], campoDe: (nome: string) => string): Valores {
  const lidos = campos.map(({ nome, formato, tipo }) => {
    const sent = campoDe(nome).trim().slice(0, MAIOR_VALOR)
    if (tipo === 'marca') return [nome, sent === '' ? '' : 'true']
    return [nome, formato === 'cpf' || formato === 'cnpj' || isDocumento(nome) ? semMascara(sent) : sent]
  })
  return Object.fromEntries(lidos.filter(([, value]) => value !== ''))
}

const isDocumento = (nome: string): boolean => nome === 'cpf' || nome === 'cnpj' || nome === 'chave'

const semMascara = (text: string): string => text.replace(/[\s./-]/g, '').toUpperCase()

/** What is asked of the API for these values. */
export function pedidoDe({ id, metodo, caminho, campos }: ConsultaDaApi, valores: Valores): PedidoDaPagina {
  const parametros = campos.flatMap((campo) => parametroDe(campo, valores))
  const em = (onde: Parametro['onde']) =>
    parametros.filter((one) => one.onde === onde).map(({ nome, valor }) => [nome, valor] as const)
  const query = new URLSearchParams(em('query').map(([nome, valor]): [string, string] => [nome, `${valor}`]))
  const path = em('path').reduce(
    (text, [nome, valor]) => text.replace(`{${nome}}`, emCaminho(String(valor))),
    caminho,
  )
  return {
    id,
    metodo,
    endereco: query.size === 0 ? path : `${path}?${query}`,
    parametros,
    cabecalhos: 'Cache-Control' in valores ? { 'cache-control': 'no-cache' } : {},
    corpo: metodo === 'POST' ? Object.fromEntries(em('body')) : undefined,
  }
}

/** A text that may be left out, and is empty, is not sent; an empty segment would be another path. */
function parametroDe({ nome, onde, tipo, obrigatorio }: CampoDaConsulta, valores: Valores): Parametro[] {
  const value = valores[nome]
  if (onde === 'header') return []
  if (tipo === 'marca') return [{ nome, onde, tipo, valor: value === 'true' }]
  if (onde === 'path') return [{ nome, onde, tipo, valor: /^\.*$/.test(value ?? '') ? '-' : (value ?? '') }]
  if (value === undefined && !(onde === 'body' && obrigatorio)) return []
  return [{ nome, onde, tipo, valor: value ?? '' }]
}

/** As it stands in an address between single quotes. */
const emCaminho = (text: string): string => encodeURIComponent(text).replace(/'/g, '%27')
