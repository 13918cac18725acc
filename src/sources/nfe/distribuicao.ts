import type { Titular } from '../../domain/certificado.ts'
import type { RespostaDaDistribuicao } from '../../domain/nfe.ts'
import type { MeiosNfe } from './meios.ts'

/** A query by key, made for the holder of the certificate. */
export type PerguntaDaDistribuicao = { chave: string; titular: Titular }

/** What the national environment knows of a key. Throws SourceError; never answers `falha`. */
export async function consultarChave(
  _meios: MeiosNfe,
  _pergunta: PerguntaDaDistribuicao,
): Promise<RespostaDaDistribuicao> {
  throw new Error('not written yet')
}
