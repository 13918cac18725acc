import type { X509Certificate } from 'node:crypto'
import type { Chamador } from '../autoridade.ts'
import { imprimivel, octetos } from './der.ts'
import { nomeEmail, nomesAlternativos, outroNome } from './extensao.ts'
import { lerOutrosNomes } from './leitura.ts'

/** Identifiers of the names that ICP-Brasil puts in a certificate (DOC-ICP-04 v8.1, 7.1.2.3). */
const OID = {
  dadosDoTitular: '2.16.76.1.3.1',
  nomeDoResponsavel: '2.16.76.1.3.2',
  cnpj: '2.16.76.1.3.3',
  dadosDoResponsavel: '2.16.76.1.3.4',
  eleitor: '2.16.76.1.3.5',
  ceiPessoa: '2.16.76.1.3.6',
  ceiEmpresa: '2.16.76.1.3.7',
} as const

/** The CPF of the person who answers for every company of the catalogue. It is not the holder's document. */
const RESPONSAVEL = { nome: 'RESPONSAVEL SIMULADO DA EMPRESA', cpf: '73025914823' }

/** How the values are written: both are seen in real certificates. */
export type Valores = 'octetos' | 'imprimivel'

/** The SubjectAltName of an e-CNPJ or e-CPF. What is not known is filled with zeros, as DOC-ICP-04 asks. */
export function nomesDoTitular(titular: Chamador, valores: Valores): Buffer {
  const nome = (identificador: string, texto: string): Buffer =>
    outroNome(
      identificador,
      valores === 'octetos' ? octetos(Buffer.from(texto, 'latin1')) : imprimivel(texto),
    )
  const email = nomeEmail('contato@exemplo.test')
  if (titular.tipo === 'cpf')
    return nomesAlternativos(
      email,
      nome(OID.dadosDoTitular, dadosDaPessoa(titular.documento)),
      nome(OID.ceiPessoa, '0'.repeat(12)),
      nome(OID.eleitor, `${'0'.repeat(19)}SAO PAULO SP`),
    )
  return nomesAlternativos(
    email,
    nome(OID.dadosDoResponsavel, dadosDaPessoa(RESPONSAVEL.cpf)),
    nome(OID.nomeDoResponsavel, RESPONSAVEL.nome),
    nome(OID.cnpj, titular.documento),
    nome(OID.ceiEmpresa, '0'.repeat(12)),
  )
}

/** Birth (8), CPF (11), NIS (11), RG (15), issuer and state. */
function dadosDaPessoa(cpf: string): string {
  return `15031980${cpf}${'0'.repeat(11)}${'0'.repeat(15)}`
}

/**
 * The holder of a certificate by ICP-Brasil's names, as the national environment looks for it: a CNPJ, or
 * else a CPF; the CN's own number does not count (NT 2014.002 v1.21, rule A07). Undefined when neither is
 * there.
 */
export function lerTitular(certificado: X509Certificate): Chamador | undefined {
  const nomes = lerOutrosNomes(certificado.raw)
  const nome = /^CN=(.*?)(?::[0-9A-Z]+)?$/m.exec(certificado.subject)?.[1] ?? ''
  const cnpj = nomes.get(OID.cnpj)
  if (cnpj) return { tipo: 'cnpj', documento: cnpj, nome }
  const cpf = nomes.get(OID.dadosDoTitular)?.slice(8, 19)
  return cpf ? { tipo: 'cpf', documento: cpf, nome } : undefined
}
