import type { Uf } from '../documento/uf.ts'
import type { RotaIe } from './estado.ts'
import { cadastro } from './families-cadastro.ts'

/** The registry service of SEFAZ Virtual do RS. It answers for RS, and for AC, ES, PB, RN and SC. */
export const cadastroSvrs = (uf: Uf, nota?: string): RotaIe =>
  cadastro(uf, {
    producao: 'https://cad.svrs.rs.gov.br/ws/cadconsultacadastro/cadconsultacadastro4.asmx',
    homologacao: 'https://cad-homologacao.svrs.rs.gov.br/ws/cadconsultacadastro/cadconsultacadastro4.asmx',
    certeza: 'verificado',
    origem: 'Portal Nacional da NF-e, lista de web services',
    em: '2026-09-18',
    ...(nota !== undefined && { nota }),
  })
