import { isChaveComDigito } from '../../documento/chave.ts'
import { isCnpj, isCpf } from '../../documento/documento.ts'
import { inscricaoProblem } from '../../documento/inscricao-estadual.ts'
import { findUf, ufs, unidades } from '../../documento/uf.ts'
import type { Caminho, Condicao, Numero, ValorDaNota } from '../rules.ts'
import { isListed } from '../rules-tabela.ts'
import type { Caminhos, Leitor } from './caminho.ts'
import {
  comDois,
  compileNumero,
  compileValor,
  comTexto,
  type Decimal,
  type Ferramentas,
  isAntes,
  parseDecimal,
  type Teste,
  type Texto,
} from './valores.ts'

export const partesDe = (condicao: Condicao): Condicao[] =>
  'e' in condicao ? condicao.e.flatMap(partesDe) : [condicao]

/** Whether a condition names no element of its place: a path that starts there has its point in quotes. */
export const isDaNota = (condicao: Condicao): boolean => !/"\.(?:\/|")/.test(JSON.stringify(condicao))

/** Paths each of which must find something, or the condition is false for sure, never unknown. */
export function exigidosPor(condicao: Condicao): Caminho[] {
  if ('e' in condicao) return condicao.e.flatMap(exigidosPor)
  if ('ou' in condicao) return comuns(condicao.ou.map(exigidosPor))
  if ('nao' in condicao) return dispensadosPor(condicao.nao)
  if ('presente' in condicao) return inicios(condicao.presente)
  if ('algum' in condicao) return inicios(condicao.algum)
  if ('igual' in condicao) return comTextoNaoVazio(condicao.igual)
  if ('em' in condicao) return condicao.em[1].includes('') ? [] : doCampo(condicao.em[0])
  if ('casa' in condicao) return new RegExp(condicao.casa[1], 'u').test('') ? [] : doCampo(condicao.casa[0])
  if ('maior' in condicao) return isNegativo(condicao.maior[1]) ? [] : doCampo(condicao.maior[0])
  return []
}

/** Paths each of which must find something, or the condition is true for sure, never unknown. */
export function dispensadosPor(condicao: Condicao): Caminho[] {
  if ('ou' in condicao) return condicao.ou.flatMap(dispensadosPor)
  if ('e' in condicao) return comuns(condicao.e.map(dispensadosPor))
  if ('nao' in condicao) return exigidosPor(condicao.nao)
  if ('ausente' in condicao) return inicios(condicao.ausente)
  if ('todos' in condicao) return inicios(condicao.todos)
  if ('unicos' in condicao) return inicios(condicao.unicos)
  if ('difere' in condicao) return comTextoNaoVazio(condicao.difere)
  return []
}

function comuns([primeira = [], ...outras]: readonly Caminho[][]): Caminho[] {
  return primeira.filter((caminho) => outras.every((outra) => outra.includes(caminho)))
}

/** `./prod/NCM` needs `./prod`, too. */
function inicios(caminho: Caminho): Caminho[] {
  const passos = caminho.split('/')
  return passos.map((_, i) => passos.slice(0, i + 1).join('/')).filter((inicio) => inicio !== '.')
}

/** The path of a value or a number that is a field of the note alone; an absent one is empty, or zero. */
const doCampo = (valor: ValorDaNota | Numero): Caminho[] =>
  typeof valor !== 'string' && 'v' in valor ? inicios(valor.v) : []

function comTextoNaoVazio([um, outro]: readonly [ValorDaNota, ValorDaNota]): Caminho[] {
  if (typeof outro === 'string') return outro === '' ? [] : doCampo(um)
  return typeof um === 'string' && um !== '' ? doCampo(outro) : []
}

/** Whether a literal is below zero, or no literal. */
const isNegativo = (numero: Numero): boolean =>
  typeof numero !== 'string' || (parseDecimal(numero) ?? -1n) < 0n

/** Whether the last digit of a GTIN of 8, 12, 13 or 14 digits is its check digit (GS1). */
function isGtin(texto: string): boolean {
  if (!/^(?:\d{8}|\d{12,14})$/.test(texto)) return false
  const soma = [...texto].reverse().reduce((total, digito, i) => total + Number(digito) * (i % 2 ? 3 : 1), 0)
  return soma % 10 === 0
}

/** Municipalities whose published code has another last digit (IBGE, "Códigos dos municípios"). */
const semDigito: ReadonlySet<string> = new Set([
  '2201919',
  '2202251',
  '2201988',
  '2611533',
  '3117836',
  '3152131',
  '4305871',
  '5203939',
  '5203962',
])

function isMunicipioComDigito(texto: string): boolean {
  if (!/^\d{7}$/.test(texto)) return false
  if (semDigito.has(texto)) return true
  const soma = [...texto].slice(0, 6).reduce((total, digito, i) => {
    const produto = Number(digito) * (i % 2 ? 2 : 1)
    return total + (produto > 9 ? produto - 9 : produto)
  }, 0)
  return (10 - (soma % 10)) % 10 === Number(texto[6])
}

/**
 * `estado` is a name or two digits. Zeros on the left may be missing or too many, as the authorities take
 * them.
 */
function isInscricaoDaUf(estado: string, inscricao: string): boolean {
  const uf = findUf(estado) ?? ufs.find((sigla) => unidades[sigla].codigo === estado)
  if (!uf) return false
  const semZeros = inscricao.replace(/^0+/, '')
  if (semZeros === '') return false
  if (inscricaoProblem(uf, inscricao) === undefined) return true
  for (let tamanho = semZeros.length; tamanho <= 14; tamanho++)
    if (inscricaoProblem(uf, semZeros.padStart(tamanho, '0')) === undefined) return true
  return false
}

/** Whether the last of the nine digits of a registration at Suframa is its check digit (modulus 11). */
function isSuframa(texto: string): boolean {
  if (!/^\d{9}$/.test(texto)) return false
  const resto = [...texto].slice(0, 8).reduce((total, digito, i) => total + Number(digito) * (9 - i), 0) % 11
  return (resto < 2 ? 0 : 11 - resto) === Number(texto[8])
}

export const digitos = {
  chave: ([chave = '']: string[]) => isChaveComDigito(chave),
  cnpj: ([cnpj = '']: string[]) => isCnpj(cnpj),
  cpf: ([cpf = '']: string[]) => isCpf(cpf),
  documento: ([documento = '']: string[]) => isCnpj(documento) || isCpf(documento),
  gtin: ([gtin = '']: string[]) => isGtin(gtin),
  'ie-da-uf': ([uf = '', ie = '']: string[]) => isInscricaoDaUf(uf, ie),
  municipio: ([municipio = '']: string[]) => isMunicipioComDigito(municipio),
  suframa: ([suframa = '']: string[]) => isSuframa(suframa),
} as const

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
const ou =
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

const nao =
  (teste: Teste): Teste =>
  (ponto, cena) => {
    const vale = teste(ponto, cena)
    return vale === undefined ? undefined : !vale
  }

const todos =
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

const algum =
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
const unicos =
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

/** Throws for a pattern or a number that cannot be. */
export function compileCondicao(condicao: Condicao, caminhos: Caminhos): Teste {
  if (!caminhos.isDaNota && isDaNota(condicao))
    return umaVez(
      compileCondicao(condicao, caminhos.daNota),
      caminhos.numberCondicao(JSON.stringify(condicao)),
    )
  const ferramentas: Ferramentas = { caminhos, condicao: compileCondicao }
  return (
    compileJuncao(condicao, ferramentas) ??
    compileTexto(condicao, ferramentas) ??
    compileComparacao(condicao, ferramentas)
  )
}

/** Decides a condition that names no element of its place once in a note. */
const umaVez =
  (teste: Teste, numero: number): Teste =>
  (ponto, cena) => {
    const decidida = cena.iguais[numero]
    if (decidida !== undefined) return decidida ?? undefined
    const vale = teste(ponto, cena)
    cena.iguais[numero] = vale ?? null
    return vale
  }

function compileJuncao(condicao: Condicao, { caminhos }: Ferramentas): Teste | undefined {
  const de = (outra: Condicao): Teste => compileCondicao(outra, caminhos)
  if ('e' in condicao) return e(condicao.e.map(de))
  if ('ou' in condicao) return ou(condicao.ou.map(de))
  if ('nao' in condicao) return nao(de(condicao.nao))
  const sob = (caminho: Caminho, sa: Condicao): Teste => compileCondicao(sa, caminhos.sob(caminho))
  if ('todos' in condicao)
    return todos(caminhos.read(condicao.todos).pontos, sob(condicao.todos, condicao.sa))
  if ('algum' in condicao)
    return algum(caminhos.read(condicao.algum).pontos, sob(condicao.algum, condicao.sa))
  if ('unicos' in condicao)
    return unicos(
      caminhos.read(condicao.unicos),
      condicao.por === undefined ? undefined : caminhos.sob(condicao.unicos).read(condicao.por),
    )
  if ('presente' in condicao) return caminhos.read(condicao.presente).existe
  if ('ausente' in condicao) return nao(caminhos.read(condicao.ausente).existe)
  return undefined
}

function compileTexto(condicao: Condicao, { caminhos }: Ferramentas): Teste | undefined {
  if ('em' in condicao) {
    const valores = new Set(condicao.em[1])
    return comTexto(compileValor(condicao.em[0], caminhos), (texto) => valores.has(texto))
  }
  if ('casa' in condicao) {
    const padrao = new RegExp(condicao.casa[1], 'u')
    return comTexto(compileValor(condicao.casa[0], caminhos), (texto) => padrao.test(texto))
  }
  if ('tabela' in condicao) {
    const [nome, valor] = condicao.tabela
    const texto = compileValor(valor, caminhos)
    return (ponto, cena) => {
      const lido = texto(ponto, cena)
      if (lido === undefined) return undefined
      const tabela = cena.contexto.codigos(nome)
      return tabela ? isListed(tabela, lido, cena.regencia.dia) : cena.contexto.tabela(nome, lido)
    }
  }
  if ('dv' in condicao) {
    const [qual, ...valores] = condicao.dv
    return comTextos(
      valores.map((valor) => compileValor(valor, caminhos)),
      digitos[qual],
    )
  }
  return undefined
}

function compileComparacao(condicao: Condicao, ferramentas: Ferramentas): Teste {
  const texto = (valor: ValorDaNota): Texto => compileValor(valor, ferramentas.caminhos)
  const numero = (valor: Numero): Decimal => compileNumero(valor, ferramentas)
  if ('igual' in condicao)
    return comDois(texto(condicao.igual[0]), texto(condicao.igual[1]), (um, outro) => um === outro)
  if ('difere' in condicao)
    return comDois(texto(condicao.difere[0]), texto(condicao.difere[1]), (um, outro) => um !== outro)
  if ('antes' in condicao) return comDois(texto(condicao.antes[0]), texto(condicao.antes[1]), isAntes)
  if ('menor' in condicao)
    return comDois(numero(condicao.menor[0]), numero(condicao.menor[1]), (um, outro) => um < outro)
  if ('maior' in condicao)
    return comDois(numero(condicao.maior[0]), numero(condicao.maior[1]), (um, outro) => um > outro)
  if ('fecha' in condicao) return compileFecha(condicao, numero)
  throw new Error(`${Object.keys(condicao).join()} is no operator`)
}

function compileFecha(
  { fecha, tol = '0' }: Extract<Condicao, { fecha: unknown }>,
  numero: (valor: Numero) => Decimal,
): Teste {
  const tolerancia = numero(tol)
  const diferenca = comDois(numero(fecha[0]), numero(fecha[1]), (um, outro) =>
    um > outro ? um - outro : outro - um,
  )
  return (ponto, cena) => {
    const quanto = diferenca(ponto, cena)
    const limite = tolerancia(ponto, cena)
    return quanto === undefined || limite === undefined ? undefined : quanto <= limite
  }
}

const comTextos =
  (textos: readonly Texto[], teste: (textos: string[]) => boolean | undefined): Teste =>
  (ponto, cena) => {
    const lidos: string[] = []
    for (const texto of textos) {
      const lido = texto(ponto, cena)
      if (lido === undefined) return undefined
      lidos.push(lido)
    }
    return teste(lidos)
  }
