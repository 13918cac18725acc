import type { CampoDaConsulta, ConsultaDaApi } from './consulta.ts'

/** What a form sends: the values of its fields by their names, without the empty ones. */
export type Valores = Readonly<Record<string, string>>

/** The longest value of a field, in characters. */
export const MAIOR_VALOR = 200

/** What the API is asked for a lookup. */
export type PedidoDaPagina = {
  metodo: ConsultaDaApi['metodo']
  /** Path and query. */
  endereco: string
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
export function pedidoDe({ metodo, caminho, campos }: ConsultaDaApi, valores: Valores): PedidoDaPagina {
  const query = new URLSearchParams()
  const cabecalhos: Record<string, string> = {}
  const corpo: Record<string, string | boolean> = {}
  let path = caminho
  for (const { nome, onde, tipo } of campos) {
    const value = valores[nome]
    if (onde === 'path') path = path.replace(`{${nome}}`, emCaminho(value ?? ''))
    else if (onde === 'body') corpo[nome] = tipo === 'marca' ? value === 'true' : (value ?? '')
    else if (value === undefined) continue
    else if (onde === 'query') query.set(nome, value)
    else if (nome === 'Cache-Control') cabecalhos['cache-control'] = 'no-cache'
  }
  const search = query.toString()
  return {
    metodo,
    endereco: search === '' ? path : `${path}?${search}`,
    cabecalhos,
    corpo: metodo === 'POST' ? corpo : undefined,
  }
}

/** A segment of a path: an empty one, and one of dots, would be another path. */
const emCaminho = (text: string): string =>
  /^\.*$/.test(text) ? '-' : encodeURIComponent(text).replace(/'/g, '%27')
