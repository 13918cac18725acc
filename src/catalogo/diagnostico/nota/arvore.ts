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

/** Reads a well-formed XML. Throws DiagnosticoRecusado where it is deeper or larger than a note may be. */
export function lerArvore(xml: string, maisFundo = MAIS_FUNDO): Elemento {
  const raiz = novo('', '', semAtributos(), undefined, 0)
  let atual = raiz
  let quantos = 0
  let fundo = 0
  let seus = semAtributos()
  const leitor = new Parser(
    {
      onattribute: (nome, valor) => {
        seus[nome] ??= valor
      },
      onopentag: (inteiro) => {
        if (++quantos > MAIS_ELEMENTOS || ++fundo > maisFundo) throw new DiagnosticoRecusado('nao-e-nfe')
        const corte = inteiro.indexOf(':')
        const elemento = novo(
          inteiro.slice(corte + 1),
          inteiro.slice(0, Math.max(corte, 0)),
          seus,
          atual,
          leitor.startIndex,
        )
        seus = semAtributos()
        atual.filhos.push(elemento)
        atual = elemento
      },
      ontext: (texto) => {
        atual.texto += texto
      },
      onclosetag: () => {
        fundo--
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
