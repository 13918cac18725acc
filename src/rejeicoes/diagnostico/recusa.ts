import type { Laudo } from '../rules-laudo.ts'

/** Why a text is not diagnosed. */
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

/** The XML declaration, comments and processing instructions. */
const PROLOGO = /^(?:\s|<\?[\s\S]*?\?>|<!--[\s\S]*?-->)*/

/** Refuses what can be told before anything is parsed. Throws DiagnosticoRecusado. */
export function recusarAntesDeLer(xml: string): void {
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

/** What is to be diagnosed. */
export type PedidoDoDiagnostico = {
  /** The text of the file: NFe, nfeProc or enviNFe of one note. */
  xml: string
  /** The code that the authority answered. */
  cstat?: number | undefined
  /** The sentence that the authority answered. */
  motivo?: string | undefined
  /** Leaves the corrected XML out. */
  semCorrigido?: boolean | undefined
  agora: Date
  /** The path of the catalogue's file. The thread keeps it until the file changes. */
  catalogo: string
  /** The folder of the packages of schemas that the operator installed, if there is one. */
  esquemas?: string | undefined
  /** The folder of the tables that the operator installed, if there is one. */
  tabelas?: string | undefined
}

/** The thread's reply. `falha` is the name and the frames of an error, without its message. */
export type RespostaDoDiagnostico = { laudo: Laudo } | { recusa: MotivoDaRecusa } | { falha: string }
