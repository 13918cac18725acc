import { sementeDe } from '../documento/documento.ts'
import { makeInscricao } from '../documento/inscricao-estadual.ts'
import type { Endereco } from '../mundo/contribuinte.ts'
import { enderecoEm } from '../mundo/endereco.ts'
import type { Chamador } from '../platform/autoridade.ts'
import type { Campo } from '../platform/nfe-xml.ts'

/** The element of somebody's document: `CNPJ` or `CPF`. */
export function documentoDe({ tipo, documento }: Chamador): Campo {
  return [tipo === 'cnpj' ? 'CNPJ' : 'CPF', documento]
}

/** The state registration of somebody on a note, in São Paulo, always the same. */
export function ieDe({ documento }: Chamador): string {
  return makeInscricao('SP', sementeDe(documento))
}

/** Where somebody on a note is, always the same. */
export function enderecoDe({ documento }: Chamador): Endereco {
  return enderecoEm('SP', sementeDe(documento), {
    logradouro: 'RUA DAS SIMULAÇÕES',
    numero: String(1 + (sementeDe(documento) % 2000)),
    complemento: 'GALPÃO 2',
    bairro: 'DISTRITO INDUSTRIAL',
  })
}

/** The fields of a `TEndereco` (leiauteNFe_v4.00.xsd). */
export function endereco(quem: Chamador): Campo[] {
  const { logradouro, numero, complemento, bairro, codigoMunicipio, municipio, uf, cep } = enderecoDe(quem)
  return [
    ['xLgr', logradouro],
    ['nro', numero],
    ['xCpl', complemento],
    ['xBairro', bairro],
    ['cMun', codigoMunicipio],
    ['xMun', municipio],
    ['UF', uf],
    ['CEP', cep],
    ['cPais', '1058'],
    ['xPais', 'BRASIL'],
    ['fone', '1133334444'],
  ]
}
