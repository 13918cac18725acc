import { LARGURA_CODIGO } from '../base/codes.ts'
import { createTableIndex } from '../base/coding.ts'
import type { Tabela } from '../base/dominios.ts'
import type { Encoding } from '../base/formato-coding.ts'
import { createWordEncoder } from '../base/text.ts'
import { type Counts, count, MAX_UNKNOWN_CODES } from './counts.ts'
import type { Setup } from './prepare.ts'
import { createQuarentena, type Quarentena } from './quarentena.ts'
import type { SliceWriter } from './slice-writer.ts'
import { createSlices, type Slices } from './slices.ts'

/** What the readers of one zip's rows share. */
export type ReadContext = {
  encoding: Encoding
  slices: Slices
  dataLimite: number
  writer: SliceWriter
  quarentena: Quarentena
  contagens: Counts
  desconhecidos: Counts
}

/** Prepares to read the zip named `arquivo` into `writer`. */
export function createReadContext(setup: Setup, arquivo: string, writer: SliceWriter): ReadContext {
  const desconhecidos: Counts = {}
  const indexOf = (nome: keyof typeof LARGURA_CODIGO, tabela: Tabela) =>
    createTableIndex(tabela, LARGURA_CODIGO[nome], (codigo) => {
      const name = `${nome} ${codigo.slice(0, 40)}`
      if (desconhecidos[name] !== undefined || Object.keys(desconhecidos).length < MAX_UNKNOWN_CODES) {
        count(desconhecidos, name)
      } else count(desconhecidos, `${nome} (outros)`)
    })
  const { dominios } = setup
  return {
    encoding: {
      palavras: createWordEncoder(setup.palavras),
      cnaes: indexOf('cnaes', dominios.cnaes),
      municipios: indexOf('municipios', dominios.municipios),
      naturezas: indexOf('naturezas', dominios.naturezas),
      qualificacoes: indexOf('qualificacoes', dominios.qualificacoes),
      motivos: indexOf('motivos', dominios.motivos),
      ufs: dominios.municipios.ufs,
    },
    slices: createSlices(setup.fatias),
    dataLimite: setup.dataLimite,
    writer,
    quarentena: createQuarentena(arquivo),
    contagens: {},
    desconhecidos,
  }
}
