import { sementeDe } from '../documento/documento.ts'
import { makeInscricao } from '../documento/inscricao-estadual.ts'
import type { Uf } from '../documento/molde.ts'
import type { Contribuinte } from './contribuinte.ts'
import { enderecoEm } from './endereco.ts'
import { registrar } from './registro.ts'

/**
 * The taxpayer behind a document that makes authorities misbehave: registered in whichever state is asked, as
 * many times as wanted. Its names have accents, so that a wrong charset shows.
 */
export function contribuinteComportado(documento: string, uf: Uf, quantas = 1): Contribuinte {
  const semente = sementeDe(documento)
  const endereco = enderecoEm(uf, semente, {
    logradouro: 'RUA SÃO JOÃO',
    numero: '1000',
    complemento: 'GALPÃO 2',
    bairro: 'ESTAÇÃO',
  })
  const inscricoes = Array.from({ length: quantas }, (_, i) =>
    registrar({
      uf,
      ie: makeInscricao(uf, semente + i),
      tipo: 'NORMAL',
      enquadramento: 'normal',
      cnae: '1091102',
      situacao: 'habilitado',
      inicio: '2015-03-02',
      endereco,
      semente: semente + i,
    }),
  )
  return {
    documento,
    tipoDocumento: 'cnpj',
    nome: 'PANIFICAÇÃO SÃO JOÃO DA SIMULAÇÃO LTDA',
    fantasia: 'PÃO & CIA',
    naturezaJuridica: '2062',
    porte: 'EMPRESA DE PEQUENO PORTE',
    inscricoes,
  }
}
