import type { Autoridade, Opcoes } from '../gateway/autoridade.ts'
import { criarConectorCnir } from './cnir/conector.ts'
import { criarSelo } from './selo.ts'
import { criarAcervoFundiario } from './sigef/acervo-fundiario.ts'
import { criarGovBr } from './sigef/login.ts'
import { criarSigef } from './sigef/sigef.ts'

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
