import type { EfeitoNfe } from './cenarios/cenario.ts'
import { doTitular } from './cenarios/cenarios.ts'
import { temEventoNovo } from './liberacao.ts'
import type { Livro, Nota } from './nota.ts'

/**
 * What goes wrong with a query: what the scenario of the note says, else what that of the certificate does, with which any key
 * will do, a real one too. `documento` is the holder's.
 */
export function efeitoDaConsulta(
  nota: Nota | undefined,
  documento: string,
  livro: Livro,
): EfeitoNfe | undefined {
  const depois = nota && temEventoNovo(nota, livro) ? nota.cenario.distribuicaoDepois : undefined
  return depois ?? nota?.cenario.distribuicao ?? doTitular(documento)?.distribuicao
}

/** What goes wrong with an event of that kind, by the note or by the certificate likewise. */
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
