import type { Ocorrencia, Situacao } from '../mundo/contribuinte.ts'
import { dataBrasileira, mascarar, mascararDocumento } from '../portal/mascara.ts'

/** The words of a state for how a registration stands. */
export type Palavras = Readonly<Record<Situacao, string>>

/** Two of the vocabularies seen on the states' pages (HABILITADO, ATIVO, BAIXADO, SUSPENSO, CANCELADO). */
export const ativo: Palavras = {
  habilitado: 'ATIVO',
  suspenso: 'SUSPENSO',
  baixado: 'BAIXADO',
  cancelado: 'CANCELADO',
}
export const habilitado: Palavras = { ...ativo, habilitado: 'HABILITADO' }

/** A registration as pages print it: masked, in capitals, dates dd/mm/aaaa, empty where there is nothing. */
export type Ficha = {
  tipo: 'cnpj' | 'cpf'
  documento: string
  ie: string
  nome: string
  fantasia: string
  logradouro: string
  numero: string
  complemento: string
  bairro: string
  municipio: string
  uf: string
  cep: string
  /** Seven digits, bare and as IBGE writes them, and the name of the activity. */
  cnae: string
  cnaeComMascara: string
  atividade: string
  inicio: string
  situacao: string
  dataDaSituacao: string
  regime: string
  pagamento: string
  /** Since when it issues NF-e; empty when it does not. */
  nfeDesde: string
}

/** Reads a registration for a page; without a mask its number goes bare. */
export function lerFicha({ contribuinte, inscricao }: Ocorrencia, palavras: Palavras, mascara = ''): Ficha {
  const { endereco, situacao, inicio } = inscricao
  return {
    tipo: contribuinte.tipoDocumento,
    documento: mascararDocumento(contribuinte.documento),
    ie: mascara ? mascarar(mascara, inscricao.ie) : inscricao.ie,
    nome: contribuinte.nome,
    fantasia: contribuinte.fantasia,
    logradouro: endereco.logradouro,
    numero: endereco.numero,
    complemento: endereco.complemento,
    bairro: endereco.bairro,
    municipio: endereco.municipio,
    uf: endereco.uf,
    cep: endereco.cep && mascarar('00.000-000', endereco.cep),
    cnae: inscricao.cnae,
    cnaeComMascara: mascarar('0000-0/00', inscricao.cnae),
    atividade: inscricao.cnaeDescricao.toUpperCase(),
    inicio: dataBrasileira(inicio),
    situacao: palavras[situacao],
    dataDaSituacao: dataBrasileira(inscricao.ultimaSituacao),
    regime: inscricao.regimeApuracao,
    pagamento: inscricao.regimePagamento,
    nfeDesde: [1, 2, 3].includes(inscricao.credenciamentoNfe) ? dataBrasileira(maisTarde(inicio)) : '',
  }
}

/** NF-e was not compulsory for most before December 2010 (Protocolo ICMS 42/2009). */
function maisTarde(inicio: string): string {
  return inicio > '2010-12-01' ? inicio : '2010-12-01'
}
