import type { Teste } from './valores.ts'
import type { Leitor } from './verificacoes-caminho.ts'

/** True if all are; false if one is false, whatever is unknown. */
export const e =
  (testes: readonly Teste[]): Teste =>
  (ponto, cena) => {
    let resultado: boolean | undefined = true
    for (const teste of testes) {
      const vale = teste(ponto, cena)
      if (vale === false) return false
      if (vale === undefined) resultado = undefined
    }
    return resultado
  }

/** True if one is, whatever is unknown; false if all are. */
export const ou =
  (testes: readonly Teste[]): Teste =>
  (ponto, cena) => {
    let resultado: boolean | undefined = false
    for (const teste of testes) {
      const vale = teste(ponto, cena)
      if (vale) return true
      if (vale === undefined) resultado = undefined
    }
    return resultado
  }

/** What is unknown stays unknown. */
export const nao =
  (teste: Teste): Teste =>
  (ponto, cena) => {
    const vale = teste(ponto, cena)
    return vale === undefined ? undefined : !vale
  }

/** Whether the condition is true of every element; true of none. */
export const todos =
  (pontos: Leitor['pontos'], teste: Teste): Teste =>
  (ponto, cena) => {
    let resultado: boolean | undefined = true
    for (const cada of pontos(ponto, cena)) {
      const vale = teste(cada, cena)
      if (vale === false) return false
      if (vale === undefined) resultado = undefined
    }
    return resultado
  }

/** Whether the condition is true of an element; false of none. */
export const algum =
  (pontos: Leitor['pontos'], teste: Teste): Teste =>
  (ponto, cena) => {
    let resultado: boolean | undefined = false
    for (const cada of pontos(ponto, cena)) {
      const vale = teste(cada, cena)
      if (vale) return true
      if (vale === undefined) resultado = undefined
    }
    return resultado
  }

/** Whether no two elements have the same text, or the same text below them. Those without it do not count. */
export const unicos =
  (elementos: Leitor, por: Leitor | undefined): Teste =>
  (ponto, cena) => {
    const vistos = new Set<string>()
    for (const cada of elementos.pontos(ponto, cena)) {
      const texto = por ? por.primeiro(cada, cena) : elementos.texto(cada)
      if (texto === '') continue
      if (vistos.has(texto)) return false
      vistos.add(texto)
    }
    return true
  }
