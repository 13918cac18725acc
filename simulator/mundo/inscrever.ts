import { mix } from '../documento/aleatorio.ts'
import { sementeDe } from '../documento/documento.ts'
import { ufs } from '../documento/inscricao-estadual.ts'
import { pagaIcms, vendeParaOutrosEstados } from './atividade.ts'
import type { Endereco, Inscricao } from './contribuinte.ts'
import type { Emissor } from './emissor.ts'
import { situacaoDe } from './empresa.ts'
import type { Enquadramento } from './regime.ts'
import { entre, HOJE, registrar } from './registro.ts'

/** An establishment before its registrations are made. */
export type Estabelecimento = {
  documento: string
  naturezaJuridica: string
  enquadramento: Enquadramento
  cnae: string
  endereco: Endereco
  /** The code of the Receita Federal. */
  situacaoCnpj: string
  /** YYYY-MM-DD. */
  inicio: string
  /** When the CNPJ's situation changed; empty when not known. */
  mudanca: string
}

/**
 * The registrations of an establishment of the sample: none for activities and bodies that ICMS does not
 * reach; else one in its own state, for one in 25 a second there, and for one in 3 that sell elsewhere 1 to 5
 * as a tax substitute.
 */
export function inscrever(dono: Estabelecimento, emitir: Emissor): Inscricao[] {
  // Associations, condominiums and the like (legal natures 3xxx) trade in nothing.
  if (!pagaIcms(dono.cnae) || dono.naturezaJuridica.startsWith('3')) return []
  const semente = sementeDe(dono.documento)
  const situacao = situacaoDe(dono.situacaoCnpj, mix(semente, 1))
  const suspensaPeloEstado = situacao === 'suspenso' && /^0?2$/.test(dono.situacaoCnpj)
  const base = {
    ...dono,
    uf: dono.endereco.uf,
    tipo: 'NORMAL',
    situacao,
    ...(dono.mudanca && !suspensaPeloEstado
      ? { mudanca: dono.mudanca }
      : { mudanca: mudancaAte(dono, semente) }),
    semente,
  } as const
  const principal = registrar({ ...base, ie: emitir(base.uf, semente) })
  const lista = [principal]
  if (mix(semente, 2) % 25 === 0) lista.push(segunda(base, principal, emitir))
  const vende = vendeParaOutrosEstados(dono.cnae) && dono.enquadramento !== 'mei'
  if (situacao === 'habilitado' && vende && mix(semente, 3) % 3 === 0)
    lista.push(...substituta(dono, semente, emitir))
  return lista
}

function mudancaAte({ inicio }: Estabelecimento, semente: number): string {
  return entre(inicio, HOJE, mix(semente, 16))
}

/** A second number in the same state: an old one that gave way, or another in force at the same place. */
function segunda(
  base: Omit<Parameters<typeof registrar>[0], 'ie'>,
  principal: Inscricao,
  emitir: Emissor,
): Inscricao {
  const semente = mix(base.semente, 21)
  const ie = emitir(base.uf, semente)
  if (semente % 2 === 0) return registrar({ ...base, ie, semente })
  const mudanca = entre(base.inicio, principal.ultimaSituacao, mix(semente, 22))
  return registrar({ ...base, ie, semente, situacao: 'baixado', mudanca, ieAtual: principal.ie })
}

function substituta(dono: Estabelecimento, semente: number, emitir: Emissor): Inscricao[] {
  const outros = ufs.filter((uf) => uf !== dono.endereco.uf)
  const quantas = 1 + (mix(semente, 4) % 5)
  const passo = 1 + (mix(semente, 5) % 5)
  return Array.from({ length: quantas }, (_, i) => {
    const uf = outros[(mix(semente, 6) + i * passo) % outros.length] ?? dono.endereco.uf
    const propria = mix(semente, 30 + i)
    return registrar({
      ...dono,
      uf,
      ie: emitir(uf, propria),
      tipo: 'SUBSTITUTO',
      enquadramento: 'substituto',
      situacao: propria % 8 === 0 ? 'baixado' : 'habilitado',
      inicio: entre(dono.inicio, HOJE, mix(propria, 7)),
      mudanca: HOJE,
      semente: propria,
    })
  })
}
