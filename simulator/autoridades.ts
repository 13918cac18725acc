import type { Autoridade, Opcoes } from './autoridade.ts'
import { criarCadastros } from './autoridades/cadastro.ts'

/** Every authority that the simulator plays; a new one is one more line. */
export function criarAutoridades(opcoes: Opcoes): readonly Autoridade[] {
  return [...criarCadastros(opcoes)]
}
