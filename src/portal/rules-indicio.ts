import type { Trecho } from './palavras.ts'
import type { Linha } from './rules-palavras.ts'

/**
 * The names that a paper gives itself, each at its first place. `efeitosDitos` is a sentence on its effects
 * ("este documento tem os mesmos efeitos da certidão negativa").
 */
export type Nomes = { efeitos?: Trecho; efeitosDitos?: Trecho; positiva?: Trecho; negativa?: Trecho }

/** How many characters before and after a name are read. */
const AROUND = 160

const NEGATIVA = '(?:CERTIDAO )?NEGATIV[AO]S?\\b'
const COM_EFEITOS = `\\bCOM (?:OS )?(?:MESMOS )?EFEITOS? (?:DE |DA )?${NEGATIVA}`

/**
 * A divided word may keep a space: `POSI TIVA`. Longer words with this end are other words ("dispositiva").
 */
const POSITIVA = '(?<!\\b(?:DIS|PRO|EX|IM|COM|DIA|SORO))P ?O ?S ?I ?T ?I ?V ?A(?!MENTE|D)'

/** Some words may stand between `positiva` and the effects (AL). */
const positivaComEfeitos = new RegExp(
  `^${POSITIVA} ?[,(-]? ?(?:(?!CERTID|POSITIV|NEGATIV|COM EFEITO)[A-Z0-9/,-]{1,20} ){0,12}[,(-]? ?${COM_EFEITOS}`,
)

const efeitos = new RegExp(`${COM_EFEITOS}|\\bNEGATIVA ?[,-]? ?COM EFEITOS? (?:DE )?POSITIVA`, 'g')
const efeitosDitos = new RegExp(
  `\\b(?:MESMOS|PRODUZ(?: OS)?|TEM(?: OS)?) EFEITOS (?:DE |DA |QUE A )?${NEGATIVA}`,
  'g',
)
const semEfeitos =
  /\b(?:SEM(?: OS)?|NAO(?: (?:TEM|POSSUI|PRODUZ|SURTE|GERA|E|SE TRATA DE)\b[A-Z ]{0,30})?) ?$/

/** A note speaks of another certificate: it uses an article, or says that it may be had. */
const artigo =
  /\b(?:A|AS|DA|DAS|NA|UMA|OUTRA|PELA)(?: REFERIDA)? CERTID(?:AO|OES)(?: (?!CERTID|NEGATIV|POSITIV)[A-Z]+){0,2} $/
const segueNota =
  /^ ?,? ?(?:(?:DE|DO|DOS|DAS) [A-Z ]{0,40})?(?:TEM ?(?:VALIDADE|PRAZO)|TERA|SERA|PODE|DEVE|NAO |E (?:EMITIDA|EXPEDIDA|CONCEDIDA|FORNECIDA)|QUANDO|NOS CASOS|NA HIPOTESE)/
const precedeNota =
  /\b(?:PODERA?|SERA|PARA|REQUERER|SOLICITAR|OBTER|EMISSAO)(?: (?:SER|OBTER|EMITIR|SOLICITAR|EMITIDA|EXPEDIDA|REQUERIDA|SOLICITADA|A|DE|UMA)){0,3} CERTIDAO(?: (?!CERTID|NEGATIV|POSITIV)[A-Z]+){0,2} $/

/** These mark a name with effects that was only asked for, stands in a list of kinds, or is denied. */
const pedido =
  /(?:PEDIDO|SERVICO|ASSUNTO|SOLICITACAO|REQUERIMENTO|CONSULTA)[^.:]{0,20}: ?(?:CERTIDAO )?$|NEGATIVA ?, ?(?:POSITIVA ?(?:,|E|OU) ?)?$|\b(?:PEDIDO DE|NAO SENDO POSSIVEL|NAO E POSSIVEL|SOLICITE|REQUEIRA|OBTENHA) (?:A )?CERTIDAO $/
const recusado =
  /^ ?[:?] ?NAO\b|^ ?,? ?(?:A|AS) ?(?:CERTID(?:AO|OES) ?)?(?:DE ?|EM ?)?QUE|^ ?(?:Nº ?[\d./-]+ ?)?(?:ANTERIOR|VENCID|CANCELAD|INDEFERID|NEGAD)/

/** A firm may be called Positiva. */
const nomeDeFirma =
  /(?:NOME|RAZAO SOCIAL|EMPRESARIAL)(?: ?\/ ?[A-Z ]{3,20})? ?:? ?(?:(?!CERTID)[A-Z0-9&.'-]+ ){0,5}$/
const fimDeFirma = /^(?: (?!CERTID)[A-Z0-9&.'-]+){0,6} (?:LTDA|S\.?\/?A\b|EIRELI|ME\b|MEI\b|EPP)/

/**
 * `Emissão de Certidão Negativa` and `Consulta Pública: Certidão Negativa` name the service, whatever the
 * outcome.
 */
const servico =
  /(?:\b(?:A|AS|DA|DAS|DE|NA|UMA|OUTRA|PELA|SUA|EMITIR|SOLICITAR|OBTER|REQUERER|CONSULTAR|IMPRIMIR) ?|(?:SERVICO|CONSULTA|PUBLICA|TRIBUTACAO|VIRTUAL|PORTAL|SISTEMA) ?: ?)$/

/**
 * Reads the names that a paper gives itself. Titles break over lines, and have numbers before, between and
 * after their words.
 */
export function readNomes(linha: Linha): Nomes {
  const { folded } = linha
  const achados = {
    efeitos: find(folded, efeitos, isComEfeitos),
    efeitosDitos: find(folded, efeitosDitos, isEfeitosDitos),
    positiva: find(folded, new RegExp(POSITIVA, 'g'), isPositiva),
    negativa: find(folded, /\bNEGATIVA\b/g, isNegativa),
  }
  return Object.fromEntries(Object.entries(achados).filter(([, found]) => found))
}

type Lugar = { before: string; found: string; after: string; rest: string }

function find(folded: string, wanted: RegExp, counts: (lugar: Lugar) => boolean): Trecho | undefined {
  for (const { index, 0: found } of folded.matchAll(wanted)) {
    const fim = index + found.length
    const before = folded.slice(Math.max(0, index - AROUND), index)
    const rest = folded.slice(index, index + 2 * AROUND)
    if (counts({ before, found, after: folded.slice(fim, fim + AROUND), rest })) return { inicio: index, fim }
  }
  return undefined
}

const isNota = (before: string, after: string): boolean =>
  precedeNota.test(before) ||
  /^ ?DE ?QUE ?TRATA/.test(after) ||
  (artigo.test(before) && segueNota.test(after))

/** The text before the whole name, so before its `positiva`. */
const nameBefore = (before: string): string =>
  before.replace(/POSITIVA ?[,(-]? ?(?:(?!CERTID|POSITIV)[A-Z0-9/,-]{1,20} ){0,12}[,(-]? ?$/, '')

const isEfeitosDitos = ({ before, after }: Lugar): boolean =>
  !semEfeitos.test(before) && !isNota(before, after) && !recusado.test(after)

function isComEfeitos(lugar: Lugar): boolean {
  const name = nameBefore(lugar.before)
  return (
    isEfeitosDitos({ ...lugar, before: name }) &&
    !semEfeitos.test(lugar.before) &&
    !artigo.test(name) &&
    !pedido.test(name)
  )
}

function isPositiva({ before, after, rest }: Lugar): boolean {
  if (positivaComEfeitos.test(rest) || /EFEITOS? (?:DE )?$/.test(before)) return false
  // This is a list of the kinds of certificates.
  if (/\bNEGATIVA ?(?:OU|E|\/) ?$/.test(before) || /^ ?(?:OU|E|\/) ?NEGATIVA\b/.test(after)) return false
  if (nomeDeFirma.test(before) && fimDeFirma.test(after)) return false
  return !isNota(before, after)
}

/** Whether the title says it (`CERTIDÃO … NEGATIVA`), or the word stands alone after a dash or a colon. */
function isNegativa({ before, after }: Lugar): boolean {
  if (/EFEITOS? (?:DE |DA |QUE A )?(?:CERTIDAO )?$/.test(before) || /^ ?[,-]? ?COM EFEITO/.test(after))
    return false
  if (/\bPOSITIVA ?(?:OU|E|\/) ?$/.test(before) || /^ ?(?:OU|E|\/) ?POSITIVA\b/.test(after)) return false
  if (/\b(?:SERA|SERIA|NAO(?: E)?) ?$/.test(before)) return false
  const at = before.lastIndexOf('CERTIDAO')
  if (at < 0) return /[-:(] ?$/.test(before)
  if (/[.;!?] |POSITIVA/.test(before.slice(at))) return /- ?$/.test(before)
  return !servico.test(before.slice(0, at))
}
