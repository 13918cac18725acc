import { Parser } from 'htmlparser2'
import { DiagnosticoRecusado } from '../recusa.ts'

/** An element of the text that was sent: a `No` that knows its place. */
export type Elemento = {
  nome: string
  /** Of its name, without the colon; empty if it has none. */
  prefixo: string
  atributos: Record<string, string>
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
  const raiz = novo('', '', semAtributos(), undefined, 0)
  let atual = raiz
  let quantos = 0
  let seus = semAtributos()
  let atributos = 0
  let declarados = 0
  /** The namespaces with a prefix that are declared at each level, from the root down. */
  const emCadaNivel: number[] = []
  let emEscopo = 0
  const recusarSe = (passa: boolean): void => {
    if (passa) throw new DiagnosticoRecusado('nao-e-nfe')
  }
  const leitor = new Parser(
    {
      onattribute: (nome, valor) => {
        recusarSe(++atributos > MAIS_ATRIBUTOS || nome.length > MAIOR_NOME)
        if (nome.startsWith('xmlns:')) declarados++
        seus[nome] ??= valor
      },
      onopentag: (inteiro) => {
        emEscopo += declarados
        emCadaNivel.push(declarados)
        recusarSe(++quantos > MAIS_ELEMENTOS || emCadaNivel.length > maisFundo)
        recusarSe(inteiro.length > MAIOR_NOME || emEscopo > MAIS_NAMESPACES)
        const corte = inteiro.indexOf(':')
        const elemento = novo(
          inteiro.slice(corte + 1),
          inteiro.slice(0, Math.max(corte, 0)),
          seus,
          atual,
          leitor.startIndex,
        )
        seus = semAtributos()
        atributos = 0
        declarados = 0
        atual.filhos.push(elemento)
        atual = elemento
      },
      ontext: (texto) => {
        atual.texto += texto
      },
      onclosetag: () => {
        emEscopo -= emCadaNivel.pop() ?? 0
        atual.fim = leitor.endIndex + 1
        if (atual.filhos.length > 0) atual.texto = ''
        atual = atual.pai ?? raiz
      },
    },
    { xmlMode: true },
  )
  leitor.end(xml)
  return raiz
}

/** Attributes may have any name, such as `__proto__`. */
const semAtributos = (): Record<string, string> => Object.create(null)

const novo = (
  nome: string,
  prefixo: string,
  atributos: Record<string, string>,
  pai: Elemento | undefined,
  inicio: number,
): Elemento => ({ nome, prefixo, atributos, filhos: [], texto: '', pai, inicio, fim: inicio })
