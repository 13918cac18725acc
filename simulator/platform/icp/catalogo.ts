import type { X509Certificate } from 'node:crypto'
import type { Chamador } from '../autoridade.ts'
import { nomeEmail, nomesAlternativos, outroNome } from './certificado.ts'
import { imprimivel, octetos, readOutrosNomes } from './der.ts'
import type { Protecao } from './pkcs12.ts'

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
const dadosDaPessoa = (cpf: string): string => `15031980${cpf}${'0'.repeat(11)}${'0'.repeat(15)}`

/** A CNPJ, else a CPF, never the CN's own number (NT 2014.002 v1.21, rule A07). */
export function readTitular(certificado: X509Certificate): Chamador | undefined {
  const nomes = readOutrosNomes(certificado.raw)
  const nome = /^CN=(.*?)(?::[0-9A-Z]+)?$/m.exec(certificado.subject)?.[1] ?? ''
  const cnpj = nomes.get(OID.cnpj)
  if (cnpj) return { tipo: 'cnpj', documento: cnpj, nome }
  const cpf = nomes.get(OID.dadosDoTitular)?.slice(8, 19)
  return cpf ? { tipo: 'cpf', documento: cpf, nome } : undefined
}

export type ItemA1 = {
  nome: string
  titular: Chamador
  senha: string
  nota: string
  chave: 'rsa' | 'ec'
  par: 'proprio' | 'comum'
  protecao: Protecao
  /** The certificates in the file, and their order. */
  conteudo: 'titular-e-cadeia' | 'cadeia-e-titular' | 'so-titular' | 'dois-titulares' | 'sem-chave'
  validade: 'vigente' | 'vencida' | 'futura'
  /** Where the holder's document stands: in ICP-Brasil's names and the CN, in the CN alone, nowhere. */
  documento: 'oids' | 'cn' | 'ausente'
  valores: Valores
  emissor: 'nosso' | 'alheio'
}

/** The holders, all of them known to the authorities. */
export const EMPRESA = cnpj('48271936000183', 'COMERCIO OPERADOR SIMULADO LTDA')
export const FILIAL = cnpj('48271936000264', 'COMERCIO OPERADOR SIMULADO LTDA')
export const OUTRA = cnpj('73915428000138', 'INDUSTRIA VIZINHA SIMULADA SA')
export const ALFANUMERICA = cnpj('7K3M9RX2000117', 'TRANSPORTES LETRA SIMULADA LTDA')
export const PESSOA: Chamador = { tipo: 'cpf', documento: '48172639546', nome: 'MARIA SIMULADA DE SOUZA' }

function cnpj(documento: string, nome: string): Chamador {
  return { tipo: 'cnpj', documento, nome }
}

export const item = (
  nome: string,
  titular: Chamador,
  nota: string,
  diferenca: Partial<Omit<ItemA1, 'nome' | 'titular' | 'nota'>> = {},
): ItemA1 => ({
  nome,
  titular,
  nota,
  senha: `senha-${nome}`,
  chave: 'rsa',
  par: 'proprio',
  protecao: 'aes',
  conteudo: 'titular-e-cadeia',
  validade: 'vigente',
  documento: 'oids',
  valores: 'octetos',
  emissor: 'nosso',
  ...diferenca,
})

export const DO_OPERADOR = item(
  'empresa',
  EMPRESA,
  'e-CNPJ do operador, que o próprio serviço usa ao consultar.',
)

/** The A1 files of general use. The documents are fictitious, with valid check digits. */
export const CATALOGO: readonly ItemA1[] = [
  DO_OPERADOR,
  item('filial', FILIAL, 'e-CNPJ de uma filial do operador: mesma raiz.', { valores: 'imprimivel' }),
  item('pessoa', PESSOA, 'e-CPF de uma pessoa.'),
  item('outra-empresa', OUTRA, 'e-CNPJ de uma empresa sem relação com o operador.'),
  item('alfanumerico', ALFANUMERICA, 'e-CNPJ de um CNPJ com letras.'),
  item('vencido', EMPRESA, 'Vencido: as autoridades o recusam.', { validade: 'vencida' }),
  item('futuro', EMPRESA, 'Ainda não vale: as autoridades o recusam.', { validade: 'futura' }),
  item('outra-cadeia', EMPRESA, 'Emitido por uma autoridade que não é da cadeia aceita.', {
    emissor: 'alheio',
  }),
  item('aes', OUTRA, 'Arquivo protegido por AES-256 e SHA-256 (OpenSSL 3).'),
  item('3des', OUTRA, 'Arquivo protegido por 3DES e SHA-1.', { protecao: '3des' }),
  item('rc2-40', OUTRA, 'Arquivo protegido por RC2-40 e 3DES: o A1 mais comum.', { protecao: 'rc2-40' }),
  item('ec', OUTRA, 'Chave de curva elíptica (P-256) em vez de RSA.', { chave: 'ec' }),
  item('ca-primeiro', OUTRA, 'O arquivo lista as autoridades antes do titular.', {
    conteudo: 'cadeia-e-titular',
    protecao: 'rc2-40',
  }),
  item('sem-cadeia', OUTRA, 'O arquivo traz só o certificado do titular, sem a cadeia.', {
    conteudo: 'so-titular',
  }),
  item('senha-acentuada', OUTRA, 'Senha com acentos e símbolo.', { senha: 'açúcar€', protecao: '3des' }),
  item('senha-vazia', OUTRA, 'Senha vazia.', { senha: '', protecao: '3des' }),
  item('titular-so-no-cn', OUTRA, 'CNPJ apenas no nome (CN), sem os campos da ICP-Brasil.', {
    documento: 'cn',
  }),
  item('sem-titular', OUTRA, 'Sem CPF nem CNPJ em lugar algum.', { documento: 'ausente' }),
  item('dois-titulares', OUTRA, 'Traz também o e-CPF de uma pessoa, com a chave dela, que vence antes.', {
    conteudo: 'dois-titulares',
  }),
  item('sem-chave', OUTRA, 'Só certificados, sem a chave privada.', { conteudo: 'sem-chave' }),
]
