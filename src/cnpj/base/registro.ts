import type { Found } from './block.ts'
import { type Cursor, getVarint, type Output, putVarint } from './bytes.ts'
import { type Codigo, type Decoding, EMPRESARIO_INDIVIDUAL } from './coding.ts'
import { type Empresa, getEmpresa, getSimples, getSocio, type Opcao, type Socio } from './empresa.ts'
import { type Endereco, type Estabelecimento, getEstabelecimento } from './estabelecimento.ts'

const EMPRESA = 1
const SIMPLES = 2

/** The company's part of a group: the company, its partners, its line of Simples.zip. */
export type ParteEmpresa = {
  empresa: Empresa | undefined
  simples: { simples: Opcao; mei: Opcao } | undefined
  qsa: Socio[]
}

/**
 * Writes the head of the company's part. The company, its Simples line and `socios` partners follow, where
 * said.
 */
export function putHead(out: Output, hasEmpresa: boolean, hasSimples: boolean, socios: number): void {
  putVarint(out, socios * 4 + (hasEmpresa ? EMPRESA : 0) + (hasSimples ? SIMPLES : 0))
}

/** Reads a company's part. */
export function getParteEmpresa(cursor: Cursor, decoding: Decoding, mask: boolean): ParteEmpresa {
  const head = getVarint(cursor)
  const empresa = head & EMPRESA ? getEmpresa(cursor, decoding, mask) : undefined
  const simples = head & SIMPLES ? getSimples(cursor) : undefined
  const qsa: Socio[] = []
  for (let count = Math.floor(head / 4); count > 0; count--) qsa.push(getSocio(cursor, decoding))
  return { empresa, simples, qsa }
}

/**
 * What a look-up gives: the specification's `result`, whose fields are all strings, and other facts beside
 * it.
 */
export type RegistroCnpj = {
  result: {
    razao_social: string
    nome_fantasia: string
    situacao_cadastral: string
    data_situacao_cadastral: string
    cnae_principal_codigo: string
    cnae_principal_descricao: string
    cnaes_secundarios: Codigo[]
    natureza_juridica: string
    capital_social: string
    endereco: Endereco
    qsa: Socio[]
    porte: string
  }
  outros: {
    data_abertura: string
    matriz: boolean
    situacao: Codigo
    motivo_situacao: Codigo
    natureza_juridica: Codigo
    porte: Codigo
    /** Only in a vintage imported with Simples.zip, for a company that has a line there. */
    simples?: Opcao
    mei?: Opcao
  }
}

const NENHUM: Codigo = { codigo: '', descricao: '' }

function join(parte: ParteEmpresa, est: Estabelecimento): RegistroCnpj {
  const { empresa, simples } = parte
  const natureza = empresa?.natureza ?? NENHUM
  const porte = empresa?.porte ?? NENHUM
  return {
    result: {
      razao_social: empresa?.razao_social ?? '',
      nome_fantasia: est.nome_fantasia,
      situacao_cadastral: est.situacao.descricao,
      data_situacao_cadastral: est.data_situacao,
      cnae_principal_codigo: est.cnae.codigo,
      cnae_principal_descricao: est.cnae.descricao,
      cnaes_secundarios: est.cnaes_secundarios,
      natureza_juridica: natureza.descricao,
      capital_social: empresa?.capital_social ?? '',
      endereco: est.endereco,
      qsa: parte.qsa,
      porte: porte.descricao,
    },
    outros: {
      data_abertura: est.data_abertura,
      matriz: est.matriz,
      situacao: est.situacao,
      motivo_situacao: est.motivo,
      natureza_juridica: natureza,
      porte,
      ...(simples === undefined ? {} : simples),
    },
  }
}

/** Decodes what `findInBlock` found. `mask` hides CPFs in the names of a sole trader. */
export function getRegistro(cursor: Cursor, found: Found, decoding: Decoding, mask: boolean): RegistroCnpj {
  cursor.at = found.empresa
  const parte = getParteEmpresa(cursor, decoding, mask)
  const hide = mask && parte.empresa?.natureza.codigo === EMPRESARIO_INDIVIDUAL
  cursor.at = found.estabelecimento
  return join(parte, getEstabelecimento(cursor, decoding, hide))
}
