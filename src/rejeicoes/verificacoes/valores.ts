import type { No } from '../no.ts'
import type { Caminho, Condicao, Numero } from '../rules.ts'
import type { Cena } from './cena.ts'
import { dividir, inteiro, multiplicar, parseDecimal } from './decimal.ts'
import { compilarColuna, type Texto } from './valor.ts'
import type { Caminhos } from './verificacoes-caminho.ts'

/** A decimal of ten places; undefined if what it is made of is no decimal. */
export type Decimal = (ponto: No, cena: Cena) => bigint | undefined

/** A condition: true, false, or undefined where what it needs is not at hand. */
export type Teste = (ponto: No, cena: Cena) => boolean | undefined

/** What the compilers of a check share. */
export type Ferramentas = {
  caminhos: Caminhos
  /** Compiles a condition whose paths start where `sob` says. */
  condicao: (condicao: Condicao, sob: Caminhos) => Teste
}

/** Compiles a number. Throws if a literal is no decimal. */
export function compilarNumero(numero: Numero, ferramentas: Ferramentas): Decimal {
  const de = (outro: Numero): Decimal => compilarNumero(outro, ferramentas)
  if (typeof numero === 'string') return literal(numero)
  if ('v' in numero) return campo(numero.v, ferramentas)
  if ('coluna' in numero) return daColuna(compilarColuna(numero.coluna, ferramentas.caminhos))
  if ('conta' in numero) {
    const { pontos } = ferramentas.caminhos.ler(numero.conta)
    return (ponto, cena) => inteiro(pontos(ponto, cena).length)
  }
  if ('menos' in numero) {
    const [primeiro = literal('0'), ...outros] = numero.menos.map(de)
    return comDois(primeiro, somar(outros), (um, outro) => um - outro)
  }
  if ('vezes' in numero) return comDois(de(numero.vezes[0]), de(numero.vezes[1]), multiplicar)
  if ('dividido' in numero) return comDois(de(numero.dividido[0]), de(numero.dividido[1]), dividir)
  if (typeof numero.soma === 'string') return somarCampos({ ...numero, soma: numero.soma }, ferramentas)
  return somar(numero.soma.map(de))
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
  const { achar, texto } = caminhos.ler(caminho)
  return (ponto, cena) => {
    const achado = achar(ponto, cena)
    return achado ? parseDecimal(texto(achado)) : 0n
  }
}

/** What two texts or two numbers give; undefined if one of them is not known. */
export const comDois =
  <L, T>(
    um: (ponto: No, cena: Cena) => L | undefined,
    outro: (ponto: No, cena: Cena) => L | undefined,
    fazer: (um: L, outro: L) => T,
  ) =>
  (ponto: No, cena: Cena): T | undefined => {
    const primeiro = um(ponto, cena)
    if (primeiro === undefined) return undefined
    const segundo = outro(ponto, cena)
    return segundo === undefined ? undefined : fazer(primeiro, segundo)
  }

const somar =
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

/** The sum of a field of every element, or of those elements for which `se` is true. */
function somarCampos(
  { soma, em, se }: { soma: Caminho; em?: Caminho; se?: Condicao },
  { caminhos, condicao }: Ferramentas,
): Decimal {
  const donos = caminhos.ler(em ?? '.')
  const sob = caminhos.sob(em ?? '.')
  const { pontos, texto } = sob.ler(soma)
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
