import type { Dominios, Tabela } from './dominios.ts'

/** The words of the register's codes. Undefined for a code that the table lacks. */
export type Tabelas = {
  cnae: (codigo: string) => string | undefined
  natureza: (codigo: string) => string | undefined
  qualificacao: (codigo: string) => string | undefined
  /** A municipality by the Receita Federal's code (TOM). `ibge` is empty abroad. */
  municipio: (tom: string) => { nome: string; ibge: string } | undefined
}

type Usados = Pick<Dominios, 'cnaes' | 'naturezas' | 'qualificacoes'> & {
  municipios: Pick<Dominios['municipios'], 'codigos' | 'descricoes' | 'ibge'>
}

/** Opens the tables for single codes. */
export function openTabelas({ cnaes, naturezas, qualificacoes, municipios }: Usados): Tabelas {
  const places = new Map(municipios.codigos.map((tom, place) => [tom, place]))
  return {
    cnae: wordsOf(cnaes),
    natureza: wordsOf(naturezas),
    qualificacao: wordsOf(qualificacoes),
    municipio: (tom) => {
      const place = places.get(tom)
      if (place === undefined) return undefined
      return { nome: municipios.descricoes[place] ?? '', ibge: municipios.ibge[place] ?? '' }
    },
  }
}

function wordsOf({ codigos, descricoes }: Tabela): (codigo: string) => string | undefined {
  const words = new Map(codigos.map((codigo, place) => [codigo, descricoes[place] ?? '']))
  return (codigo) => words.get(codigo)
}
