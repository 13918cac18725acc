import { diasAte } from '../documento/dia.ts'
import { isCnpj } from '../documento/documento.ts'
import { collapse, fold } from '../platform/texto.ts'

/** The kinds of the federal certificate. The Internet issues no `positiva`; the counter does. */
export type EspecieFederal = 'negativa' | 'positiva_com_efeitos_de_negativa' | 'positiva'

export type CertidaoFederal = {
  status: EspecieFederal
  status_raw: string
  /** AAAA-MM-DD, Brasília time as printed. */
  emissao: string
  /** The last day, AAAA-MM-DD. It is read, never computed: a decree prolonged certificates in 2020. */
  validade: string
  protocolo: string
  pdf_base64: string
}

/** What the authority said in the place of a certificate. Nothing is charged for it. */
export type RecusaFederal = {
  status: 'positiva' | 'nao_contribuinte' | 'erro'
  /** The authority's own words. Those of an `erro` are never empty: ours, where it gave none. */
  dizeres: string
}

export type SituacaoFederal = {
  /** The stored certificate with the last day farthest away. */
  guardada: CertidaoGuardada | undefined
  emCurso: boolean
  /** When the authority last refused one. Undefined if it gave a certificate since. */
  recusadaEm: Date | undefined
  emitirNova: boolean
  /** Whether a route can issue while a certificate is valid. Only the portal can. */
  issuesNova: boolean
  agora: Date
}

export type CertidaoGuardada = {
  validade: string
  /** When the authority last gave this certificate, or one that ends earlier. */
  conferidaEm: Date
  emissao: EmissaoTerminada | undefined
}

export type EmissaoTerminada = {
  fim: Date
  /** A caller was told EM_PROCESSAMENTO, and nobody has got the certificate since. */
  anunciada: boolean
}

/** The next step of a call. After each step the situation is read again and decided anew. */
export type PassoFederal =
  | { passo: 'entregar'; modo: ModoFederal }
  | { passo: 'recusar' }
  /** No route can issue while a certificate is valid: PROVIDER_ERROR, with the last day that it has. */
  | { passo: 'sem-rota'; validade: string }
  | { passo: 'esperar' }
  /** The authority is asked for its certificate, and issues one if it has none (`emitir: 'se-preciso'`). */
  | { passo: 'perguntar' }
  | { passo: 'emitir' }

export type ModoFederal = 'consulta' | 'emissao'

const MINUTO_MS = 60_000
const DIA_MS = 24 * 60 * MINUTO_MS

/** Repeated calls for a new one get the same issuance so long (specification, federal CND, rule 2). */
const REPETIDA_MS = 15 * MINUTO_MS

/** A refusal stands so long, and so does what the authority said of a certificate that ends soon. */
const CONFERIDA_MS = 60 * MINUTO_MS

/** A caller who was told EM_PROCESSAMENTO comes back within a day, also if he wants a new one. */
const ANUNCIADA_MS = DIA_MS

/** "More than 3 days": from the fourth day on, by the calendar of Brasília. */
const DIAS_DE_SOBRA = 4

/** Specification, "Federal CND decision rules". */
export function decidePasso(situacao: SituacaoFederal): PassoFederal {
  const { guardada, emitirNova, recusadaEm, agora } = situacao
  const valida = guardada && diasAte(guardada.validade, agora) >= 0 ? guardada : undefined
  if (valida && isEnough(valida, emitirNova, agora)) return { passo: 'entregar', modo: modoOf(valida, agora) }
  if (situacao.emCurso) return { passo: 'esperar' }
  if (recusadaEm && isWithin(recusadaEm, CONFERIDA_MS, agora)) return { passo: 'recusar' }
  return decideToObtain(situacao, valida)
}

export const hasSobra = (validade: string, agora: Date): boolean => diasAte(validade, agora) >= DIAS_DE_SOBRA

function isEnough({ validade, emissao }: CertidaoGuardada, emitirNova: boolean, agora: Date): boolean {
  if (!emitirNova && hasSobra(validade, agora)) return true
  if (!emissao) return false
  return isWithin(emissao.fim, emissao.anunciada ? ANUNCIADA_MS : REPETIDA_MS, agora)
}

function modoOf({ emissao }: CertidaoGuardada, agora: Date): ModoFederal {
  const isNew = emissao && (emissao.anunciada || isWithin(emissao.fim, REPETIDA_MS, agora))
  return isNew ? 'emissao' : 'consulta'
}

function decideToObtain(
  { emitirNova, issuesNova, agora }: SituacaoFederal,
  valida: CertidaoGuardada | undefined,
): PassoFederal {
  if (emitirNova && issuesNova) return { passo: 'emitir' }
  if (!valida) return { passo: 'perguntar' }
  // The firm may have issued a newer one itself, so the authority is asked before one is issued or refused.
  const isConfirmed = emitirNova || isWithin(valida.conferidaEm, CONFERIDA_MS, agora)
  if (!isConfirmed) return { passo: 'perguntar' }
  return issuesNova ? { passo: 'emitir' } : { passo: 'sem-rota', validade: valida.validade }
}

/** One ahead of the clock counts as now, if by less than a day: the clock may have been set back. */
function isWithin(instante: Date, ms: number, agora: Date): boolean {
  const elapsed = agora.getTime() - instante.getTime()
  return elapsed <= ms && elapsed > -DIA_MS
}

export type DitoFederal = RecusaFederal | 'em-processamento' | 'falha'

type Sentido = RecusaFederal['status'] | 'em-processamento' | 'falha' | 'emitida'

type Frase = { sentido: Sentido; se: RegExp }

/** No message of the portal was longer. A page is. */
const LONGEST = 2_000
const LONGEST_RAW = 500

/** The CNPJ in a sentence, whole, masked or left out. No verb fits it, so no "não" hides in it. */
const DOC = '(?:CNPJ)?([0-9A-Z]{12}[0-9]{2}|[0-9X]{0,14})'

const ORGAOS =
  '(?:N?AS? |E |SECRETARIA |ESPECIAL |D[AO] |RECEITA |FEDERAL |BRASIL |RFB |PROCURADORIA |GERAL |FAZENDA |NACIONAL |PGFN )*'

/** Read in public clients of 2024 to 2026. Compared in capitals, without accents, spaces and punctuation. */
const frases: readonly Frase[] = [
  frase(
    'positiva',
    `AS INFORMACOES DISPONIVEIS ${ORGAOS}SOBRE O CONTRIBUINTE ${DOC} SAO INSUFICIENTES PARA (?:EMITIR A|A EMISSAO D[AE]) CERTIDAO`,
  ),
  // The status of the registration prevents it.
  frase(
    'positiva',
    `INSCRICAO NO CNPJ ${DOC} (?:INAPTA|BAIXADA|SUSPENSA|NULA)[0-9A-Z]{0,100}? EMISSAO DE CERTIDAO NAO PERMITIDA`,
  ),
  // A branch. The number after it is the head office's.
  frase('erro', 'A CERTIDAO DEVE SER EMITIDA PARA O CNPJ DA MATRIZ'),
  frase('nao_contribuinte', 'O NUMERO INFORMADO NAO CONSTA DO CADASTRO CNPJ'),
  frase('em-processamento', 'ESTAMOS ANALISANDO SEU PEDIDO DE EMISSAO DE CERTIDAO'),
  frase('em-processamento', 'RETORNE EM ALGUNS MINUTOS PARA O RESULTADO'),
  frase('falha', 'NAO FOI POSSIVEL CONCLUIR A ACAO PARA O CONTRIBUINTE INFORMADO'),
  frase('emitida', `A CERTIDAO FOI EMITIDA COM SUCESSO PARA O CNPJ`),
]

/** Makes a row. A word before the sentence may make it a condition, a denial or a quotation. */
function frase(sentido: Sentido, palavras: string): Frase {
  return { sentido, se: new RegExp(`(?<!SE|CASO|QUANDO|QUE|NAO)${palavras.replaceAll(' ', '')}`, 'g') }
}

/** Undefined if the words are unknown, name another CNPJ, or mean two things. */
export function recusaOf(dizeres: string, cnpj: string): DitoFederal | undefined {
  if (dizeres.length > LONGEST) return undefined
  const plain = collapse(dizeres)
  const glued = fold(plain).replace(/[^0-9A-Z]/g, '')
  const achadas = frases.flatMap(({ sentido, se }) =>
    [...glued.matchAll(se)].map(([, doc = '']) => ({ sentido, doc })),
  )
  const [first] = achadas
  if (!first || first.sentido === 'emitida') return undefined
  const { sentido } = first
  if (achadas.some((outra) => outra.sentido !== sentido || isOther(outra.doc, cnpj))) return undefined
  if (sentido === 'em-processamento' || sentido === 'falha') return sentido
  return { status: sentido, dizeres: plain.slice(0, LONGEST_RAW) }
}

/** Whether a whole number in the words is another CNPJ's. A masked or shortened one tells nothing. */
const isOther = (doc: string, cnpj: string): boolean => doc.length === cnpj.length && doc !== cnpj

const CNPJ = /(?<![0-9A-Z])[0-9A-Z]{2}\.?[0-9A-Z]{3}\.?[0-9A-Z]{3}\/?[0-9A-Z]{4}-?[0-9]{2}(?![0-9A-Z])/g

/** Words about a head office say nothing of a branch. */
export function namesOther(dizeres: string, cnpj: string): boolean {
  const written = dizeres.slice(0, LONGEST).toUpperCase().match(CNPJ) ?? []
  const nomeados = written.map((um) => um.replace(/[./-]/g, '')).filter(isCnpj)
  return nomeados.length > 0 && !nomeados.includes(cnpj)
}
