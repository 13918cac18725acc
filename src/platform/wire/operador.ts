import { readFile } from 'node:fs/promises'
import { parseA1 } from './a1.ts'
import { type A1, CertificadoError } from './certificado.ts'
import { describeRead } from './erro.ts'

/**
 * Reads the operator's own certificate at the start of the process; undefined if `A1_FILE` is not set; one
 * that is not in force is given all the same (see avisoDeValidade). Throws CertificadoError, which names the
 * settings.
 */
export async function loadOperador({
  A1_FILE,
  A1_PASSWORD,
}: {
  A1_FILE: string | undefined
  A1_PASSWORD: string | undefined
}): Promise<A1 | undefined> {
  if (A1_FILE === undefined) return undefined
  const pfx = await readArquivo(A1_FILE)
  try {
    return parseA1(pfx, A1_PASSWORD ?? '')
  } catch (error) {
    if (!(error instanceof CertificadoError)) throw error
    const setting = error.motivo === 'senha' ? `A1_PASSWORD, para ${A1_FILE}` : `A1_FILE, em ${A1_FILE}`
    throw new CertificadoError(error.motivo, `Certificado do operador (${setting}): ${error.message}`)
  }
}

async function readArquivo(arquivo: string): Promise<Buffer> {
  try {
    return await readFile(arquivo)
  } catch (error) {
    throw new CertificadoError(
      'ilegivel',
      `Certificado do operador (A1_FILE, em ${arquivo}): ${describeRead(error)}. Corrija A1_FILE ou copie o .pfx para lá.`,
    )
  }
}
