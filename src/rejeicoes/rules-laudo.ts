/** Whether a check holds. `indeterminado`: what it needs is not at hand; it never guesses. */
/** What the diagnosis is called: in the list of lookups, and on its pages. */
export const DIAGNOSTICO_DE_NOTA = 'Diagnóstico de nota'

export type ResultadoDaVerificacao = 'ok' | 'falha' | 'nao_aplicavel' | 'indeterminado'

type Aplicacao = 'obrigatoria' | 'uf'

/** A field of the note as a person finds it. `caminho` has positions, such as `det[5]/prod/NCM`. */
export type CampoLido = { caminho: string; valor: string | null }

export type Ocorrencia = { onde: string; campos: CampoLido[]; mensagem: string }

/** What a check found. `ocorrencias` holds the places that failed, or that could not be decided. */
export type Achado = {
  id: string
  codigo: number
  titulo: string
  aplicacao: Aplicacao
  resultado: ResultadoDaVerificacao
  ocorrencias: Ocorrencia[]
  omitidas: number
}

/** A change that is certain to mend what it names. The note has to be signed again after it. */
export type Emenda = {
  caminho: string
  acao: 'trocar' | 'retirar' | 'mover'
  /** The value found; null for what is moved. */
  de: string | null
  /** The new value. For `mover` the place before which it goes, or null for the end of its parent. */
  para: string | null
  motivo: string
  codigo: number
}

/** The note with all its certain mends, without its signature and without what surrounds `NFe`. */
export type Corrigido = {
  /** The text of a file in UTF-8. Outside of the changes it is that of the client, byte for byte. */
  xml: string
  chave: string | null
  /** One sentence for each change, in Portuguese: the mends in their order, then those of the form. */
  mudancas: string[]
  /** What is left to do, in order, in Portuguese: what no certain mend covers, to sign, to transmit. */
  falta: string[]
}

export type ErroDeEsquema = {
  /** Such as `item 5, campo NCM`. */
  onde: string
  caminho: string
  valor: string | null
  mensagem: string
}

export type Suspeita = {
  codigo: number
  titulo: string
  url_blog: string
  /** What found it; `informado` is the code that the authority answered, as the client sent it. */
  origem: 'esquema' | 'assinatura' | 'chave' | 'verificacao' | 'cadastro' | 'informado'
  /** `uf` where only rules that a state may leave out found it. Such ones come after the others. */
  aplicacao: Aplicacao
  ocorrencias: Ocorrencia[]
  /** How sure it is: what the note itself shows is certain; a register may only make it likely. */
  certeza: 'certa' | 'provavel'
}

/** `oficial`: files of the government that come with the service; `instalado`: of the operator's zip. */
type OrigemDoEsquema = 'oficial' | 'reconstruido' | 'instalado'

/** `desde` is its first day in the note's environment, AAAA-MM-DD. */
export type EsquemaUsado = { pacote: string; desde: string; origem: OrigemDoEsquema }

/** Nothing of it is stored. */
export type Laudo = {
  modelo: '55' | '65' | null
  /** The 44 characters of `Id`; null if there are not so many. */
  chave: string | null
  esquema: {
    /** The package of XSDs by which the note was judged, in disputed days with the other of the two. */
    pacote: string
    desde: string
    origem: OrigemDoEsquema
    outro: EsquemaUsado | null
    valido: boolean
    erros: ErroDeEsquema[]
    omitidos: number
  }
  assinatura: { situacao: 'valida' | 'invalida' | 'ausente' | 'indeterminada'; mensagem: string }
  /** The day and the environment whose rules the note was held against, and what tells the day. */
  regras: {
    dia: string
    ambiente: 'producao' | 'homologacao'
    base: 'protocolo' | 'emissao' | 'hoje'
    /** Whether a protocol beside it authorises this note, with this content. */
    autorizada: boolean
  }
  suspeitas: Suspeita[]
  /** What rules that begin after that day would say of the note if it were sent today. */
  se_transmitida_hoje: Suspeita[]
  /** What contradicts an authorization: rules of a later day, or a difference of ours. */
  divergencias: Suspeita[]
  verificacoes: Achado[]
  resumo: Record<ResultadoDaVerificacao, number>
  emendas: Emenda[]
  /** Null where there is no certain mend, where the note is authorised already, or where nobody wants it. */
  corrigido: Corrigido | null
  avisos: string[]
}

export type MotivoDaRecusa = 'utf-16' | 'doctype' | 'nao-e-xml' | 'nao-e-nfe' | 'grande' | 'mais-de-uma-nota'

const textos: Readonly<Record<MotivoDaRecusa, string>> = {
  'utf-16': 'O XML está em UTF-16. Grave o arquivo em UTF-8 e envie de novo.',
  doctype: 'O XML tem uma declaração <!DOCTYPE>, que a NF-e não usa. Retire a declaração e envie de novo.',
  'nao-e-xml':
    'O texto enviado não é um XML. Envie o conteúdo do arquivo da nota, que começa por <NFe, <nfeProc ou <enviNFe.',
  'nao-e-nfe':
    'O XML não é de uma NF-e (modelo 55) nem de uma NFC-e (modelo 65). Envie o arquivo da nota: NFe, nfeProc ou enviNFe.',
  grande: 'O XML passa de 1 MiB. Envie uma nota por vez, sem anexos.',
  'mais-de-uma-nota': 'O XML tem mais de uma nota. Envie uma nota por vez.',
}

/** A text that is not diagnosed. The message is Portuguese, for the client, and quotes nothing of it. */
export class DiagnosticoRecusado extends Error {
  override readonly name = 'DiagnosticoRecusado'
  readonly motivo: MotivoDaRecusa

  constructor(motivo: MotivoDaRecusa) {
    super(textos[motivo])
    this.motivo = motivo
  }
}

/** A diagnosis took more time or memory than it may. The message is Portuguese, for the client. */
export class DiagnosticoDemorado extends Error {
  override readonly name = 'DiagnosticoDemorado'

  constructor() {
    super(
      'O diagnóstico desta nota passou do tempo ou da memória reservados para ele. Tente de novo mais tarde.',
    )
  }
}

/** UTF-8 bytes. */
const MAIOR = 1024 * 1024

const RAIZES: ReadonlySet<string> = new Set(['NFe', 'nfeProc', 'enviNFe'])

/** How UTF-16 begins, read as text of one byte a letter. */
const UTF_16 = /^(?:ÿþ|þÿ|<\0|\0<)/

const PROLOGO = /^(?:\s|<\?[\s\S]*?\?>|<!--[\s\S]*?-->)*/

/** Throws DiagnosticoRecusado for what can be told before anything is parsed. */
export function refuseBeforeReading(xml: string): void {
  if (Buffer.byteLength(xml) > MAIOR) throw new DiagnosticoRecusado('grande')
  if (UTF_16.test(xml)) throw new DiagnosticoRecusado('utf-16')
  // A mark of the byte order is no part of the text.
  const texto = xml.replace(/^\uFEFF/, '')
  if (!/^\s*</.test(texto)) throw new DiagnosticoRecusado('nao-e-xml')
  if (/<!DOCTYPE/i.test(texto)) throw new DiagnosticoRecusado('doctype')
  const raiz = /^<(?:[\w.-]+:)?([A-Za-z_][\w.-]*)/.exec(
    texto.slice(PROLOGO.exec(texto)?.[0].length ?? 0),
  )?.[1]
  if (!raiz) throw new DiagnosticoRecusado('nao-e-xml')
  if (!RAIZES.has(raiz)) throw new DiagnosticoRecusado('nao-e-nfe')
}

export type PedidoDoDiagnostico = {
  /** The text of the file: NFe, nfeProc or enviNFe of one note. */
  xml: string
  /** What the authority answered: a code, and a sentence. */
  cstat?: number | undefined
  motivo?: string | undefined
  semCorrigido?: boolean | undefined
  agora: Date
  /** The path of the catalogue's file. The thread keeps it until the file changes. */
  catalogo: string
  /** The folders of what the operator installed, if there are any. */
  esquemas?: string | undefined
  tabelas?: string | undefined
}

/** The thread's reply. `falha` is the name and the frames of an error, without its message. */
export type RespostaDoDiagnostico = { laudo: Laudo } | { recusa: MotivoDaRecusa } | { falha: string }
