import {
  apresentarCertidao,
  apresentarCertidaoDoEstado,
  apresentarCertidoesTodos,
} from '../../certidao/apresentacao.ts'
import { apresentarCnpj } from '../../cnpj/apresentacao.ts'
import { findUf, unidades } from '../../documento/uf.ts'
import { apresentarCertidaoFederal } from '../../federal/apresentacao.ts'
import {
  apresentarInscricoes,
  apresentarInscricoesDoEstado,
  apresentarInscricoesTodos,
  fatoDoDocumento,
} from '../../inscricao/apresentacao.ts'
import { apresentarNfeXml } from '../../nfe/apresentacao.ts'
import {
  type Apresentacao,
  type Apresentar,
  type ApresentarEstado,
  ditos,
} from '../../platform/pages/apresentacao.ts'
import { findEntry, markup } from '../../platform/pages/erros-textos.ts'
import { countOf, formatNumero, semOperador } from '../../platform/pages/formatos.ts'
import { type Content, html, url } from '../../platform/pages/html.ts'
import { trusted } from '../../platform/trusted.ts'
import { apresentarCnir, apresentarSigef } from '../../rural/apresentacao.ts'
import { apresentarPerfil } from '../../rural/apresentacao-perfil.ts'
import type { PainelRoom } from '../sala.ts'
import { type EntradaDoPainel, findPergunta } from './perguntas.ts'

/** What the API answered, and what it cost. */
export type Respondida = {
  http: number
  corpo: unknown
  request_id: string
  /** The credits that it cost; undefined where the answer does not say, as that of one who left. */
  cobrados: number | undefined
  /** Seconds until it may be repeated with hope. */
  retryS: number | undefined
  /** The month of the monthly base that answered, AAAA-MM. */
  base?: string | undefined
  ms: number
}

/** A question that was asked, with its answer: what is kept, and what a page of it is drawn from. */
export type Feita = {
  pergunta: string
  entrada: EntradaDoPainel
  respondida: Respondida
  /** Of a question to all states: the calls that asked some of them again, and what each cost. */
  refeitas: readonly { uf: string; request_id: string; cobrados: number }[]
}

/** What was asked, and where: Certidão estadual · Rio Grande do Sul. */
export const assuntoDe = ({ pergunta }: Feita, { onde }: Apresentacao): string =>
  [findPergunta(pergunta)?.nome, onde].filter(Boolean).join(' · ')

/** `restantes`: what the account has now, which other calls may have changed since. */
export const custoDe = (feita: Feita, restantes: number, guardada: boolean): Content =>
  html`${precoPago(feita)} <small>${guardada && 'a reaproveitada custa o mesmo · '}saldo agora ${formatNumero(restantes)}</small>`

export function precoPago({ respondida, refeitas }: Feita): string {
  if (respondida.http === 200 && respondida.cobrados === undefined)
    return 'só o que chegou, e o registro diz quanto'
  const all = refeitas.reduce((sum, one) => sum + one.cobrados, respondida.cobrados ?? 0)
  return all === 0 ? 'Nada foi cobrado' : countOf(all, 'crédito', 'créditos')
}

/** Who says in people's words what an endpoint answered. */
export const apresentadores: Readonly<Record<string, Apresentar>> = {
  '/api/consultar': apresentarInscricoes,
  '/api/consultar-ie-todos': apresentarInscricoesTodos,
  '/api/consultar-cnd': apresentarCertidao,
  '/api/consultar-cnd-todos': apresentarCertidoesTodos,
  '/api/consultar-cnd-federal': apresentarCertidaoFederal,
  '/api/consultar-cnpj': apresentarCnpj,
  '/api/consultar-cnir': apresentarCnir,
  '/api/consultar-sigef': apresentarSigef,
  '/api/perfil-produtor': apresentarPerfil,
  '/api/consultar-nfe-xml': apresentarNfeXml,
}

/** Who says what one of all states answered, while the others are still asked. */
export const doEstado: Readonly<Record<string, ApresentarEstado>> = {
  '/api/consultar-ie-todos': apresentarInscricoesDoEstado,
  '/api/consultar-cnd-todos': apresentarCertidaoDoEstado,
}

export function apresentar({ pergunta: id, entrada, respondida }: Feita, agora: Date): Apresentacao {
  if (respondida.http !== 200) return apresentarFalha(respondida, entrada)
  const present = apresentadores[findPergunta(id)?.endpoint ?? '']
  if (!present) throw new Error(`nobody presents what ${id} answers`)
  return present(respondida.corpo, agora)
}

/** What a SEFAZ did that gave no answer, by the words of its failure; else `senao`. */
const oQueHouve = (motivo: string, senao: string): string =>
  feitos.find(([words]) => words.test(motivo))?.[1] ?? senao

const feitos: readonly (readonly [RegExp, string])[] = [
  [/não respondeu|não atendeu/, 'não respondeu'],
  [/fora do ar|paralisad/, 'está fora do ar'],
  [/com (?:o |um )?erro\b|página de erro/, 'está com erro'],
  [/recus|bloque/, 'recusou a consulta'],
  [/captcha/, 'pediu um captcha'],
  [/respondeu algo que não é a resposta/, 'mandou uma página que não é a resposta'],
]

/** What a refusal or a failure says: its own words, and what to do. */
function apresentarFalha({ corpo, retryS }: Respondida, entrada: EntradaDoPainel): Apresentacao {
  const uf = findUf(entrada.uf)
  const codigo = texto(membro(corpo, 'error_code'))
  const motivo = semOperador(texto(membro(corpo, 'detail')))
  const isDita = /[Tt]ente de novo em/.test(motivo)
  const isDoCcc = motivo.startsWith(CCC_CALADO)
  return {
    tom: 'ruim',
    veredito:
      uf && (codigo === 'SITE_INDISPONIVEL' || codigo === 'PROCESSAMENTO_FALHOU')
        ? isDoCcc
          ? 'O cadastro nacional não respondeu'
          : `A SEFAZ-${uf} ${codigo === 'PROCESSAMENTO_FALHOU' ? oQueHouve(motivo, 'não deu a resposta esperada') : membro(corpo, 'retryable') === true ? oQueHouve(motivo, 'não respondeu') : 'não é consultada por aqui'}`
        : texto(membro(corpo, 'title')) || 'A consulta falhou',
    nome: '',
    ...(uf && { onde: unidades[uf].nome }),
    // Its page is the button beside the verdict, and its cost is a fact.
    frase: html`${drawMotivo(
      motivo
        .replace(NO_VEREDITO, '')
        .replace(NA_PAGINA, '')
        .replace(/ ?Nada foi cobrado\.$/, ''),
    )}${conselho(codigo, corpo)}`,
    fatos: ditos([
      ...(entrada.tipo === 'chave' ? [] : [fatoDoDocumento(entrada.tipo, entrada.documento, uf)]),
      { rotulo: 'Vale repetir', valor: retryS !== undefined && !isDita && `em ${formatNumero(retryS)} s` },
    ]),
    partes: [],
  }
}

/** How a failure begins that is of the national register, and not of the state that is asked through it. */
const CCC_CALADO = 'O cadastro nacional (CCC) não respondeu.'

/** What the verdict says already. */
const NO_VEREDITO =
  /^(?:A SEFAZ-[A-Z]{2} respondeu algo que não é a resposta do serviço|O cadastro nacional \(CCC\) não respondeu)\. ?/

const PAGINA = /página dela \((https?:\/\/[^\s()]+)\)/

const NA_PAGINA = / Consulte na página dela \([^\s()]+\)\./

/** Why nothing came, of a whole answer or of the one source in it; undefined where it came. */
export function falhaDe({ http, corpo }: Respondida) {
  const dita = http === 200 ? membro(corpo, 'source_status') : corpo
  if (!dita || membro(dita, 'status') === 'success') return undefined
  const codigo = texto(membro(dita, 'error_code'))
  // What was not understood may be by the next time, though nobody can say when.
  const isDeNovo =
    membro(dita, 'retryable') === true || ['PROCESSAMENTO_FALHOU', 'PROVIDER_ERROR'].includes(codigo)
  return { isDeNovo, pagina: paginaEm(texto(membro(dita, 'error_message'))) }
}

/** The address of the authority's own page, where the reason of a failure names it. */
const paginaEm = (motivo: string): string | undefined => PAGINA.exec(motivo)?.[1]

/** A reason as people read it: an address is a link, and the number of an HTTP status is left out. */
export const drawMotivo = (motivo: string): Content =>
  motivo
    .replace(/ \(HTTP \d+\)/, '')
    .replace(/o (erro) HTTP \d+/, '$1')
    .split(PAGINA)
    .map((one, at) => (at % 2 === 0 ? one : html`<a href="${url(one)}" rel="noreferrer">página dela</a>`))

function conselho(codigo: string, corpo: unknown): Content {
  const entry = findEntry(codigo)
  const motivos = lista(membro(corpo, 'errors')).map((one) => texto(membro(one, 'reason')))
  return [
    motivos.length > 1 && html`<ul>${motivos.map((one) => html`<li>${one}</li>`)}</ul>`,
    // What names a parameter is for programmers, who find it by the code.
    entry && !entry.action.includes('`') && html`<p>${markup(entry.action)}</p>`,
  ]
}

/** A member of a JSON value that is an object; undefined for all others. */
export const membro = (value: unknown, nome: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, nome)
    ? Reflect.get(value, nome)
    : undefined

export const texto = (value: unknown): string => (typeof value === 'string' ? value : '')

export const lista = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/**
 * Its PDFs apart, until `ate` at most. False where the account keeps no answers, this one is too large, or
 * it could not be written: it is paid by then, and is shown all the same.
 */
export async function keepFeita(
  { guardadas, log }: Pick<PainelRoom, 'guardadas' | 'log'>,
  conta_id: string,
  feita: Feita,
  ate?: Date,
): Promise<boolean> {
  const { corpo, papeis } = splitPapeis(feita.respondida.corpo)
  const texto = JSON.stringify({ ...feita, respondida: { ...feita.respondida, corpo } })
  const { request_id } = feita.respondida
  const partes = [
    { parte: '', conteudo: Buffer.from(texto) },
    ...[...papeis].map(([parte, conteudo]) => ({ parte, conteudo })),
  ]
  try {
    return await guardadas.keep({ conta_id, request_id }, partes, ate)
  } catch (err) {
    log.error({ err, request_id }, 'an answer was not kept')
    return false
  }
}

export async function findFeita(
  { guardadas }: Pick<PainelRoom, 'guardadas'>,
  dona: { conta_id: string; request_id: string },
): Promise<{ feita: Feita; ate: Date } | undefined> {
  const found = await guardadas.find(dona, '')
  // Proven by the seal: `keepFeita` alone makes one of this purpose.
  return found && { feita: trusted<Feita>(JSON.parse(found.conteudo.toString())), ate: found.ate }
}

/** The answer of one state as the API gave it, with its paper. */
export async function findInteira(
  room: Pick<PainelRoom, 'guardadas'>,
  dona: { conta_id: string; request_id: string },
): Promise<Feita | undefined> {
  const found = await findFeita(room, dona)
  const papel = found && (await room.guardadas.find(dona, 'certidao'))
  if (!found || !papel) return found?.feita
  const { respondida } = found.feita
  return { ...found.feita, respondida: { ...respondida, corpo: joinPapel(respondida.corpo, papel.conteudo) } }
}

/** The answers of an account that were asked for last. */
export async function lastFeitas(
  { guardadas }: Pick<PainelRoom, 'guardadas'>,
  conta_id: string,
  most: number,
): Promise<readonly Feita[]> {
  const rows = await guardadas.last(conta_id, most)
  // Proven by the seal, as above.
  return rows.map(({ conteudo }) => trusted<Feita>(JSON.parse(conteudo.toString())))
}

/** The members of an answer that are a PDF in base64. */
const PDFS = ['pdf_base64', 'impressao_base64']

/** So much of a PDF stays in its answer. */
export const NO_CORPO = 40

/** Takes the PDFs out of an answer: what is left is short enough to be read for each page of it. */
function splitPapeis(corpo: unknown): { corpo: unknown; papeis: ReadonlyMap<string, Buffer> } {
  const papeis = new Map<string, Buffer>()
  const walk = (value: unknown, uf: string): unknown => {
    if (Array.isArray(value)) return value.map((one) => walk(one, uf))
    if (typeof value !== 'object' || value === null) return value
    const own = texto(membro(value, 'uf')) || uf
    return Object.fromEntries(
      Object.entries(value).map(([nome, one]) => {
        if (!PDFS.includes(nome) || typeof one !== 'string' || one.length <= NO_CORPO)
          return [nome, walk(one, own)]
        papeis.set(parteDe(own, corpo), Buffer.from(one, 'base64'))
        return [nome, `${one.slice(0, NO_CORPO - 1)}…`]
      }),
    )
  }
  return { corpo: walk(corpo, ''), papeis }
}

/** Puts the one paper of an answer back where it was cut. */
const joinPapel = (corpo: unknown, papel: Buffer): unknown =>
  JSON.parse(JSON.stringify(corpo), (nome: string, value: unknown) =>
    PDFS.includes(nome) && typeof value === 'string' && value.endsWith('…')
      ? papel.toString('base64')
      : value,
  )

/** The certificate of one state is that of its answer; of many, each is named by its state. */
const parteDe = (uf: string, corpo: unknown): string =>
  membro(corpo, 'uf') === uf || uf === '' ? 'certidao' : uf
