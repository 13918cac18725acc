import { CertificadoError } from '../../domain/certificado.ts'

/** The refusal of a file that is no PKCS#12. */
export const arquivoIlegivel = (): CertificadoError =>
  new CertificadoError(
    'ilegivel',
    'O arquivo não é um certificado A1 que se possa ler. Envie o arquivo .pfx ou .p12 original, completo e sem alterações.',
  )
