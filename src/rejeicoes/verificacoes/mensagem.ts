import { trusted } from '../../platform/trusted.ts'
import type { Condicao, DaTabela, No, Numero, ValorDaNota } from '../rules.ts'
import { consultar, dizerConsulta } from '../tabelas/tabela.ts'
import type { Caminhos, Cena } from './caminho.ts'
import { citar } from './campos.ts'
import { compilarNumero, compilarValor, type Ferramentas, formatDecimal } from './valores.ts'

/** What a table says of a code, as a sentence without a stop, and whether nobody can tell. */
type Dito = { frase: string; isDuvida: boolean }

/**
 * Compiles what the first table that the conditions ask says of the code; undefined where they ask none. What
 * it gives is undefined for a table that is not at hand.
 */
export function dizerTabela(
  condicoes: readonly Condicao[],
  caminhos: Caminhos,
): ((ponto: No, cena: Cena) => Dito | undefined) | undefined {
  const pergunta = primeiraPergunta(condicoes)
  if (!pergunta) return undefined
  const [nome, codigo] = pergunta
  const texto = compilarValor(codigo, caminhos)
  return (ponto, cena) => {
    const tabela = cena.contexto.codigos(nome)
    const lido = texto(ponto, cena)
    if (!tabela || lido === undefined) return undefined
    const { dia } = cena.regencia
    return {
      frase: dizerConsulta(tabela, citar(lido), dia),
      isDuvida: consultar(tabela, lido, dia).situacao === 'duvida',
    }
  }
}

/** The first `tabela` or `coluna` in what conditions are made of, wherever it stands. */
function primeiraPergunta(parte: unknown): readonly [string, ValorDaNota] | undefined {
  if (typeof parte !== 'object' || parte === null) return undefined
  // A check is of the catalogue's format, which has these names for nothing else.
  if ('tabela' in parte) return trusted<[string, ValorDaNota]>(parte.tabela)
  if ('coluna' in parte) return primeirosDois(trusted<DaTabela>(parte.coluna))
  for (const outra of Object.values(parte)) {
    const achada = primeiraPergunta(outra)
    if (achada) return achada
  }
  return undefined
}

const primeirosDois = ([nome, codigo]: DaTabela): [string, ValorDaNota] => [nome, codigo]

type Escrita = (ponto: No, cena: Cena) => string

/** How many values of one path a message quotes. */
const CITADOS = 3

/**
 * Compiles a message whose `{…}` stand for values of the note. Throws if it asks for a side of a comparison
 * or a table and the rule has none.
 */
export function compilarMensagem(modelo: string, regra: Condicao, ferramentas: Ferramentas): Escrita {
  const partes = modelo.split(/\{([^}]+)\}/).map((parte, i): Escrita => {
    if (i % 2 === 0) return () => parte
    if (parte === 'encontrado') return lado(regra, 0, ferramentas)
    if (parte === 'tabela') return dizerDaTabela(regra, ferramentas.caminhos)
    if (parte === 'esperado') return lado(regra, 1, ferramentas)
    return citarCampo(parte, ferramentas.caminhos)
  })
  return (ponto, cena) => partes.map((escrever) => escrever(ponto, cena)).join('')
}

function dizerDaTabela(regra: Condicao, caminhos: Caminhos): Escrita {
  const dizer = dizerTabela([regra], caminhos)
  if (!dizer) throw new Error('the message names a table, and the rule asks none')
  return (ponto, cena) => dizer(ponto, cena)?.frase ?? 'o código não consta da tabela'
}

function citarCampo(caminho: string, caminhos: Caminhos): Escrita {
  const { pontos, texto } = caminhos.ler(caminho)
  return (ponto, cena) => {
    const achados = pontos(ponto, cena)
    if (achados.length === 0) return 'não informado'
    const citados = achados.slice(0, CITADOS).map((achado) => citar(texto(achado)) || 'vazio')
    return citados.join(', ') + (achados.length > CITADOS ? '…' : '')
  }
}

type Comparacao = { numeros: readonly Numero[] } | { textos: readonly ValorDaNota[] }

/** The first comparison of a rule that is made of it alone, not element by element. */
function primeiraComparacao(regra: Condicao): Comparacao | undefined {
  if ('fecha' in regra) return { numeros: regra.fecha }
  if ('menor' in regra) return { numeros: regra.menor }
  if ('maior' in regra) return { numeros: regra.maior }
  if ('igual' in regra) return { textos: regra.igual }
  if ('difere' in regra) return { textos: regra.difere }
  if ('antes' in regra) return { textos: regra.antes }
  if ('nao' in regra) return primeiraComparacao(regra.nao)
  const outras = 'e' in regra ? regra.e : 'ou' in regra ? regra.ou : []
  return outras.map(primeiraComparacao).find((comparacao) => comparacao !== undefined)
}

function lado(regra: Condicao, qual: 0 | 1, ferramentas: Ferramentas): Escrita {
  const comparacao = primeiraComparacao(regra)
  if (comparacao && 'numeros' in comparacao) {
    const numero = compilarNumero(comparacao.numeros[qual] ?? '0', ferramentas)
    return (ponto, cena) => {
      const valor = numero(ponto, cena)
      return valor === undefined ? 'desconhecido' : formatDecimal(valor)
    }
  }
  if (!comparacao) throw new Error('the message names a side of a comparison, and the rule has none')
  const texto = compilarValor(comparacao.textos[qual] ?? '', ferramentas.caminhos)
  return (ponto, cena) => citar(texto(ponto, cena) ?? 'desconhecido') || 'não informado'
}
