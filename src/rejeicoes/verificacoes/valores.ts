import type { Caminho, Condicao, DaTabela, No, Numero, ValorDaNota } from '../rules.ts'
import { celulaDe } from '../rules-tabela.ts'
import type { Caminhos, Cena } from './caminho.ts'

/** A day, or an instant with its offset, as the NF-e writes them. */
const FORMA = /^(\d{4}-\d{2}-\d{2})(?:(T\d{2}:\d{2}:\d{2})(?:\.\d+)?(Z|[+-]\d{2}:\d{2}))?$/

type Momento = { dia: string; hora: string; fuso: string }

function parseMomento(texto: string): Momento | undefined {
  const [, dia, hora = '', fuso = ''] = FORMA.exec(texto) ?? []
  if (!dia || Number.isNaN(Date.parse(dia + hora + fuso))) return undefined
  return { dia, hora, fuso }
}

/** By their days if one has no time. False if one is absent, undefined if one is no moment. */
export function isAntes(um: string, outro: string): boolean | undefined {
  if (um === '' || outro === '') return false
  const primeiro = parseMomento(um)
  const segundo = parseMomento(outro)
  if (!primeiro || !segundo) return undefined
  if (!primeiro.hora || !segundo.hora) return primeiro.dia < segundo.dia
  return Date.parse(um) < Date.parse(outro)
}

const MILISSEGUNDOS = { minutos: 60_000, dias: 86_400_000 }

const MESES = { meses: 1, anos: 12 }

export type Unidade = keyof typeof MILISSEGUNDOS | keyof typeof MESES

/** Moves a moment and keeps its offset. Empty stays empty; undefined if the text is no moment. */
export function addTempo(texto: string, quantos: number, unidade: Unidade): string | undefined {
  if (texto === '') return ''
  const momento = parseMomento(texto)
  if (!momento) return undefined
  const { dia, hora, fuso } = momento
  const local = new Date(`${dia}${hora || 'T00:00:00'}Z`)
  const novo =
    unidade === 'meses' || unidade === 'anos'
      ? addMeses(local, quantos * MESES[unidade])
      : new Date(local.getTime() + quantos * MILISSEGUNDOS[unidade])
  const escrito = novo.toISOString()
  return hora ? escrito.slice(0, 19) + fuso : escrito.slice(0, 10)
}

/** The last day stands for one that the month does not have. */
function addMeses(local: Date, meses: number): Date {
  const novo = new Date(local)
  novo.setUTCMonth(local.getUTCMonth() + meses)
  if (novo.getUTCDate() !== local.getUTCDate()) novo.setUTCDate(0)
  return novo
}

/** A text of the note; undefined if what it needs is not at hand. */
export type Texto = (ponto: No, cena: Cena) => string | undefined

export function compileValor(valor: ValorDaNota, caminhos: Caminhos): Texto {
  const de = (outro: ValorDaNota): Texto => compileValor(outro, caminhos)
  if (typeof valor === 'string') return () => valor
  if ('v' in valor) return caminhos.read(valor.v).primeiro
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
    return comTexto(de(outro), (texto) => addTempo(texto, quantos, unidade))
  }
  if ('coluna' in valor) return compileColuna(valor.coluna, caminhos)
  if ('junta' in valor) return join(valor.junta.map(de))
  const nome = valor.contexto
  if (nome === 'agora') return (_, { contexto }) => contexto.agora
  return (_, { contexto }) => contexto.valor(nome)
}

function compileColuna([nome, codigo, coluna]: DaTabela, caminhos: Caminhos): Texto {
  const texto = compileValor(codigo, caminhos)
  return (ponto, cena) => {
    const tabela = cena.contexto.codigos(nome)
    const lido = texto(ponto, cena)
    return tabela && lido !== undefined
      ? celulaDe(tabela, lido, { coluna, dia: cena.regencia.dia })
      : undefined
  }
}

export const comTexto =
  <T>(texto: Texto, make: (texto: string) => T) =>
  (ponto: No, cena: Cena): T | undefined => {
    const lido = texto(ponto, cena)
    return lido === undefined ? undefined : make(lido)
  }

const join =
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

/** Decimal places that the arithmetic keeps; no field of the NF-e has more. */
const CASAS = 10

const UM = 10n ** BigInt(CASAS)

/** No field of the NF-e has as many digits. */
const MAIOR = 40

/** Reads a decimal as the NF-e writes it, in units of the tenth place. Undefined if it is none. */
export function parseDecimal(texto: string): bigint | undefined {
  return texto.length > CURTO ? parseLongo(texto) : parseCurto(texto)
}

/** Characters. So many digits fit a number exactly. */
const CURTO = 15

const MENOS = 45
const PONTO = 46
const ZERO = 48
const NOVE = 57

/** A large note has hundred thousands of values, and a pattern for each would take most of the time. */
function parseCurto(texto: string): bigint | undefined {
  const inicio = texto.charCodeAt(0) === MENOS ? 1 : 0
  let digitos = 0
  let ponto = -1
  for (let i = inicio; i < texto.length; i++) {
    const sinal = texto.charCodeAt(i)
    if (sinal >= ZERO && sinal <= NOVE) digitos = digitos * 10 + sinal - ZERO
    else if (sinal === PONTO && ponto < 0) ponto = i
    else return undefined
  }
  if (texto.length === inicio || ponto === inicio || ponto === texto.length - 1) return undefined
  const casas = ponto < 0 ? 0 : texto.length - 1 - ponto
  const fator = FATORES[CASAS - casas]
  if (fator === undefined) return undefined
  const escalado = digitos * fator
  const valor = Number.isSafeInteger(escalado) ? BigInt(escalado) : BigInt(digitos) * BigInt(fator)
  return inicio > 0 ? -valor : valor
}

const FATORES = Array.from({ length: CASAS + 1 }, (_, i) => 10 ** i)

function parseLongo(texto: string): bigint | undefined {
  if (texto.length > MAIOR || !/^-?\d+(?:\.\d{1,10})?$/.test(texto)) return undefined
  const ponto = texto.indexOf('.')
  if (ponto < 0) return BigInt(texto) * UM
  return BigInt(texto.slice(0, ponto) + texto.slice(ponto + 1).padEnd(CASAS, '0'))
}

/** Writes a decimal as the NF-e does, with two places or as many more as it has. */
export function formatDecimal(valor: bigint): string {
  const digitos = String(valor < 0n ? -valor : valor).padStart(CASAS + 1, '0')
  const casas = digitos.slice(-CASAS).replace(/0{1,8}$/, '')
  return `${valor < 0n ? '-' : ''}${digitos.slice(0, -CASAS)}.${casas}`
}

/** Halves go away from zero. */
function round(dividendo: bigint, divisor: bigint): bigint {
  const metade = (divisor < 0n ? -divisor : divisor) / 2n
  return (dividendo < 0n ? dividendo - metade : dividendo + metade) / divisor
}

const multiply = (um: bigint, outro: bigint): bigint => round(um * outro, UM)

/** Undefined if the divisor is zero. */
const divide = (dividendo: bigint, divisor: bigint): bigint | undefined =>
  divisor === 0n ? undefined : round(dividendo * UM, divisor)

const inteiro = (quantos: number): bigint => BigInt(quantos) * UM

/** A decimal of ten places; undefined if what it is made of is no decimal. */
export type Decimal = (ponto: No, cena: Cena) => bigint | undefined

/** A condition: true, false, or undefined where what it needs is not at hand. */
export type Teste = (ponto: No, cena: Cena) => boolean | undefined

export type Ferramentas = {
  caminhos: Caminhos
  /** Compiles a condition whose paths start where `sob` says. */
  condicao: (condicao: Condicao, sob: Caminhos) => Teste
}

/** Throws if a literal is no decimal. */
export function compileNumero(numero: Numero, ferramentas: Ferramentas): Decimal {
  const de = (outro: Numero): Decimal => compileNumero(outro, ferramentas)
  if (typeof numero === 'string') return literal(numero)
  if ('v' in numero) return campo(numero.v, ferramentas)
  if ('coluna' in numero) return daColuna(compileColuna(numero.coluna, ferramentas.caminhos))
  if ('conta' in numero) {
    const { pontos } = ferramentas.caminhos.read(numero.conta)
    return (ponto, cena) => inteiro(pontos(ponto, cena).length)
  }
  if ('menos' in numero) {
    const [primeiro = literal('0'), ...outros] = numero.menos.map(de)
    return comDois(primeiro, sum(outros), (um, outro) => um - outro)
  }
  if ('vezes' in numero) return comDois(de(numero.vezes[0]), de(numero.vezes[1]), multiply)
  if ('dividido' in numero) return comDois(de(numero.dividido[0]), de(numero.dividido[1]), divide)
  if (typeof numero.soma === 'string') return sumCampos({ ...numero, soma: numero.soma }, ferramentas)
  return sum(numero.soma.map(de))
}

function literal(texto: string): Decimal {
  const valor = parseDecimal(texto)
  if (valor === undefined) throw new Error(`${texto} is no decimal`)
  return () => valor
}

const daColuna =
  (texto: Texto): Decimal =>
  (ponto, cena) => {
    const lido = texto(ponto, cena)
    return lido === undefined ? undefined : parseDecimal(lido)
  }

function campo(caminho: Caminho, { caminhos }: Ferramentas): Decimal {
  const { find, texto } = caminhos.read(caminho)
  return (ponto, cena) => {
    const achado = find(ponto, cena)
    return achado ? parseDecimal(texto(achado)) : 0n
  }
}

export const comDois =
  <L, T>(
    um: (ponto: No, cena: Cena) => L | undefined,
    outro: (ponto: No, cena: Cena) => L | undefined,
    make: (um: L, outro: L) => T,
  ) =>
  (ponto: No, cena: Cena): T | undefined => {
    const primeiro = um(ponto, cena)
    if (primeiro === undefined) return undefined
    const segundo = outro(ponto, cena)
    return segundo === undefined ? undefined : make(primeiro, segundo)
  }

const sum =
  (parcelas: readonly Decimal[]): Decimal =>
  (ponto, cena) => {
    let total = 0n
    for (const parcela of parcelas) {
      const valor = parcela(ponto, cena)
      if (valor === undefined) return undefined
      total += valor
    }
    return total
  }

function sumCampos(
  { soma, em, se }: { soma: Caminho; em?: Caminho; se?: Condicao },
  { caminhos, condicao }: Ferramentas,
): Decimal {
  const donos = caminhos.read(em ?? '.')
  const sob = caminhos.sob(em ?? '.')
  const { pontos, texto } = sob.read(soma)
  const teste = se && condicao(se, sob)
  return (ponto, cena) => {
    let total = 0n
    for (const dono of donos.pontos(ponto, cena)) {
      const vale = teste ? teste(dono, cena) : true
      if (vale === undefined) return undefined
      if (!vale) continue
      for (const parcela of pontos(dono, cena)) {
        const valor = parseDecimal(texto(parcela))
        if (valor === undefined) return undefined
        total += valor
      }
    }
    return total
  }
}
