import { codigosUf } from '../documento/uf.ts'
import { atributosDe, conferirTexto, ehFolha, semTexto } from '../platform/area.ts'
import type { Chamador } from '../platform/autoridade.ts'
import type { Elemento } from '../platform/xml.ts'
import type { TpAmb } from './ambiente-nacional.ts'
import { FORMATO_DA_CHAVE } from './nacional-chave.ts'

/** The interested party, and the question: a key, one NSU, or the documents after an NSU. */
export type Consulta = {
  tpAmb: TpAmb
  interessado: Pick<Chamador, 'tipo' | 'documento'>
  por: 'chNFe' | 'NSU' | 'ultNSU'
  /** The key, or 15 digits. */
  valor: string
}

/** A query that is right in form, or the code of its rejection. */
export type Leitura = Consulta | { cStat: number }

const MAXIMO = 10 * 1024
const VERSAO = '1.01'

const codigos: readonly string[] = Object.values(codigosUf)

/**
 * Checks the data area of a distDFeInt 1.01, `elementos` (distDFeInt_v1.01.xsd; NT 2014.002 v1.21, 3.8): 214,
 * 215, 404, 238, 239. The table has neither 587 nor 588, which the manual checks in every message; here they
 * come with 404.
 */
export function lerDistDFeInt(area: string, elementos: readonly Elemento[]): Leitura {
  if (Buffer.byteLength(area) > MAXIMO) return { cStat: 214 }
  const [raiz] = elementos
  const consulta = raiz && elementos.length === 1 ? lerRaiz(raiz) : undefined
  if (!raiz || !consulta) return { cStat: 215 }
  const cStat = conferirTexto(area, elementos)
  if (cStat) return { cStat }
  const versao = raiz.atributos.versao ?? ''
  if (versao === VERSAO) return consulta
  return { cStat: Number(versao) > Number(VERSAO) ? 238 : 239 }
}

function lerRaiz(raiz: Elemento): Consulta | undefined {
  if (raiz.nome !== 'distDFeInt' || !semTexto(raiz) || atributosDe(raiz).join() !== 'versao') return undefined
  const [tpAmb, ...depois] = raiz.filhos
  const comUf = depois[0]?.nome === 'cUFAutor'
  const [quem, pedido, ...resto] = comUf ? depois.slice(1) : depois
  if (!tpAmb || !quem || !pedido || resto.length > 0) return undefined
  const folhas = [tpAmb, quem, ...(comUf ? depois.slice(0, 1) : [])]
  if (!folhas.every(ehFolha) || tpAmb.nome !== 'tpAmb' || !isTpAmb(tpAmb.texto)) return undefined
  if (comUf && !codigos.includes(depois[0]?.texto ?? '')) return undefined
  const interessado = lerInteressado(quem)
  const pergunta = lerPergunta(pedido)
  return interessado && pergunta && { tpAmb: tpAmb.texto, interessado, ...pergunta }
}

const isTpAmb = (texto: string): texto is TpAmb => texto === '1' || texto === '2'

/**
 * A CNPJ may hold letters since 2026-07 (NT Conjunta 2025.001). The newest published schema,
 * tiposDistDFe_v1.01.xsd of PL_010 V1.30, takes digits only; the scenario `letras-215` follows it.
 */
function lerInteressado({ nome, texto }: Elemento): Consulta['interessado'] | undefined {
  if (nome === 'CNPJ' && /^[0-9A-Z]{12}\d{2}$/.test(texto)) return { tipo: 'cnpj', documento: texto }
  return nome === 'CPF' && /^\d{11}$/.test(texto) ? { tipo: 'cpf', documento: texto } : undefined
}

const PERGUNTAS = [
  { nome: 'consChNFe', por: 'chNFe', formato: FORMATO_DA_CHAVE },
  { nome: 'consNSU', por: 'NSU', formato: /^\d{15}$/ },
  { nome: 'distNSU', por: 'ultNSU', formato: /^\d{15}$/ },
] as const

function lerPergunta(pedido: Elemento): Pick<Consulta, 'por' | 'valor'> | undefined {
  const pergunta = PERGUNTAS.find(({ nome }) => nome === pedido.nome)
  const [valor, ...resto] = pedido.filhos
  if (!pergunta || !valor || resto.length > 0 || atributosDe(pedido).length > 0) return undefined
  const certa = semTexto(pedido) && ehFolha(valor) && valor.nome === pergunta.por
  return certa && pergunta.formato.test(valor.texto) ? { por: pergunta.por, valor: valor.texto } : undefined
}
