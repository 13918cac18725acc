import { findAmbito } from '../documento/uf.ts'
import type { RespostaCnpj } from './resposta.ts'

/** A code, in the width of its table, and the words that came with it. Both are empty where there is none. */
type CodigoDito = { codigo: string; descricao: string }

/** An establishment as the live register tells it: codes, and texts without runs of space. */
export type CadastroAoVivo = {
  razao_social: string
  nome_fantasia: string
  /** The number of the situation, without zeros in front. */
  situacao: number
  /** AAAA-MM-DD, or empty. */
  data_situacao: string
  natureza: CodigoDito
  cnae: CodigoDito
  cnaes_secundarios: CodigoDito[]
  /** Decimal, with two places. */
  capital_social: string
  endereco: {
    logradouro: string
    numero: string
    complemento: string
    bairro: string
    /** The Receita Federal's own code (TOM), four digits; not IBGE's. */
    municipio: CodigoDito
    uf: string
    cep: string
  }
  porte: string
  /** Null where the answer does not tell them, which only some legal natures may do. */
  socios: { nome: string; qualificacao: string }[] | null
}

/** Null, active, suspended, unfit, active but irregular, closed: the codes of the register's own table. */
const SITUACOES = new Set([1, 2, 3, 4, 5, 8])

/**
 * Reads the values of an answer. Undefined where one cannot be: a situation or a state that nobody knows, a
 * date of another form, a capital beyond what JSON's numbers hold.
 */
export function toCadastro(resposta: RespostaCnpj, hoje: Date): CadastroAoVivo | undefined {
  const { situacaoCadastral, endereco } = resposta
  const data_situacao = toData(situacaoCadastral.data ?? '', hoje)
  const capital_social = toDecimal(resposta.capitalSocial)
  const uf = clean(endereco.uf)
  const situacao = Number(situacaoCadastral.codigo)
  if (!SITUACOES.has(situacao)) return undefined
  if (data_situacao === undefined || capital_social === undefined || !isUf(uf)) return undefined
  return {
    razao_social: clean(resposta.nomeEmpresarial),
    nome_fantasia: clean(resposta.nomeFantasia),
    situacao,
    data_situacao,
    natureza: toCodigo(resposta.naturezaJuridica, 4),
    cnae: toCodigo(resposta.cnaePrincipal, 7),
    cnaes_secundarios: (resposta.cnaeSecundarias ?? []).map((one) => toCodigo(one, 7)),
    capital_social,
    endereco: {
      logradouro: clean(`${endereco.tipoLogradouro ?? ''} ${endereco.logradouro ?? ''}`),
      numero: clean(endereco.numero),
      complemento: clean(endereco.complemento),
      bairro: clean(endereco.bairro),
      municipio: toCodigo(endereco.municipio ?? {}, 4),
      uf,
      cep: toCep(clean(endereco.cep)),
    },
    porte: padded(resposta.porte, 2),
    socios: resposta.socios?.map(toSocio) ?? null,
  }
}

const toSocio = ({ nome, qualificacao }: { nome: string; qualificacao?: Dito['codigo'] }) => ({
  nome: clean(nome),
  qualificacao: padded(qualificacao, 2),
})

type Dito = { codigo?: string | number | null; descricao?: string | null }

const toCodigo = ({ codigo, descricao }: Dito, width: number): CodigoDito => ({
  codigo: padded(codigo, width),
  descricao: clean(descricao),
})

const padded = (codigo: string | number | null | undefined, width: number): string => {
  const text = String(codigo ?? '')
  return /^\d+$/.test(text) ? text.padStart(width, '0') : ''
}

/** As the import of the monthly base: what is up to a space parts words, and one space joins them. */
const clean = (text: string | null | undefined): string =>
  (text ?? '')
    .split(/[\p{Cc} ]+/u)
    .filter(Boolean)
    .join(' ')

/** EX is an address abroad. */
const isUf = (uf: string): boolean => uf === '' || uf === 'EX' || (uf !== 'BR' && findAmbito(uf) === uf)

/** Hundredths as a decimal, by their digits alone. Undefined for a number that JSON may have rounded. */
function toDecimal(centavos: string | number): string | undefined {
  if (typeof centavos === 'number' && !Number.isSafeInteger(centavos)) return undefined
  const [, sign = '', value = ''] = /^(-?)0*(\d*)$/.exec(String(centavos)) ?? []
  const digits = value.padStart(3, '0')
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** A CEP of 7 digits has lost its zero in front. Anything else is none, as in the monthly base. */
const toCep = (cep: string): string => (/^\d{7,8}$/.test(cep) && Number(cep) > 0 ? cep.padStart(8, '0') : '')

/**
 * A date as it came. Empty for none, and for one that cannot be, as the register has some; undefined for
 * another form.
 */
function toData(text: string, hoje: Date): string | undefined {
  if (text === '') return ''
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
  const at = new Date(`${text}T00:00:00Z`)
  const exists = !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
  return exists && text >= '1800-01-01' && at <= hoje ? text : ''
}
