import { isCnpj } from '../documento/documento.ts'
import { collapse, fold } from '../platform/texto.ts'
import type { RecusaFederal } from './certidao.ts'

/** What the portal's words mean: a refusal, a certificate that is being made, or a failure that passes. */
export type DitoFederal = RecusaFederal | 'em-processamento' | 'falha'

/** `emitida` without a certificate is no answer, but it contradicts a refusal. */
type Sentido = RecusaFederal['status'] | 'em-processamento' | 'falha' | 'emitida'

type Frase = { sentido: Sentido; se: RegExp }

/** No message of the portal was longer. A page is. */
const LONGEST = 2_000
const LONGEST_RAW = 500

/** The CNPJ in a sentence, whole, masked or left out. No verb fits it, so no "não" hides in it. */
const DOC = '(?:CNPJ)?([0-9A-Z]{12}[0-9]{2}|[0-9X]{0,14})'

const ORGAOS =
  '(?:N?AS? |E |SECRETARIA |ESPECIAL |D[AO] |RECEITA |FEDERAL |BRASIL |RFB |PROCURADORIA |GERAL |FAZENDA |NACIONAL |PGFN )*'

/**
 * The portal's sentences, read in public clients of 2024 to 2026, some of its address that ended in 2026-08.
 * They stand in capitals without accents, and are compared without spaces and punctuation.
 */
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

/**
 * Reads the portal's message about a CNPJ, sent in the place of a certificate. Undefined if its words are
 * unknown, name another CNPJ, or mean two things.
 */
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

/** What may be a whole CNPJ, as it is written or by its characters alone. */
const CNPJ = /(?<![0-9A-Z])[0-9A-Z]{2}\.?[0-9A-Z]{3}\.?[0-9A-Z]{3}\/?[0-9A-Z]{4}-?[0-9]{2}(?![0-9A-Z])/g

/**
 * Whether the words name CNPJs, and all of them are others. Those about a head office say nothing of a
 * branch.
 */
export function nomeiaOutro(dizeres: string, cnpj: string): boolean {
  const written = dizeres.slice(0, LONGEST).toUpperCase().match(CNPJ) ?? []
  const nomeados = written.map((um) => um.replace(/[./-]/g, '')).filter(isCnpj)
  return nomeados.length > 0 && !nomeados.includes(cnpj)
}
