import type { Linha, Trecho } from './rules-palavras.ts'

const NAO_PAGO = '(?:PAGO|PAGA(?!MENTO|R|VEL)|RECOLHID|QUITAD|LIQUIDAD|ADIMPLID)'
const EM_ATRASO = '(?:RESCINDID|CANCELAD|INADIMPLID|DESCUMPRID|VENCID|EM ATRASO|ATRASAD|INTERROMPID)'

/** Words about a debtor that name no debt. Words may come glued, so every space may be missing. */
const ditos = [
  `DEIXOU DE (?:RECOLHER|PAGAR|QUITAR|ENTREGAR|APRESENTAR|DECLARAR|CUMPRIR)`,
  `NAO (?:FOI |FORAM |AINDA )?${NAO_PAGO}`,
  `NAO (?:PAGOU|RECOLHEU|QUITOU|COMPROVOU|ENTREGOU|(?:FOI|FORAM) COMPROVAD)`,
  `(?:NAO HOUVE|NAO CONSTAM?|FALTA DE|AUSENCIA DE) (?:O |OS )?(?:REGISTRO DE )?(?:PAGAMENTO|RECOLHIMENTO|QUITACAO)`,
  `\\b(?:OMISSO|OMISSA|OMISSAO DE) `,
  `PARCELAMENTOS? (?:Nº ?)?(?:[\\d./-]+ )?(?:COM PARCELAS? )?${EM_ATRASO}|PARCELAS? ${EM_ATRASO}`,
  `PROTESTAD[AO]|OBJETO DE PROTESTO|PROTESTOS? :`,
  `INSCRIT[AO]S? (?:EM|NA) DIVIDA ATIVA (?:D[AO] [A-Z]{1,20} )?SOB`,
  `(?:ESTA|ENCONTRA ?- ?SE|FOI|SE ENCONTRA) INSCRIT[AO] (?:EM|NA) DIVIDA ATIVA|INSCRICAO EM DIVIDA ATIVA Nº`,
  `(?:\\bHA|EXISTEM?|CONSTAM?|POSSUI|APRESENTA|\\bCOM) (?:[A-Z]{1,20}\\s){0,2}(?:RESTRIC(?:AO|OES)|EXECUC(?:AO|OES) FISCA|CREDITOS? TRIBUTARIOS?|AUTOS? DE INFRACAO)`,
  `(?:INSCRIT[AO]|INCLUID[AO]|CONSTA) (?:NO|DO) CADIN|CONSTA (?:NO|EM|DO) CADASTRO DE (?:DEVEDOR|INADIMPL)`,
  `\\bEM MORA\\b|EM SITUACAO DE INADIMPL|DEBITOS? (?:AJUIZAD|SUB JUDICE)|EM COBRANCA JUDICIAL|DESFAVORAVEL`,
  `REGULARIZE|(?:FALTA|PARA) REGULARIZAR|SEM REGULARIDADE FISCAL|NAO CUMPRIU|DESCUMPRIU|FORAM APURAD[AO]S (?:DEBITO|PENDENCIA)`,
  `PARCELAS? EM ABERTO|IMPEDIMENTOS? : (?:SIM|0?[1-9])|PENDENCIAS? : (?:FALTA|ENTREGA)|(?:GIA|EFD|DECLARACAO) EM ATRASO`,
  `(?:SITUACAO|STATUS) : (?:DEBITO|INSCRIT|PENDENTE|EM COBRANCA)`,
  `\\bRESPONDE A (?:EXECUCAO|PROCESSO|COBRANCA)`,
  `\\bDEVE (?:(?:A|AO|O) (?:FAZENDA|ESTADO|FISCO)|ICMS|IPVA|ITCD|ITCMD|R ?\\$)`,
  `CREDITOS? TRIBUTARIOS? (?:[A-Z]{1,20}\\s){0,3}(?:EM ABERTO|EXIGIVE|VENCID)|LANCAMENTOS? EM ABERTO`,
  `(?:\\bESTA|\\bESTAO|ENCONTRA ?- ?SE|SITUACAO (?:FISCAL |TRIBUTARIA )?:) PENDENTE|PENDENTE DE (?:PAGAMENTO|REGULARIZACAO)`,
  `NAO E POSSIVEL CERTIFICAR|SUJEIT[AO] A COBRANCA|NEGATIVAD[AO]`,
  `(?:RESULTADO|SITUACAO)(?:\\s[A-Z]{1,20}){0,3} : POSITIV[AO]`,
  `(?<!IN)EXISTENCIA DE (?:DEBITO|PENDENCIA|DIVIDA)(?!S? OU (?:NAO|INEXIST))`,
  `PROCESSOS? DE EXECUCAO|EXECUC(?:AO|OES) EM CURSO|DEBITOS? DO CONTRIBUINTE : (?!NAO|NENHUM|NADA|0|INEXIST|SEM )`,
  `CERTIDAO POSIT(?!IV)|CERTIDAO POSTIV|CERTIDAO POSITIVO|\\bCPD Nº|DEBITOS? CONSTANTES? EM NOME`,
]

/** What a rasure would do says nothing of this certificate. */
const TORNA = String.raw`(?<!\bTORNA(?:M|RA|RAO)? ?(?:(?:A|O|ESTA|ESTE) )?)`

const naoDada = [
  `${TORNA}(?:CERTIDAO|DOCUMENTO) SEM (?:EFEITO|VALIDADE)|NAO FOI (?:EMITIDA|EXPEDIDA|CONCEDIDA) (?:A )?CERTIDAO`,
  `(?:NAO (?:FAZ JUS|TEM DIREITO|ATENDE|SATISFAZ)|IMPEDID[AO] DE|INDEFERID[AO]|\\bNEGAD[AO] A)[^.:;!?]{0,60}CERTIDAO`,
  `CERTIDAO (?:NEGATIVA )?(?:DE DEBITOS )?(?:FOI )?(?:NAO (?:FOI )?(?:EMITIDA|EXPEDIDA|GERADA|CONCEDIDA)|INDEFERIDA|CANCELADA|REVOGADA|ANULADA)`,
]

/** The letters CDA in a control code (`CDA9.1092.67F7.6DC5`, `CDA9F0B2`) name no debt. */
const FORA_DE_CODIGO = `(?!(?<=[0-9A-F]{4}[.-])CDA[0-9A-F](?!\\d)|CDA[0-9A-F][.-][0-9A-F]{4}(?![0-9A-F])|CDA\\d[0-9A-F]*[A-F]\\d)`

const listas = [
  `(?<![\\d.,])(?=[\\d.,]{0,20}[1-9])\\d{1,3}(?:\\.?\\d{3})*,\\d\\d(?!\\d| ?%)`,
  `(?:AUTOS? DE INFRACAO|\\b${FORA_DE_CODIGO}CDA|NOTIFICACAO DE LANCAMENTO|EXECUCAO FISCAL) (?:EM CURSO )?(?:N[ºRO.]{0,2} :? )?\\d`,
  `\\b\\d{1,3} \\([A-Z]+\\) (?:DEBITO|PENDENCIA)`,
  `(?<!DE )DEBITO Nº :? \\d`,
  `(?:[1-9]\\d{0,2}|DOIS|DUAS|TRES|QUATRO|CINCO|SEIS|SETE|OITO|NOVE|DEZ) (?:DEBITO|PENDENCIA|DIVIDA)S?\\b`,
  `DEBITOS? DE (?:ICMS|IPVA|ITCM?D|TAXAS?) (?:DO EXERCICIO|REFERENTE|DE \\d|COMPETENCIA)`,
]

const frouxo = (frases: readonly string[]): RegExp => new RegExp(frases.join('|').replaceAll(' ', ' ?'), 'g')
const dito = frouxo([...ditos, ...naoDada])
const lista = frouxo(listas)

/** The words of a certificate's title, with its number and marks. A firm may be called `Modelo`. */
const NOME = String.raw`${TORNA}CERTIDAO(?: ?(?:NEGATIVA|POSITIVA|CONJUNTA|ESPECIAL|COM|EFEITOS?|D[AEO]S?|E|AOS?|A|N[AO]S?|EM|DEBITOS?|TRIBUTOS?|TRIBUTARI[AO]S?|FISCA(?:L|IS)|ESTADUA(?:L|IS)|RELATIVOS?|INSCRITOS?|DIVIDA|ATIVA|REGULARIDADE|SITUACAO|NATUREZA|CREDITOS?|FAZENDA|PUBLICA|ESTADO|CND|CPEND?|CRF|FOI|Nº ?:?|[\d./-]+(?![\d./-])|[,()])){0,30} ?`

/** A draft, an example, one that was not given or is void. */
const nulidades = [
  String.raw`\b(?:RASCUNHO|ESPECIME|SEM VALOR (?:LEGAL|JURIDICO|FISCAL|PROBATORIO))\b`,
  String.raw`[([-] ?(?:MODELO|EXEMPLO|MINUTA|TESTE|RASCUNHO)\b(?! ?(?:\d|Nº|APROVAD|CONSTANTE|PREVIST|ANEXO))`,
  String.raw`\b(?:MODELO|EXEMPLO|MINUTA) (?:DE )?CERTIDAO`,
  String.raw`${NOME}(?:MODELO|EXEMPLO|MINUTA)\b(?! ?(?:\d|Nº|APROVAD|CONSTANTE|PREVIST|ANEXO))`,
  String.raw`${NOME}(?:NAO (?:FOI )?(?:EMITIDA|EXPEDIDA|GERADA)|SEM VALIDADE|SEM EFEITO(?!S)|CANCELADA|REVOGADA|ANULADA|CASSADA|VENCIDA|EXPIRADA)\b(?! ?,? ?(?:SE|CASO|QUANDO|SEM|PARA|NAO)\b)`,
]
const nula = new RegExp(nulidades.join('|'))

export function findNulidade(folded: string): Trecho | undefined {
  const found = nula.exec(folded)
  return found ? { inicio: found.index, fim: found.index + found[0].length } : undefined
}

const AROUND = 100

const naoDiz =
  /\b(?:NAO|NEM|SEM|NENHUMA?|INEXISTEM?|INEXISTENCIA|ABRANGE|REFERE|ENGLOBA|COMPREENDE|ALCANCA\w*|INCLUSIVE|SE|CASO|QUANDO|HIPOTESES?|RESSALV\w+|PODERA|SERA|EXCETO|DIREITO)\b(?!.*(?:[.;!?] ?(?!\d)|\b(?:MAS|POREM|CONTUDO|ENTRETANTO|TODAVIA)\b))/
const seria =
  /^[^.;!?]*\b(?:IMPLICA|ACARRETA|TORNA|PERDE|CANCELA|INVALIDA|PERDERA|CANCELARA|INVALIDARA|CASO|QUANDO|SE)\b/

const custo = /(?:TAXA|EMOLUMENTO|CUSTAS|CAPITAL|UFIR|\bPAG[AO]\b|SUPERIOR|INFERIOR)[^.;!?]{0,40}$/

/** They prove no debt, but they contradict negative words. */
export function findIndicio(folded: string): Trecho | undefined {
  for (const { index, 0: found } of folded.matchAll(dito)) {
    const fim = index + found.length
    const isSaid = !naoDiz.test(folded.slice(Math.max(0, index - AROUND), index))
    if (isSaid && !seria.test(folded.slice(fim, fim + AROUND))) return { inicio: index, fim }
  }
  for (const { index, 0: found } of folded.matchAll(lista))
    if (!custo.test(folded.slice(Math.max(0, index - AROUND), index)))
      return { inicio: index, fim: index + found.length }
  return undefined
}

/** `efeitosDitos`: a sentence ("este documento tem os mesmos efeitos da certidão negativa"). */
export type Nomes = { efeitos?: Trecho; efeitosDitos?: Trecho; positiva?: Trecho; negativa?: Trecho }

const AROUND_NOME = 160

const NEGATIVA = '(?:CERTIDAO )?NEGATIV[AO]S?\\b'
const COM_EFEITOS = `\\bCOM (?:OS )?(?:MESMOS )?EFEITOS? (?:DE |DA )?${NEGATIVA}`

/** A divided word may keep a space: `POSI TIVA`. "Dispositiva" is another word. */
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

const pedido =
  /(?:PEDIDO|SERVICO|ASSUNTO|SOLICITACAO|REQUERIMENTO|CONSULTA)[^.:]{0,20}: ?(?:CERTIDAO )?$|NEGATIVA ?, ?(?:POSITIVA ?(?:,|E|OU) ?)?$|\b(?:PEDIDO DE|NAO SENDO POSSIVEL|NAO E POSSIVEL|SOLICITE|REQUEIRA|OBTENHA) (?:A )?CERTIDAO $/
const recusado =
  /^ ?[:?] ?NAO\b|^ ?,? ?(?:A|AS) ?(?:CERTID(?:AO|OES) ?)?(?:DE ?|EM ?)?QUE|^ ?(?:Nº ?[\d./-]+ ?)?(?:ANTERIOR|VENCID|CANCELAD|INDEFERID|NEGAD)/

/** A firm may be called Positiva. */
const nomeDeFirma =
  /(?:NOME|RAZAO SOCIAL|EMPRESARIAL)(?: ?\/ ?[A-Z ]{3,20})? ?:? ?(?:(?!CERTID)[A-Z0-9&.'-]+ ){0,5}$/
const fimDeFirma = /^(?: (?!CERTID)[A-Z0-9&.'-]+){0,6} (?:LTDA|S\.?\/?A\b|EIRELI|ME\b|MEI\b|EPP)/

/** `Emissão de Certidão Negativa` and `Consulta Pública: …` name the service, whatever the outcome. */
const servico =
  /(?:\b(?:A|AS|DA|DAS|DE|NA|UMA|OUTRA|PELA|SUA|EMITIR|SOLICITAR|OBTER|REQUERER|CONSULTAR|IMPRIMIR) ?|(?:SERVICO|CONSULTA|PUBLICA|TRIBUTACAO|VIRTUAL|PORTAL|SISTEMA) ?: ?)$/

/** Titles break over lines, and have numbers before, between and after their words. */
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
    const before = folded.slice(Math.max(0, index - AROUND_NOME), index)
    const rest = folded.slice(index, index + 2 * AROUND_NOME)
    if (counts({ before, found, after: folded.slice(fim, fim + AROUND_NOME), rest }))
      return { inicio: index, fim }
  }
  return undefined
}

const isNota = (before: string, after: string): boolean =>
  precedeNota.test(before) ||
  /^ ?DE ?QUE ?TRATA/.test(after) ||
  (artigo.test(before) && segueNota.test(after))

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
