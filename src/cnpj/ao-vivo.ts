import { readFileSync } from 'node:fs'
import { EMPRESARIO_INDIVIDUAL, PORTES, SITUACOES } from './base/coding.ts'
import type { RegistroCnpj } from './base/registro.ts'
import { maskCpfs } from './base/text.ts'
import { openTabelas, type Tabelas } from './base/versao.ts'
import type { CadastroAoVivo } from './source.ts'

/** A company in the words of the monthly base, and what a client should know of them. */
type EmpresaAoVivo = { result: RegistroCnpj['result']; avisos: string[] }

/**
 * Writes what the live register told as the monthly base does: the same texts for the same codes.
 * `mascararCpf` as in `ReadOptions`.
 */
export function toEmpresa(cadastro: CadastroAoVivo, tabelas: Tabelas, mascararCpf: boolean): EmpresaAoVivo {
  const situacao = SITUACOES.find(({ codigo }) => codigo !== '' && Number(codigo) === cadastro.situacao)
  const { cnae, natureza, endereco } = cadastro
  const avisos = new Set<string>()
  const words = (what: string, codigo: string, known: string | undefined): string => {
    if (known === undefined && codigo !== '')
      avisos.add(`O código ${codigo} de ${what} não está nas tabelas deste serviço: o texto dele vem vazio.`)
    return known ?? ''
  }
  const hide = (text: string): string =>
    mascararCpf && natureza.codigo === EMPRESARIO_INDIVIDUAL ? maskCpfs(text) : text
  const cnaeOf = ({ codigo, descricao }: typeof cnae) => ({
    codigo,
    descricao: words('CNAE', codigo, tabelas.cnae(codigo) ?? orNone(descricao)),
  })
  const municipio = tabelas.municipio(endereco.municipio.codigo)
  const principal = cnaeOf(cnae)
  const porte = PORTES.find(({ codigo }) => codigo === cadastro.porte)
  const result = {
    razao_social: hide(cadastro.razao_social),
    nome_fantasia: hide(cadastro.nome_fantasia),
    situacao_cadastral: situacao?.descricao ?? '',
    data_situacao_cadastral: cadastro.data_situacao,
    cnae_principal_codigo: principal.codigo,
    cnae_principal_descricao: principal.descricao,
    cnaes_secundarios: cadastro.cnaes_secundarios.map(cnaeOf),
    natureza_juridica: words(
      'natureza jurídica',
      natureza.codigo,
      tabelas.natureza(natureza.codigo) ?? orNone(natureza.descricao),
    ),
    capital_social: cadastro.capital_social,
    endereco: {
      logradouro: endereco.logradouro,
      numero: endereco.numero,
      complemento: endereco.complemento,
      bairro: endereco.bairro,
      municipio: municipio?.nome ?? endereco.municipio.descricao,
      uf: endereco.uf,
      cep: endereco.cep,
      codigo_ibge: words('município', endereco.municipio.codigo, municipio?.ibge),
    },
    qsa: (cadastro.socios ?? []).map(({ nome, qualificacao }) => ({
      nome,
      qualificacao: words('qualificação', qualificacao, tabelas.qualificacao(qualificacao)),
    })),
    porte: words('porte', cadastro.porte, porte?.descricao),
  }
  if (!cadastro.socios) avisos.add(SEM_SOCIOS)
  return { result, avisos: [...avisos] }
}

const SEM_SOCIOS =
  'A Receita Federal não informou sócios nem administradores. Pela tabela deste serviço, a natureza jurídica desta empresa não tem quadro de sócios.'

const orNone = (text: string): string | undefined => (text === '' ? undefined : text)

/** Their origin is in data/README.md. The monthly base brings tables of its own, which are newer. */
const QUALIFICACOES = new URL('../../data/cnpj-qualificacoes.csv', import.meta.url)
const MUNICIPIOS = new URL('../../data/municipios-siafi.csv', import.meta.url)

let tabelas: Tabelas | undefined

/**
 * The tables of a service without a monthly base: qualifications and municipalities, for which the live
 * register tells the code alone or another code. It tells the words of the others.
 */
export function tabelasSemBase(): Tabelas {
  tabelas ??= readTabelas()
  return tabelas
}

function readTabelas(): Tabelas {
  const qualificacoes = readLinhas(QUALIFICACOES)
  const municipios = readLinhas(MUNICIPIOS)
  const nenhuma = { codigos: [], descricoes: [] }
  return openTabelas({
    cnaes: nenhuma,
    naturezas: nenhuma,
    qualificacoes: {
      codigos: qualificacoes.map(([codigo = '']) => codigo),
      descricoes: qualificacoes.map(([, ...descricao]) => descricao.join(',')),
    },
    municipios: {
      codigos: [...municipios.map(([tom = '']) => tom), '9707'],
      descricoes: [...municipios.map(([, , , nome = '']) => nome), 'EXTERIOR'],
      ibge: [...municipios.map(([, ibge = '']) => ibge), ''],
    },
  })
}

const readLinhas = (file: URL): string[][] => {
  const [, ...lines] = readFileSync(file, 'utf8').trim().split(/\r?\n/)
  return lines.map((line) => line.split(','))
}
