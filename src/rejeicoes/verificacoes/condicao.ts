import type { Caminho, Condicao, Numero, ValorDaNota } from '../rules.ts'
import { consta } from '../tabelas/tabela.ts'
import { isDaNota } from './alcance.ts'
import { digitos } from './digitos.ts'
import { isAntes } from './momento.ts'
import { algum, e, nao, ou, todos, unicos } from './quantos.ts'
import { compilarValor, comTexto, type Texto } from './valor.ts'
import { comDois, compilarNumero, type Decimal, type Ferramentas, type Teste } from './valores.ts'
import type { Caminhos } from './verificacoes-caminho.ts'

/** Compiles a condition. Throws if it holds a pattern or a number that cannot be. */
export function compilarCondicao(condicao: Condicao, caminhos: Caminhos): Teste {
  if (!caminhos.isDaNota && isDaNota(condicao))
    return umaVez(
      compilarCondicao(condicao, caminhos.daNota),
      caminhos.numerarCondicao(JSON.stringify(condicao)),
    )
  const ferramentas: Ferramentas = { caminhos, condicao: compilarCondicao }
  return (
    compilarJuncao(condicao, ferramentas) ??
    compilarTexto(condicao, ferramentas) ??
    compilarComparacao(condicao, ferramentas)
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

/** Conditions made of conditions, and those on how many elements there are. */
function compilarJuncao(condicao: Condicao, { caminhos }: Ferramentas): Teste | undefined {
  const de = (outra: Condicao): Teste => compilarCondicao(outra, caminhos)
  if ('e' in condicao) return e(condicao.e.map(de))
  if ('ou' in condicao) return ou(condicao.ou.map(de))
  if ('nao' in condicao) return nao(de(condicao.nao))
  const sob = (caminho: Caminho, sa: Condicao): Teste => compilarCondicao(sa, caminhos.sob(caminho))
  if ('todos' in condicao) return todos(caminhos.ler(condicao.todos).pontos, sob(condicao.todos, condicao.sa))
  if ('algum' in condicao) return algum(caminhos.ler(condicao.algum).pontos, sob(condicao.algum, condicao.sa))
  if ('unicos' in condicao)
    return unicos(
      caminhos.ler(condicao.unicos),
      condicao.por === undefined ? undefined : caminhos.sob(condicao.unicos).ler(condicao.por),
    )
  if ('presente' in condicao) return caminhos.ler(condicao.presente).existe
  if ('ausente' in condicao) return nao(caminhos.ler(condicao.ausente).existe)
  return undefined
}

/** Conditions on one text. */
function compilarTexto(condicao: Condicao, { caminhos }: Ferramentas): Teste | undefined {
  if ('em' in condicao) {
    const valores = new Set(condicao.em[1])
    return comTexto(compilarValor(condicao.em[0], caminhos), (texto) => valores.has(texto))
  }
  if ('casa' in condicao) {
    const padrao = new RegExp(condicao.casa[1], 'u')
    return comTexto(compilarValor(condicao.casa[0], caminhos), (texto) => padrao.test(texto))
  }
  if ('tabela' in condicao) {
    const [nome, valor] = condicao.tabela
    const texto = compilarValor(valor, caminhos)
    return (ponto, cena) => {
      const lido = texto(ponto, cena)
      if (lido === undefined) return undefined
      const tabela = cena.contexto.codigos(nome)
      return tabela ? consta(tabela, lido, cena.regencia.dia) : cena.contexto.tabela(nome, lido)
    }
  }
  if ('dv' in condicao) {
    const [qual, ...valores] = condicao.dv
    return comTextos(
      valores.map((valor) => compilarValor(valor, caminhos)),
      digitos[qual],
    )
  }
  return undefined
}

/** Conditions that compare two texts, two moments or two numbers. */
function compilarComparacao(condicao: Condicao, ferramentas: Ferramentas): Teste {
  const texto = (valor: ValorDaNota): Texto => compilarValor(valor, ferramentas.caminhos)
  const numero = (valor: Numero): Decimal => compilarNumero(valor, ferramentas)
  if ('igual' in condicao)
    return comDois(texto(condicao.igual[0]), texto(condicao.igual[1]), (um, outro) => um === outro)
  if ('difere' in condicao)
    return comDois(texto(condicao.difere[0]), texto(condicao.difere[1]), (um, outro) => um !== outro)
  if ('antes' in condicao) return comDois(texto(condicao.antes[0]), texto(condicao.antes[1]), isAntes)
  if ('menor' in condicao)
    return comDois(numero(condicao.menor[0]), numero(condicao.menor[1]), (um, outro) => um < outro)
  if ('maior' in condicao)
    return comDois(numero(condicao.maior[0]), numero(condicao.maior[1]), (um, outro) => um > outro)
  if ('fecha' in condicao) return fechar(condicao, numero)
  throw new Error(`${Object.keys(condicao).join()} is no operator`)
}

function fechar(
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
