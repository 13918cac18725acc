import type { EfeitoNfe } from './cenario.ts'
import { doTitular } from './cenarios.ts'
import { temEventoNovo } from './liberacao.ts'
import type { Livro, Nota } from './nota.ts'

/**
 * The effect of a query: by the note's scenario, otherwise by the certificate's, with which any key will do,
 * also a real one. `documento` is the holder's.
 */
export function efeitoDaConsulta(
  nota: Nota | undefined,
  documento: string,
  livro: Livro,
): EfeitoNfe | undefined {
  const depois = nota && temEventoNovo(nota, livro) ? nota.cenario.distribuicaoDepois : undefined
  return depois ?? nota?.cenario.distribuicao ?? doTitular(documento)?.distribuicao
}

/** The effect of an event of that kind, by the note's scenario or the certificate's. */
export function efeitoDoEvento(
  tpEvento: string,
  nota: Nota | undefined,
  documento: string,
): EfeitoNfe | undefined {
  const servico = SERVICOS.get(tpEvento)
  return servico && (nota?.cenario[servico] ?? doTitular(documento)?.[servico])
}

const SERVICOS = new Map<string, 'ciencia' | 'confirmacao'>([
  ['210210', 'ciencia'],
  ['210200', 'confirmacao'],
])
