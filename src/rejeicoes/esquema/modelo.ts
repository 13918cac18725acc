import { descer } from '../nota/lugar.ts'
import type { Elemento } from '../nota/nota-arvore.ts'

/** A child that the schema declares in an element, in the order of the layout. */
export type Declarado = {
  nome: string
  /** The element must have it, whatever else it has. */
  obrigatorio: boolean
  /** Where it is one of several, the choices that it is in and the branch of each. */
  escolhas: readonly { escolha: Elemento; ramo: number }[]
  maximo: number
  tipo: Elemento | undefined
}

/** The declared children of an element, by the names from `NFe` down. Empty if it may have none. */
export type Modelo = (nomes: readonly string[]) => readonly Declarado[]

const semPrefixo = (nome: string): string => nome.slice(nome.indexOf(':') + 1)

/** Reads the structure of a schema from its files: sequences, choices and elements; it has nothing else. */
export function criarModelo(arquivos: readonly Elemento[]): Modelo {
  const tipos = new Map<string, Elemento>()
  const raizes = new Map<string, Elemento>()
  for (const { filhos } of arquivos.flatMap((arquivo) => arquivo.filhos))
    for (const filho of filhos) {
      const { name = '' } = filho.atributos
      if (filho.nome === 'complexType') tipos.set(name, filho)
      if (filho.nome === 'element') raizes.set(name, filho)
    }
  const tipoDe = (elemento: Elemento | undefined): Elemento | undefined =>
    elemento && (descer(elemento, 'complexType') ?? tipos.get(semPrefixo(elemento.atributos.type ?? '')))
  const guardados = new Map<Elemento, readonly Declarado[]>()

  function filhosDe(tipo: Elemento | undefined): readonly Declarado[] {
    if (!tipo) return []
    const guardado = guardados.get(tipo) ?? tipo.filhos.flatMap((no) => declarar(no, LIVRE))
    guardados.set(tipo, guardado)
    return guardado
  }

  function declarar(no: Elemento, acima: Acima): Declarado[] {
    const { minOccurs = '1', maxOccurs = '1', ref, name } = no.atributos
    const vezes = maxOccurs === 'unbounded' ? Number.POSITIVE_INFINITY : Number(maxOccurs)
    const aqui = {
      ...acima,
      obrigatorio: acima.obrigatorio && minOccurs !== '0',
      maximo: acima.maximo * vezes,
    }
    if (no.nome === 'sequence') return no.filhos.flatMap((filho) => declarar(filho, aqui))
    if (no.nome === 'choice')
      return no.filhos.flatMap((filho, ramo) =>
        declarar(filho, { ...aqui, escolhas: [...aqui.escolhas, { escolha: no, ramo }] }),
      )
    if (no.nome !== 'element') return []
    const declaracao = ref ? raizes.get(semPrefixo(ref)) : no
    const obrigatorio = aqui.obrigatorio && aqui.escolhas.length === 0
    return [{ ...aqui, nome: name ?? semPrefixo(ref ?? ''), obrigatorio, tipo: tipoDe(declaracao) }]
  }

  return (nomes) => {
    const [raiz = '', ...resto] = nomes
    const tipo = resto.reduce(
      (pai, nome) => filhosDe(pai).find((declarado) => declarado.nome === nome)?.tipo,
      tipoDe(raizes.get(raiz)),
    )
    return filhosDe(tipo)
  }
}

type Acima = Pick<Declarado, 'obrigatorio' | 'escolhas' | 'maximo'>

const LIVRE: Acima = { obrigatorio: true, escolhas: [], maximo: 1 }
