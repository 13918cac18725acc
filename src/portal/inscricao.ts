import { readFileSync } from 'node:fs'
import { formatDocumento, isMesmoNumero, semMascara } from '../documento/documento.ts'
import type { Pergunta } from './estado.ts'
import { normalize } from './pagina.ts'
import { type Inscricao, situacaoIe, tipoInscricao } from './rules-inscricao.ts'
import type { Portal } from './visita.ts'

/** A field, several in one value (`atividade`: "4711-3/02 - COMÉRCIO", `municipio_uf`), or none. */
export type Campo =
  | keyof Inscricao
  | 'atividade'
  | 'municipio_uf'
  /** The whole address: "RUA X, nº 10, SALA 2, CENTRO - GOIÂNIA GO, CEP: 74.000-000" (GO). */
  | 'endereco'
  | 'natureza_juridica'
  | 'ignorado'

export type Rotulos = Readonly<Record<string, Campo>>

/** The first value of each field on a page. */
export type Lidos = Partial<Record<Campo, string>>

/** The labels of the standard page of all states (SINTEGRA/ICMS), which most states keep. */
const sintegra: Rotulos = {
  CNPJ: 'cpf_cnpj',
  CPF: 'cpf_cnpj',
  'CPF/CNPJ': 'cpf_cnpj',
  'CNPJ/CPF': 'cpf_cnpj',
  'Inscrição Estadual': 'inscricao_estadual',
  'Inscrição Estadual/CCE': 'inscricao_estadual',
  IE: 'inscricao_estadual',
  'Razão Social': 'razao_social',
  'Razão Social/Nome': 'razao_social',
  'Nome/Razão Social': 'razao_social',
  'Nome Empresarial': 'razao_social',
  'Nome Fantasia': 'nome_fantasia',
  Logradouro: 'logradouro',
  Número: 'numero',
  Nº: 'numero',
  Complemento: 'complemento',
  Bairro: 'bairro',
  Município: 'municipio',
  'Município/UF': 'municipio_uf',
  UF: 'ignorado',
  CEP: 'cep',
  'Endereço Eletrônico': 'ignorado',
  'E-mail': 'ignorado',
  Telefone: 'ignorado',
  'Atividade Econômica': 'atividade',
  'Atividade Econômica Principal': 'atividade',
  'Atividade Principal': 'atividade',
  'Atividade Secundária': 'ignorado',
  'CNAE Fiscal': 'atividade',
  'CNAE Principal': 'atividade',
  'CNAE Secundário': 'ignorado',
  'Data da Inscrição Estadual': 'data_inicio_atividade',
  'Data de Início de Atividade': 'data_inicio_atividade',
  'Data de Início da Atividade': 'data_inicio_atividade',
  'Data de Inicio de Atividade': 'data_inicio_atividade',
  'Início das Atividades': 'data_inicio_atividade',
  'Situação Cadastral': 'situacao_cadastral',
  'Situação Cadastral Vigente': 'situacao_cadastral',
  'Situação Cadastral Atual': 'situacao_cadastral',
  'Data desta Situação Cadastral': 'data_situacao',
  'Data dessa Situação Cadastral': 'data_situacao',
  'Data da Situação Cadastral': 'data_situacao',
  'Regime de Apuração': 'regime_apuracao_icms',
  'Regime de Apuração de ICMS': 'regime_apuracao_icms',
  'Regime de Apuração do ICMS': 'regime_apuracao_icms',
  'Regime de Pagamento': 'regime_pagamento',
  'Emitente de NFe desde': 'situacao_nfe',
  'Obrigada à NF-e em': 'ignorado',
  'Obrigado à NF-e em': 'ignorado',
  Identificação: 'ignorado',
  Endereço: 'ignorado',
  'Informações Complementares': 'ignorado',
  'Data da Consulta': 'ignorado',
  Observação: 'ignorado',
  Observações: 'ignorado',
}

export const camposDoEndereco = ['logradouro', 'numero', 'complemento', 'bairro', 'cep'] as const

/** Fields whose labels the pages of nearly all states show, filled or not. */
export const camposDoSintegra = [
  ...camposDoEndereco,
  'cnae_codigo',
  'cnae_descricao',
  'data_situacao',
] as const

export type Legenda = ReadonlyMap<string, Campo>

/** Makes the labels of a page: the standard ones, then the state's own. Call it once for a state. */
export const legendaOf = (proprios: Rotulos = {}): Legenda =>
  new Map(Object.entries({ ...sintegra, ...proprios }).map(([label, campo]) => [labelOf(label), campo]))

export const labelOf = (text: string): string => normalize(text).replace(/\s*:$/, '')

export const camposDe = (lidos: Lidos): (keyof Inscricao)[] =>
  (Object.keys(lidos) as Campo[]).flatMap((campo): (keyof Inscricao)[] => {
    if (campo === 'atividade') return ['cnae_codigo', 'cnae_descricao']
    if (campo === 'municipio_uf') return ['municipio']
    if (campo === 'endereco') return [...camposDoEndereco, 'municipio']
    return campo === 'natureza_juridica' || campo === 'ignorado' ? [] : [campo]
  })

/** Throws SourceError `parse` without a number or name, or if the page shows somebody else. */
export function toInscricao(
  lidos: Lidos,
  portal: Portal,
  pergunta: Pergunta,
  { semNome }: { semNome?: true } = {},
): Inscricao {
  const text = (campo: keyof Lidos): string => (lidos[campo] ?? '').trim()
  const ie = semMascara(text('inscricao_estadual'))
  // "ISENTO" is no number, nor a word in the place of an empty number.
  if (!/\d/.test(ie)) throw portal.failure('parse', 'mudou de página: falta o número da inscrição')
  if (!text('razao_social') && !semNome) throw portal.failure('parse', 'mudou de página: falta o nome')
  const documento = semMascara(text('cpf_cnpj'))
  const shown = pergunta.tipo === 'ie' ? ie : documento
  if (shown && !isMesmoNumero(shown, pergunta.documento)) throw portal.fail('outro-documento')
  const cpf_cnpj = pergunta.tipo === 'ie' ? documento : pergunta.documento
  const atividade = atividadeOf(lidos)
  return {
    inscricao_estadual: ie,
    razao_social: text('razao_social'),
    nome_fantasia: text('nome_fantasia'),
    ...situacaoOf(lidos, portal),
    // The UF of the registration, whatever state its address is in (specification, "UF of the registration").
    uf_ie: portal.uf,
    tipo_ie: tipoOf(lidos, cpf_cnpj, atividade.cnae_codigo, portal.uf),
    ...enderecoOf(lidos),
    regime_pagamento: text('regime_pagamento'),
    situacao_contribuinte: text('situacao_contribuinte'),
    data_inicio_atividade: dateOf(text('data_inicio_atividade')),
    ...atividade,
    regime_apuracao_icms: text('regime_apuracao_icms'),
    situacao_nfe: text('situacao_nfe').replace(DATE, (date) => `EMITENTE DE NF-E DESDE ${dateOf(date)}`),
    cpf_cnpj: formatDocumento(cpf_cnpj),
  }
}

/** The standard page tells only since when ("Emitente de NFe desde"). */
const DATE = /^\d{2}\/\d{2}\/\d{4}$/

/** 31/12/2010 and 2010-12-31T00:00:00 become 2010-12-31, and 12/2010 (PR) 2010-12. */
function dateOf(text: string): string {
  const [, day, month, year] = /^(?:(\d{2})\/)?(\d{2})\/(\d{4})\b/.exec(text) ?? []
  if (year === '0000') return ''
  if (year) return [year, month, day].filter(Boolean).join('-')
  return /^\d{4}-\d{2}-\d{2}(?=$|T| )/.exec(text)?.[0] ?? text
}

/** Splits "ATIVO - DESDE 15/03/2010" into status and date. */
function situacaoOf(
  lidos: Lidos,
  portal: Portal,
): Pick<Inscricao, 'situacao_ie' | 'situacao_cadastral' | 'data_situacao'> {
  const said = lidos.situacao_cadastral ?? ''
  const date = /(?:\d{2}\/)?\d{2}\/\d{4}/.exec(said)
  const before = date ? said.slice(0, date.index).replace(/[ (–-]{0,5}(?:(?:DESDE|EM) ?:? ?)?$/i, '') : said
  const raw = before.trim()
  const situacao_ie = raw && situacaoIe(raw)
  if (situacao_ie === undefined)
    throw portal.failure('parse', 'mudou de página: o que mostra como situação cadastral não é uma')
  return {
    situacao_ie,
    situacao_cadastral: raw,
    data_situacao: dateOf(lidos.data_situacao || date?.[0] || ''),
  }
}

/** 412-0 is Produtor Rural (Pessoa Física), which has a CNPJ in SP. */
function tipoOf(
  { tipo_ie, natureza_juridica = '' }: Lidos,
  documento: string,
  cnae: string,
  uf: Portal['uf'],
): string {
  if (tipo_ie) return tipo_ie
  return /PRODUTOR RURAL/.test(normalize(natureza_juridica))
    ? 'PRODUTOR RURAL'
    : tipoInscricao({ documento, cnae, uf })
}

/** A text with letters stays, so that the check of forms finds it. */
const cepOf = (text: string): string =>
  /\p{L}/u.test(text)
    ? text
    : text
        .replace(/\D/g, '')
        .replace(/^0*$/, '')
        .replace(/^\d{7}$/, '0$&')

type Endereco = Pick<Inscricao, 'logradouro' | 'numero' | 'complemento' | 'bairro' | 'municipio' | 'cep'>

function enderecoOf(lidos: Lidos): Endereco {
  const text = (campo: keyof Lidos): string => (lidos[campo] ?? '').trim()
  if (lidos.endereco) return partsOf(lidos.endereco)
  return {
    logradouro: text('logradouro'),
    complemento: text('complemento'),
    bairro: text('bairro'),
    numero: text('numero'),
    municipio: municipioOf(lidos),
    cep: cepOf(text('cep')),
  }
}

/** "RUA X, nº 10, SALA 2, CENTRO - GOIÂNIA GO, CEP: 74.000-000". Another start stays as the street. */
function partsOf(endereco: string): Endereco {
  const text = endereco.replace(/\s+/g, ' ').trim()
  const found = / - ((?:(?! - )[^,])+) [A-Z]{2}, CEP: ?([\d.-]*)$/.exec(text)
  if (!found) return { logradouro: '', numero: '', complemento: '', bairro: '', municipio: '', cep: '' }
  const [, municipio = '', cep = ''] = found
  const start = text.slice(0, found.index)
  const [logradouro = '', number = '', ...rest] = start.split(', ')
  const bairro = rest.pop()
  const numero = /^n[º°o.]{1,2} ?(.*)$/i.exec(number)?.[1]
  return {
    ...(bairro === undefined || numero === undefined
      ? { logradouro: start, numero: '', complemento: '', bairro: '' }
      : { logradouro, numero, complemento: rest.join(', '), bairro }),
    municipio,
    cep: cepOf(cep),
  }
}

/** "CUIABÁ - MT" without its state. */
const municipioOf = ({ municipio = '', municipio_uf = '' }: Lidos): string =>
  municipio || municipio_uf.replace(/\s*[-/]\s*[A-Z]{2}$/, '')

/** "4711-3/02 - COMÉRCIO VAREJISTA", perhaps with its section first (DF: "G4711302"). */
function atividadeOf({
  atividade = '',
  cnae_codigo = '',
  cnae_descricao = '',
}: Lidos): Pick<Inscricao, 'cnae_codigo' | 'cnae_descricao'> {
  const [, code, words] = /^(?:[A-U][ -]?)?(\d[\d.\-/]{4,})\s*(?:[-–:]\s*)?(.*)$/.exec(atividade) ?? []
  const digits = (code ?? cnae_codigo).replace(/\D/g, '')
  return {
    // Some pages drop the zero of divisions 01 to 09. A shorter code is of a class, and has no more digits.
    cnae_codigo: digits.replace(/^[1-9]\d{5}$/, '0$&'),
    cnae_descricao: words || cnae_descricao || (code ? '' : atividade),
  }
}

/** Columns: tom_siafi, ibge, uf, nome (data/README.md says where they came from). */
const TABELA = new URL('../../data/municipios-siafi.csv', import.meta.url)

let nomes: ReadonlyMap<string, string> | undefined

/** The table is read when a source first leaves a name out, since most sources tell it. */
function readNomes(): ReadonlyMap<string, string> {
  const [, ...lines] = readFileSync(TABELA, 'utf8').trim().split(/\r?\n/)
  return new Map(
    lines.map((line) => {
      const [, ibge = '', , nome = ''] = line.split(',')
      return [ibge, nome]
    }),
  )
}

/** By the 7 digits of IBGE; in capitals without accents, empty for a code that the table lacks. */
export function municipioDoIbge(codigo: string): string {
  nomes ??= readNomes()
  return nomes.get(codigo) ?? ''
}

let conhecidos: ReadonlySet<string> | undefined

export function isMunicipio(nome: string): boolean {
  nomes ??= readNomes()
  conhecidos ??= new Set(nomes.values())
  return conhecidos.has(nome)
}
