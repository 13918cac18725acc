import { trusted } from '../../platform/trusted.ts'
import type { No } from '../no.ts'
import type { Condicao, DaTabela, ValorDaNota } from '../rules.ts'
import { consultar, dizerConsulta } from '../tabelas/tabela.ts'
import type { Cena } from './cena.ts'
import { citar } from './citar.ts'
import { compilarValor } from './valor.ts'
import type { Caminhos } from './verificacoes-caminho.ts'

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
