import { sortearCpf } from '../documento/dados-abertos-documento.ts'
import { nomeDeNegocio, nomeDePessoa } from './pessoa.ts'
import type { Empresa, Plano, Tipo } from './plano.ts'

const NATUREZA: Record<Tipo, string> = {
  mei: '2135',
  individual: '2135',
  limitada: '2062',
  anonima: '2054',
  associacao: '3999',
  condominio: '3085',
}
const RESPONSAVEL: Record<Tipo, string> = {
  mei: '50',
  individual: '50',
  limitada: '49',
  anonima: '10',
  associacao: '16',
  condominio: '19',
}

/** The 7 fields of a company's row in Empresas. */
export function camposDeEmpresa(plano: Plano, empresa: Empresa): string[] {
  const { aleatorio: a, vocabulario: v } = plano
  a.semear(empresa.numero, 1)
  const { tipo } = empresa
  const capital = a.chance(0.85)
    ? v.capital(a)
    : `${a.ate(900_000) + 100},${String(a.ate(100)).padStart(2, '0')}`
  const porte = tipo === 'mei' ? '01' : a.chance(0.6) ? '01' : a.chance(0.08) ? '03' : '05'
  return [empresa.raiz, razaoSocial(plano, empresa), NATUREZA[tipo], RESPONSAVEL[tipo], capital, porte, '']
}

/** Sole traders carry a CPF at the end or the root at the start, as most rows of the official dump do. */
function razaoSocial(plano: Plano, { tipo, raiz }: Empresa): string {
  const { aleatorio: a } = plano
  if (tipo === 'mei' || tipo === 'individual') {
    const nome = nomeDePessoa(plano)
    if (a.chance(0.18)) return `${raiz.slice(0, 2)}.${raiz.slice(2, 5)}.${raiz.slice(5)} ${nome}`
    return tipo === 'mei' || a.chance(0.5) ? `${nome} ${sortearCpf(a)}` : nome
  }
  if (tipo === 'condominio')
    return `CONDOMINIO EDIFICIO ${plano.vocabulario.fantasia(a)} ${plano.vocabulario.rara(a)}`
  if (tipo === 'associacao')
    return `ASSOCIACAO DE ${plano.vocabulario.ramo(a)} ${plano.vocabulario.bairro(a)}`
  if (tipo === 'anonima') return `${nomeDeNegocio(plano)} S/A`
  return `${nomeDeNegocio(plano)} LTDA${a.chance(0.12) ? ' - ME' : ''}`
}
