import type { CampoLido, Laudo } from '../rules-laudo.ts'

/** What a signature is: what is told, and the code that the authority answers where it is sure. */
export type Parecer = Laudo['assinatura'] & {
  codigo?: number | undefined
  /** Nothing but blanks between elements differs from what was signed. */
  soFormatacao?: true
  campos?: CampoLido[]
  avisos?: readonly string[]
}

/** A signature that the authority refuses with this code. */
export const invalida = (codigo: number, mensagem: string, campos: CampoLido[]): Parecer => ({
  situacao: 'invalida',
  mensagem,
  codigo,
  campos,
})
