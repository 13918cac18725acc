import type { No } from '../no.ts'
import type { Condicao, Numero, ValorDaNota } from '../rules.ts'
import type { Cena } from './cena.ts'
import { citar } from './citar.ts'
import { formatDecimal } from './decimal.ts'
import { dizerTabela } from './dizer-tabela.ts'
import { compilarValor } from './valor.ts'
import { compilarNumero, type Ferramentas } from './valores.ts'
import type { Caminhos } from './verificacoes-caminho.ts'

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
