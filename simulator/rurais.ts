import type { Autoridade, Opcoes } from './platform/autoridade.ts'
import { criarAcervoFundiario } from './rural/acervo-fundiario.ts'
import { criarConectorCnir } from './rural/cnir.ts'
import { criarGovBr } from './rural/login.ts'
import { criarSelo } from './rural/selo.ts'
import { criarSigef } from './rural/sigef.ts'

/**
 * The registries of rural properties: the connector to CNIR; SIGEF with its login; the open geodata. Secret
 * and cookies follow from `semente`, because a service may outlive its simulator.
 */
export function criarRurais(opcoes: Opcoes & { semente: string }): Autoridade[] {
  const selo = criarSelo(opcoes.semente)
  return [
    criarConectorCnir(opcoes),
    criarSigef({ ...opcoes, selo }),
    criarGovBr({ ...opcoes, selo }),
    criarAcervoFundiario(opcoes),
  ]
}
