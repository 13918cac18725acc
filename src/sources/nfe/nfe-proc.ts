/** What a document is worth as the note of a key. */
export type NfeProc =
  | {
      ok: true
      /** CNPJ or CPF of the issuer, the recipient, the carrier and whoever autXML names. */
      participantes: string[]
      /** Of the authorization: 100, 150 and others. */
      cStat: string
    }
  | { ok: false; defeito: string }

/** Reads and checks the file of an authorized note. */
export function readNfeProc(_xml: string, _chave: string): NfeProc {
  throw new Error('not written yet')
}
