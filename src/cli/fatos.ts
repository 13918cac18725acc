import { dataBrasileira } from '../documento/dia.ts'
import { formatDocumento } from '../documento/documento.ts'
import { formatInstante, formatNumero, formatReais } from '../platform/pages/formatos.ts'

export type FatoDito = readonly [label: string, value: string]

/** What the members of the answers are called. */
const rotulos: Readonly<Record<string, string>> = {
  area_adquirida: 'Área adquirida',
  area_total: 'Área total',
  autor: 'Autor',
  bairro: 'Bairro',
  cep: 'CEP',
  chave: 'Chave',
  cib: 'CIB',
  cnae_descricao: 'Atividade',
  cnaes_secundarios: 'Outras atividades',
  cnae_principal_descricao: 'Atividade principal',
  codigo_autenticacao: 'Autenticação',
  codigo_parcela: 'Código da parcela',
  condominos: 'Condôminos',
  cpf_cnpj: 'CPF ou CNPJ',
  cstat: 'Código da SEFAZ',
  dados_tributarios: 'Dados tributários',
  data_aquisicao: 'Aquisição',
  data_certificacao: 'Certificada em',
  data_inicio_atividade: 'Início da atividade',
  data_nascimento: 'Nascimento',
  data_situacao: 'Situação desde',
  data_situacao_cadastral: 'Situação desde',
  denominacao: 'Nome',
  detentor: 'Detentor',
  emissao: 'Emitida em',
  endereco: 'Endereço',
  evento: 'Evento',
  from_cache: 'Guardado',
  capital_social: 'Capital social',
  inscricao_estadual: 'Inscrição estadual',
  manifestacao: 'Manifestação',
  matricula: 'Matrícula',
  mensagem: 'O que houve',
  modo: 'Como veio',
  motivo: 'Motivo',
  municipio: 'Município',
  municipio_sede: 'Município',
  natureza: 'Natureza',
  natureza_juridica: 'Natureza jurídica',
  ni_proprietario: 'Proprietário',
  nirf: 'NIRF',
  nome: 'Nome',
  nome_fantasia: 'Nome fantasia',
  orgao: 'Órgãos',
  percentual_proprietario: 'Parte do proprietário',
  porte: 'Porte',
  prazo: 'Prazo',
  protocolo: 'Número',
  qsa: 'Sócios',
  razao_social: 'Razão social',
  regime_apuracao_icms: 'Apuração do ICMS',
  regime_pagamento: 'Regime de pagamento',
  sexo: 'Sexo',
  simulacao: 'Simulação',
  situacao: 'Situação',
  situacao_cadastral: 'Situação cadastral',
  situacao_contribuinte: 'Contribuinte',
  situacao_ie: 'Situação',
  situacao_nfe: 'Situação na NF-e',
  status_raw: 'Texto',
  tipo_ie: 'Tipo de inscrição',
  uf: 'UF',
  uf_ie: 'UF da inscrição',
  url_verificacao: 'Confira em',
  validade: 'Válida até',
}

const labelOf = (membro: string): string =>
  rotulos[membro] ?? membro.charAt(0).toUpperCase() + membro.slice(1).replaceAll('_', ' ')

const formatCep = (cep: string): string => cep.replace(/^(\d{5})(\d{3})$/, '$1-$2')

/** `Ativa` of `ATIVA`: what an authority shouts in one word or a few is said. */
export const sayEstado = (text: string): string =>
  text === text.toUpperCase() ? text.charAt(0) + text.slice(1).toLocaleLowerCase('pt-BR') : text

/** `6422-1/00`, as the IBGE writes a subclass. */
const formatCnae = (codigo: string): string =>
  codigo.replace(/^(\d{4})(\d)(\d{2})$/, '$1-$2/$3').replace(/^(\d{4})(\d)$/, '$1-$2')

export const formatHa = (ha: number): string =>
  `${ha.toLocaleString('pt-BR', { maximumFractionDigits: 4 })} ha`

/** How a value is written, by the member's name and by its own form. */
function sayValor(membro: string, valor: unknown): string {
  if (typeof valor === 'boolean') return valor ? 'sim' : 'não'
  if (typeof valor === 'number') {
    if (membro.startsWith('area_')) return formatHa(valor)
    return membro.startsWith('percentual') ? `${formatNumero(valor)}%` : formatNumero(valor)
  }
  if (typeof valor !== 'string' || valor === '') return ''
  if (membro.startsWith('situacao') || membro === 'porte') return sayEstado(valor)
  if (membro === 'capital_social') return formatReais(Number(valor))
  if (membro === 'cep') return formatCep(valor)
  if (/cnae.*codigo|^codigo$/.test(membro)) return formatCnae(valor)
  if (/cpf|cnpj|^ni(?:_|$)|^documento$/.test(membro)) return formatDocumento(valor)
  if (/^\d{4}-\d{2}-\d{2}$/.test(valor)) return dataBrasileira(valor)
  return /^\d{4}-\d{2}-\d{2}T/.test(valor) ? formatInstante(new Date(valor)) : valor
}

/** Files in base64 are for `--pdf` and `--json`, and what was told already is left out. */
const isLeftOut = (membro: string, sem: readonly string[]): boolean =>
  membro.endsWith('_base64') || sem.includes(membro)

/** The facts of an object, with those of an object in it as `Simulação, evento`; `sem` are left out. */
export function factsOf(objeto: object, sem: readonly string[] = [], antes = ''): FatoDito[] {
  return Object.entries(objeto).flatMap(([membro, valor]): FatoDito[] => {
    if (isLeftOut(membro, sem) || valor === null || valor === undefined) return []
    const nome = antes === '' ? labelOf(membro) : `${antes}, ${labelOf(membro).toLowerCase()}`
    if (Array.isArray(valor)) return [[nome, valor.map((one) => onOneLine(membro, one)).join('\n')]]
    return typeof valor === 'object' ? factsOf(valor, sem, nome) : [[nome, sayValor(membro, valor)]]
  })
}

const onOneLine = (membro: string, valor: unknown): string =>
  typeof valor === 'object' && valor !== null
    ? Object.entries(valor)
        .map(([name, one]) => (typeof one === 'object' ? onOneLine(name, one) : sayValor(name, one)))
        .filter((text) => text !== '')
        .join(' · ')
    : sayValor(membro, valor)

type Endereco = Partial<
  Record<'logradouro' | 'numero' | 'complemento' | 'bairro' | 'municipio' | 'uf' | 'cep', string>
>

const joined = (parts: readonly (string | undefined)[], by: string): string =>
  parts.filter((part) => part !== undefined && part !== '').join(by)

/** An address in two lines: the street, then the place. */
export function sayEndereco({
  logradouro,
  numero,
  complemento,
  bairro,
  municipio,
  uf,
  cep,
}: Endereco): string {
  const lugar = joined([municipio, uf], '/')
  const codigo = cep ? `CEP ${formatCep(cep)}` : ''
  return joined(
    [joined([logradouro, numero, complemento], ', '), joined([bairro, lugar, codigo], ' · ')],
    '\n',
  )
}

export const sayCnae = (codigo: string, descricao: string): string =>
  joined([formatCnae(codigo), descricao], ' ')

/** `4 min`, `2 h`, `3 dias`: how old something is. */
export function sayIdade(seconds: number): string {
  if (seconds < 90) return `${Math.max(0, Math.round(seconds))} s`
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`
  return seconds < 129_600 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} dias`
}
