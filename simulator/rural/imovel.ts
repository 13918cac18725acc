import type { Uf } from '../documento/molde.ts'

/** A holder of a property, by CPF or CNPJ, with his share in percent. */
export type Dono = { documento: string; nome: string; percentual: number }

/** A municipality by IBGE's seven digits. */
type Lugar = { codigo: string; nome: string; uf: Uf }

/** A rural property, with all that the federal register tells of it. Areas are in square metres. */
export type Imovel = {
  /** Its place among the properties of its first holder, from 0. */
  numero: number
  cib: string
  nirf: string
  /** The code in INCRA's own register (SNCR), 13 digits. */
  codigoSncr: string
  denominacao: string
  area: number
  situacao: 'ATIVA' | 'BAIXADA' | 'SUSPENSA'
  lugar: Lugar
  /** The main one first; the shares come to 100. */
  donos: readonly [Dono, ...Dono[]]
  aquisicao: { data: string; area: number; tipo: string }
  origem: number
  imunidades: readonly { codigo: string; descricao: string }[]
  descaracterizado: boolean
  decisaoJudicial: boolean
  semente: number
}
