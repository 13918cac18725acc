import {
  apresentarCertidao,
  apresentarCertidaoDoEstado,
  apresentarCertidoesTodos,
} from '../../certidao/apresentacao.ts'
import { apresentarCnpj } from '../../cnpj/apresentacao.ts'
import { apresentarCertidaoFederal } from '../../federal/apresentacao.ts'
import {
  apresentarInscricoes,
  apresentarInscricoesDoEstado,
  apresentarInscricoesTodos,
} from '../../inscricao/apresentacao.ts'
import { apresentarNfeXml } from '../../nfe/apresentacao.ts'
import type { Apresentacao, Apresentar, ApresentarEstado } from '../../platform/pages/apresentacao.ts'
import { apresentarCnir, apresentarSigef } from '../../rural/apresentacao.ts'
import { apresentarPerfil } from '../../rural/apresentacao-perfil.ts'
import { findPergunta } from './perguntas.ts'
import { apresentarFalha, type Feita } from './respondida.ts'

/** Who says in people's words what an endpoint answered. */
export const apresentadores: Readonly<Record<string, Apresentar>> = {
  '/api/consultar': apresentarInscricoes,
  '/api/consultar-ie-todos': apresentarInscricoesTodos,
  '/api/consultar-cnd': apresentarCertidao,
  '/api/consultar-cnd-todos': apresentarCertidoesTodos,
  '/api/consultar-cnd-federal': apresentarCertidaoFederal,
  '/api/consultar-cnpj': apresentarCnpj,
  '/api/consultar-cnir': apresentarCnir,
  '/api/consultar-sigef': apresentarSigef,
  '/api/perfil-produtor': apresentarPerfil,
  '/api/consultar-nfe-xml': apresentarNfeXml,
}

/** Who says what one of all states answered, while the others are still asked. */
export const doEstado: Readonly<Record<string, ApresentarEstado>> = {
  '/api/consultar-ie-todos': apresentarInscricoesDoEstado,
  '/api/consultar-cnd-todos': apresentarCertidaoDoEstado,
}

export function apresentar({ pergunta: id, respondida }: Feita, agora: Date, prefixo: string): Apresentacao {
  if (respondida.http !== 200) return apresentarFalha(respondida, prefixo)
  const present = apresentadores[findPergunta(id)?.endpoint ?? '']
  if (!present) throw new Error(`nobody presents what ${id} answers`)
  return present(respondida.corpo, agora)
}
