import type { No } from '../no.ts'
import type { DaTabela, ValorDaNota } from '../rules.ts'
import { celulaDe } from '../tabelas/tabela.ts'
import type { Cena } from './cena.ts'
import { somarTempo } from './momento.ts'
import type { Caminhos } from './verificacoes-caminho.ts'

/** A text of the note; undefined if what it needs is not at hand. */
export type Texto = (ponto: No, cena: Cena) => string | undefined

/** Compiles a text. */
export function compilarValor(valor: ValorDaNota, caminhos: Caminhos): Texto {
  const de = (outro: ValorDaNota): Texto => compilarValor(outro, caminhos)
  if (typeof valor === 'string') return () => valor
  if ('v' in valor) return caminhos.ler(valor.v).primeiro
  if ('parte' in valor) {
    const [outro, inicio, fim] = valor.parte
    return comTexto(de(outro), (texto) => texto.slice(inicio, fim))
  }
  if ('zeros' in valor) {
    const [outro, tamanho] = valor.zeros
    return comTexto(de(outro), (texto) => texto.padStart(tamanho, '0'))
  }
  if ('digitos' in valor) return comTexto(de(valor.digitos), (texto) => texto.replace(/\D/g, ''))
  if ('maiusculas' in valor) return comTexto(de(valor.maiusculas), (texto) => texto.toUpperCase())
  if ('apos' in valor) {
    const [outro, marca] = valor.apos
    return comTexto(de(outro), (texto) => {
      const onde = texto.indexOf(marca)
      return onde < 0 ? '' : texto.slice(onde + marca.length)
    })
  }
  if ('mais' in valor) {
    const [outro, quantos, unidade] = valor.mais
    return comTexto(de(outro), (texto) => somarTempo(texto, quantos, unidade))
  }
  if ('coluna' in valor) return compilarColuna(valor.coluna, caminhos)
  if ('junta' in valor) return juntar(valor.junta.map(de))
  const nome = valor.contexto
  if (nome === 'agora') return (_, { contexto }) => contexto.agora
  return (_, { contexto }) => contexto.valor(nome)
}

/** A cell of the row of a code that is in force on the day of the rules. */
export function compilarColuna([nome, codigo, coluna]: DaTabela, caminhos: Caminhos): Texto {
  const texto = compilarValor(codigo, caminhos)
  return (ponto, cena) => {
    const tabela = cena.contexto.codigos(nome)
    const lido = texto(ponto, cena)
    return tabela && lido !== undefined
      ? celulaDe(tabela, lido, { coluna, dia: cena.regencia.dia })
      : undefined
  }
}

/** What a text gives; undefined if it is not known. */
export const comTexto =
  <T>(texto: Texto, fazer: (texto: string) => T) =>
  (ponto: No, cena: Cena): T | undefined => {
    const lido = texto(ponto, cena)
    return lido === undefined ? undefined : fazer(lido)
  }

const juntar =
  (textos: readonly Texto[]): Texto =>
  (ponto, cena) => {
    let junto = ''
    for (const texto of textos) {
      const lido = texto(ponto, cena)
      if (lido === undefined) return undefined
      junto += lido
    }
    return junto
  }
