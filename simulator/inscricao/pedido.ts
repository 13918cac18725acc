import { isUf } from '../documento/inscricao-estadual.ts'
import type { Uf } from '../documento/molde.ts'
import { atributosDe, conferirTexto, ehFolha, semTexto } from '../platform/area.ts'
import { type Elemento, percorrer } from '../platform/xml.ts'

/** What a ConsCad asks: one taxpayer by one number, in one state. */
export type Consulta = { uf: Uf | 'SU'; campo: 'CNPJ' | 'CPF' | 'IE'; numero: string }

/**
 * What was read of a request: the query when it is right, else the code of its rejection and what could be
 * read.
 */
export type Leitura = Consulta | { cStat: number; lido: Partial<Consulta> }

const formatos = {
  // Letters since 2026-07 (NT Conjunta 2025.001; the newest published schema of ConsCad 2.00, PL_010 V1.30).
  CNPJ: /^(?:\d{3,14}|[A-Z0-9]{12}\d{2})$/,
  CPF: /^\d{3,11}$/,
  IE: /^(?:\d{2,14}|ISENTO)$/,
} as const

/**
 * Checks the data area of a ConsCad 2.00 in the order 404, 587, 588, 516, 517, 239, 215 (MOC, "Validação da
 * Área de Dados" and leiauteConsultaCadastro_v2.00.xsd; that the specific codes come before 215 is assumed).
 * `area` is the text between the tags of nfeDadosMsg, `elementos` what it holds.
 */
export function lerConsCad(area: string, elementos: readonly Elemento[]): Leitura {
  const todos = elementos.flatMap(percorrer)
  const lido = lerPossivel(todos)
  const cStat = conferirTexto(area, elementos) ?? conferirRaiz(elementos)
  if (cStat) return { cStat, lido }
  return lerEsquema(elementos) ?? { cStat: 215, lido }
}

function conferirRaiz([raiz, ...resto]: readonly Elemento[]): number | undefined {
  if (raiz?.nome !== 'ConsCad' || resto.length > 0) return 516
  const { versao } = raiz.atributos
  if (versao === undefined) return 517
  return versao.trim() === '2.00' ? undefined : 239
}

function lerEsquema([raiz]: readonly Elemento[]): Consulta | undefined {
  const infCons = raiz?.filhos[0]
  if (!raiz || !infCons || infCons.nome !== 'infCons' || raiz.filhos.length > 1) return undefined
  const [xServ, uf, argumento, ...resto] = infCons.filhos
  const ordem = xServ?.nome === 'xServ' && uf?.nome === 'UF' && argumento !== undefined && resto.length === 0
  const folhas = infCons.filhos.every(ehFolha)
  const soltos = atributosDe(infCons).length > 0 || !semTexto(raiz) || !semTexto(infCons)
  if (!ordem || !folhas || soltos || xServ.texto !== 'CONS-CAD') return undefined
  const { nome: campo, texto: numero } = argumento
  const sigla = uf.texto.trim()
  if (!isCampo(campo) || !formatos[campo].test(numero) || !(isUf(sigla) || sigla === 'SU')) return undefined
  return { uf: sigla, campo, numero }
}

const isCampo = (nome: string): nome is Consulta['campo'] => Object.hasOwn(formatos, nome)

/** The parts of a wrong message that a rejection can repeat. */
function lerPossivel(todos: readonly Elemento[]): Partial<Consulta> {
  const lido: Partial<Consulta> = {}
  for (const { nome, texto } of todos) {
    if (nome === 'UF' && isUf(texto)) lido.uf = texto
    if (!isCampo(nome) || !formatos[nome].test(texto)) continue
    lido.campo = nome
    lido.numero = texto
  }
  return lido
}
