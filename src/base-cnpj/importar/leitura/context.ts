import { LARGURA_CODIGO } from '../../formato/codes.ts'
import type { Codificacao } from '../../formato/coding.ts'
import type { Tabela } from '../../formato/dominios.ts'
import { createIndice } from '../../formato/tabela.ts'
import { createCodificador } from '../../formato/texto.ts'
import { CODIGOS_MAXIMO, type Contagens, count } from '../counts.ts'
import type { Preparo } from '../prepare.ts'
import { createQuarentena, type Quarentena } from './quarentena.ts'
import type { EscritorDeFatias } from './slice-writer.ts'
import { createFatias, type Fatias } from './slices.ts'

/** What the rows of one zip need as they are read. */
export type ContextoDeLeitura = {
  codificacao: Codificacao
  fatias: Fatias
  dataLimite: number
  escritor: EscritorDeFatias
  quarentena: Quarentena
  contagens: Contagens
  desconhecidos: Contagens
}

/** Prepares to read a zip of `conjunto` named `arquivo` into `escritor`. */
export function createContexto(
  preparo: Preparo,
  arquivo: string,
  escritor: EscritorDeFatias,
): ContextoDeLeitura {
  const desconhecidos: Contagens = {}
  const indice = (nome: keyof typeof LARGURA_CODIGO, tabela: Tabela) =>
    createIndice(tabela, LARGURA_CODIGO[nome], (codigo) => {
      const name = `${nome} ${codigo.slice(0, 40)}`
      if (desconhecidos[name] !== undefined || Object.keys(desconhecidos).length < CODIGOS_MAXIMO) {
        count(desconhecidos, name)
      } else count(desconhecidos, `${nome} (outros)`)
    })
  const { dominios } = preparo
  return {
    codificacao: {
      palavras: createCodificador(preparo.palavras),
      cnaes: indice('cnaes', dominios.cnaes),
      municipios: indice('municipios', dominios.municipios),
      naturezas: indice('naturezas', dominios.naturezas),
      qualificacoes: indice('qualificacoes', dominios.qualificacoes),
      motivos: indice('motivos', dominios.motivos),
      ufs: dominios.municipios.ufs,
    },
    fatias: createFatias(preparo.fatias),
    dataLimite: preparo.dataLimite,
    escritor,
    quarentena: createQuarentena(arquivo),
    contagens: {},
    desconhecidos,
  }
}
