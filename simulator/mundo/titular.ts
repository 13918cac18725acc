import type { Plano } from '../dados-abertos/plano.ts'
import { sementeDe } from '../documento/documento.ts'
import type { Uf } from '../documento/molde.ts'
import type { Chamador } from '../platform/autoridade.ts'
import { ALFANUMERICA, EMPRESA, FILIAL, OUTRA, PESSOA } from '../platform/icp/catalogo.ts'
import type { Contribuinte } from './contribuinte.ts'
import type { Emissor } from './emissor.ts'
import { enderecoEm } from './endereco.ts'
import { inscrever } from './inscrever.ts'
import { pessoa } from './produtor.ts'

type Empresa = {
  quem: Chamador
  uf: Uf
  cnae: string
  naturezaJuridica: string
  porte: string
  inicio: string
}

const EMPRESAS: readonly Empresa[] = [
  {
    quem: EMPRESA,
    uf: 'SP',
    cnae: '4711302',
    naturezaJuridica: '2062',
    porte: 'DEMAIS',
    inicio: '2012-05-14',
  },
  {
    quem: FILIAL,
    uf: 'MG',
    cnae: '4711302',
    naturezaJuridica: '2062',
    porte: 'DEMAIS',
    inicio: '2016-02-01',
  },
  { quem: OUTRA, uf: 'PR', cnae: '1091102', naturezaJuridica: '2054', porte: 'DEMAIS', inicio: '2004-09-27' },
  {
    quem: ALFANUMERICA,
    uf: 'SP',
    cnae: '4930202',
    naturezaJuridica: '2062',
    porte: 'DEMAIS',
    inicio: '2026-07-20',
  },
]

/**
 * The holders of the A1 files. So every caller of an authority is a taxpayer there, by the certificate's
 * name.
 */
export function* titulares(plano: Plano, emitir: Emissor): Generator<Contribuinte> {
  for (const empresa of EMPRESAS) yield contribuinte(empresa, emitir)
  yield { ...pessoa(plano, PESSOA.documento, ['BA'], emitir), nome: PESSOA.nome }
}

function contribuinte({ quem, uf, inicio, ...resto }: Empresa, emitir: Emissor): Contribuinte {
  const { documento, nome, tipo: tipoDocumento } = quem
  const rua = { logradouro: 'AVENIDA DO SIMULADOR', numero: '100', complemento: '', bairro: 'CENTRO' }
  const endereco = enderecoEm(uf, sementeDe(documento), rua)
  const comum = { documento, inicio, enquadramento: 'normal', situacaoCnpj: '02', mudanca: inicio } as const
  const inscricoes = inscrever({ ...comum, ...resto, endereco }, emitir)
  const { naturezaJuridica, porte } = resto
  return { documento, tipoDocumento, nome, fantasia: '', naturezaJuridica, porte, inscricoes }
}
