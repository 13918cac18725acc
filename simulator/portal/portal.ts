import type { Uf } from '../documento/molde.ts'
import type { Autoridade } from '../platform/autoridade.ts'
import { atenderPortal } from './atender.ts'
import type { Definicao, MeiosDoPortal } from './definicao.ts'
import { criarSessoes } from './sessao.ts'

/** A portal ready to be put behind the gateway. The type of its sessions is hidden. */
export type Portal = {
  uf: Uf
  servico: 'ie' | 'cnd'
  abrir: (meios: MeiosDoPortal) => Autoridade
}

/** Makes a portal out of its description. */
export function portal<S>(definicao: Definicao<S>): Portal {
  const { uf, servico, nome, hosts } = definicao
  return {
    uf,
    servico,
    abrir: (meios) => {
      const sessoes = criarSessoes(definicao, meios.agora)
      return { nome, hosts, pedeCertificado: false, ...atenderPortal(definicao, sessoes, meios) }
    },
  }
}
