import { CertificadoError } from './certificado.ts'
import { codeOf } from './error-code.ts'

/** Refuses a file that is no PKCS#12. */
export const arquivoIlegivel = (): CertificadoError =>
  new CertificadoError(
    'ilegivel',
    'O arquivo não é um certificado A1 que se possa ler. Envie o arquivo .pfx ou .p12 original, completo e sem alterações.',
  )

/** Refuses a file that takes too long. */
export const demorado = (): CertificadoError =>
  new CertificadoError(
    'demorado',
    'O arquivo do certificado demora demais para ser aberto. Exporte o certificado de novo com as opções padrão e envie o novo arquivo.',
  )

const reasons: Record<string, string> = {
  ENOENT: 'o arquivo não existe',
  EACCES: 'sem permissão para ler o arquivo',
  EISDIR: 'é uma pasta, não um arquivo',
}

/** Says in Portuguese why a file could not be read, from the error of node:fs. */
export function describeRead(error: unknown): string {
  const code = codeOf(error)
  return reasons[code] ?? `o arquivo não pôde ser lido (${code})`
}
