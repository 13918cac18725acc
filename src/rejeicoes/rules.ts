import type { Vigencia } from './vigencia.ts'

/**
 * Local names joined by `/`, from `infNFe`. `*` is any child, `@x` an attribute, `./` starts at the node of
 * `escopo`, and `infNFeSupl/` at the sibling of `infNFe`.
 */
export type Caminho = string

/**
 * A text: a literal, or made of what the note holds. An absent field is the empty text, the first of many
 * counts, `coluna` is unknown without a row in force, `parte` is from one position, from 0, up to another,
 * and `apos` what follows a text.
 */
export type ValorDaNota =
  | string
  | { v: Caminho }
  | { parte: [ValorDaNota, number, number] }
  | { junta: ValorDaNota[] }
  | { zeros: [ValorDaNota, number] }
  | { digitos: ValorDaNota }
  | { maiusculas: ValorDaNota }
  | { apos: [ValorDaNota, string] }
  | { contexto: string }
  | { mais: [ValorDaNota, number, 'minutos' | 'dias' | 'meses' | 'anos'] }
  | { coluna: DaTabela }

/** The name of a table of codes, the code, and the column of its row that is in force. */
export type DaTabela = [nome: string, codigo: ValorDaNota, coluna: string]

/**
 * A number: a decimal literal, or made of what the note holds, with ten decimal places. An absent number
 * counts as zero; one that is no decimal makes the condition unknown.
 */
export type Numero =
  | string
  | { v: Caminho }
  | { soma: Caminho; em?: Caminho; se?: Condicao }
  | { soma: Numero[] }
  | { menos: Numero[] }
  | { vezes: [Numero, Numero] }
  | { dividido: [Numero, Numero] }
  | { conta: Caminho }
  | { coluna: DaTabela }

/** What is true, false or, where a table or a context value is not at hand, unknown. */
export type Condicao =
  | { e: Condicao[] }
  | { ou: Condicao[] }
  | { nao: Condicao }
  | { presente: Caminho }
  | { ausente: Caminho }
  | { igual: [ValorDaNota, ValorDaNota] }
  | { difere: [ValorDaNota, ValorDaNota] }
  | { em: [ValorDaNota, string[]] }
  | { casa: [ValorDaNota, string] }
  | { fecha: [Numero, Numero]; tol?: string }
  | { menor: [Numero, Numero] }
  | { maior: [Numero, Numero] }
  | { antes: [ValorDaNota, ValorDaNota] }
  | { todos: Caminho; sa: Condicao }
  | { algum: Caminho; sa: Condicao }
  | { unicos: Caminho; por?: Caminho }
  | { tabela: [string, ValorDaNota] }
  | {
      dv: [
        'chave' | 'cnpj' | 'cpf' | 'documento' | 'gtin' | 'ie-da-uf' | 'municipio' | 'suframa',
        ...ValorDaNota[],
      ]
    }

/**
 * A change of a note, at a path that may have positions, as `det[2]/prod/NCM`. `valor` null takes the node
 * out; `chave` makes `Id`, its check digit and the QR code's key anew.
 */
export type Mudanca =
  | { campo: Caminho; valor: string | null }
  | { campo: Caminho; xml: string; onde: 'antes' | 'depois' | 'dentro' }
  | { recalcular: 'chave' }

/**
 * A check of a rule that the authority applies (specification, `verificacoes_analiticas`). It is data: closed
 * operators, no code.
 */
export type Verificacao = {
  /** `<codigo>-<assunto>`, unique and stable. */
  id: string
  titulo: string
  /** One sentence for people. */
  descricao: string
  /** Every field read, as a path from `infNFe`. */
  campos: Caminho[]
  /** Repeats the check at each such node. */
  escopo?: Caminho
  /** Both, if left out. */
  modelos?: ('55' | '65')[]
  dependencia: 'xml' | `tabela:${string}` | `contexto:${string}`
  /** `uf`: the state may leave the rule out, as its table of rules says. Left out: all apply it. */
  aplicacao?: 'uf'
  /** Left out: always. */
  vigencia?: Vigencia
  /** False: the check does not apply. */
  quando?: Condicao
  /** Any true: the check does not apply. */
  exceto?: Condicao[]
  regra: Condicao
  /**
   * `{caminho}` stands for the value found; `{encontrado}` and `{esperado}` for the two sides of the first
   * comparison of the rule; `{tabela}` for what the first table that the rule asks says of the code.
   */
  mensagem_falha: string
  fonte: { documento: string; regra: string }
  /**
   * The pair for the page and the test. `certo` changes the named note into one that passes, and `errado`
   * changes that one into one that fails.
   */
  exemplo: { nota: string; certo?: Mudanca[]; errado: Mudanca[] }
}
