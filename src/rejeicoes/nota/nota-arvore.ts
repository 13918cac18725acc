import { DiagnosticoRecusado } from '../diagnostico/recusa.ts'
import { lerEtiquetas } from './arvore.ts'

/** An element of the text that was sent: a `No` that knows its place. */
export type Elemento = {
  nome: string
  /** Of its name, without the colon; empty if it has none. */
  prefixo: string
  atributos: Readonly<Record<string, string>>
  filhos: Elemento[]
  texto: string
  pai: Elemento | undefined
  /** Where its text begins, and where it ends. */
  inicio: number
  fim: number
}

/** A note of 990 items has some 60,000. */
const MAIS_ELEMENTOS = 200_000

const MAIS_FUNDO = 40

/** Of one element. Writing a signature's text sorts them one by one. */
const MAIS_ATRIBUTOS = 50

/** Of one place, with a prefix. Each element that is written walks over those of its place. */
const MAIS_NAMESPACES = 50

/** Characters of a name. Every place and message below an element tells it. */
const MAIOR_NOME = 100

/** Reads a well-formed XML. Throws DiagnosticoRecusado where it is deeper or larger than a note may be. */
export function lerArvore(xml: string, maisFundo = MAIS_FUNDO): Elemento {
  const raiz = novo('', '', {}, undefined, 0)
  const nomeDe = criarNomes()
  let atual = raiz
  let quantos = 0
  let atributos = 0
  let declarados = 0
  /** The namespaces with a prefix that are declared at each level, from the root down. */
  const emCadaNivel: number[] = []
  let emEscopo = 0
  const recusarSe = (passa: boolean): void => {
    if (passa) throw new DiagnosticoRecusado('nao-e-nfe')
  }
  lerEtiquetas(xml, {
    aoAtributo: (nome) => {
      recusarSe(++atributos > MAIS_ATRIBUTOS || nome.length > MAIOR_NOME)
      if (nome.startsWith('xmlns:')) declarados++
    },
    aoAbrir: (inteiro, seus, inicio) => {
      emEscopo += declarados
      emCadaNivel.push(declarados)
      recusarSe(++quantos > MAIS_ELEMENTOS || emCadaNivel.length > maisFundo)
      recusarSe(inteiro.length > MAIOR_NOME || emEscopo > MAIS_NAMESPACES)
      const { nome, prefixo } = nomeDe(inteiro)
      const elemento = novo(nome, prefixo, seus, atual, inicio)
      atributos = 0
      declarados = 0
      atual.filhos.push(elemento)
      atual = elemento
    },
    aoTexto: (texto) => {
      // What stands between children is no text of the element.
      if (atual.filhos.length === 0) atual.texto += texto
    },
    aoFechar: (fim) => {
      emEscopo -= emCadaNivel.pop() ?? 0
      atual.fim = fim
      if (atual.filhos.length > 0) atual.texto = ''
      atual = atual.pai ?? raiz
    },
  })
  return raiz
}

type Nome = Pick<Elemento, 'nome' | 'prefixo'>

/** Splits names. Equal ones are one text, which is compared at once with another. */
function criarNomes(): (inteiro: string) => Nome {
  const lidos = new Map<string, Nome>()
  return (inteiro) => {
    const lido = lidos.get(inteiro)
    if (lido) return lido
    const corte = inteiro.indexOf(':')
    const nome = { nome: inteiro.slice(corte + 1), prefixo: inteiro.slice(0, Math.max(corte, 0)) }
    lidos.set(inteiro, nome)
    return nome
  }
}

const novo = (
  nome: string,
  prefixo: string,
  atributos: Elemento['atributos'],
  pai: Elemento | undefined,
  inicio: number,
): Elemento => ({ nome, prefixo, atributos, filhos: [], texto: '', pai, inicio, fim: inicio })
