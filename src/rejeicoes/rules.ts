import { dataBrasileira } from '../documento/dia.ts'
import type { EsquemaUsado, Laudo } from './rules-laudo.ts'

/** The categories of the rejection catalogue (specification, "Rejection catalogue entry"). */
export const categorias = [
  'Chave de Acesso',
  'Pagamento',
  'Evento',
  'Destinatário',
  'Emitente',
  'Certificado Digital',
  'Duplicidade',
  'Schema XML',
  'ICMS/Tributação',
  'Produto/Item',
  'Transporte',
  'Autorização/Contingência',
  'Totalização/Valores',
  'Data/Prazo',
  'Número/Série',
  'Operação/Fiscal',
  'Outros',
] as const

export type Categoria = (typeof categorias)[number]

/**
 * AAAA-MM-DD, both inclusive. Where sources name two days, `…_talvez` is the earlier: between, nobody can
 * tell.
 */
export type Periodo = { de?: string; de_talvez?: string; ate?: string; ate_talvez?: string }

export type Vigencia = Periodo & {
  homologacao?: Periodo
  /** The day of the text that has the rule, where no start was published: it was in force then. */
  texto?: string
}

/** The day and the environment (`tpAmb`) by which a note is judged. */
export type Regencia = { dia: string; ambiente: '1' | '2' }

/** Whether a rule is in force; if nobody can tell, why, in Portuguese. */
export type Vigor = boolean | string

export function vigorEm(vigencia: Vigencia | undefined, { dia, ambiente }: Regencia): Vigor {
  if (!vigencia) return true
  const { de, de_talvez, ate, ate_talvez } = (ambiente === '2' && vigencia.homologacao) || vigencia
  const { texto } = vigencia
  if (ate !== undefined && dia > ate) return false
  if (de_talvez !== undefined && dia < de_talvez) return false
  if (de !== undefined && dia < de) return de_talvez === undefined ? false : startsAt(de_talvez, de)
  if (ate !== undefined && ate_talvez !== undefined && dia > ate_talvez) return endsAt(ate_talvez, ate)
  if (de === undefined && texto !== undefined && dia < texto) return soNoTexto(texto)
  return true
}

const startsAt = (um: string, outro: string): string =>
  `As fontes divergem sobre o início desta regra: ${dataBrasileira(um)} ou ${dataBrasileira(outro)}.`

const endsAt = (um: string, outro: string): string =>
  `As fontes divergem sobre o último dia desta regra: ${dataBrasileira(um)} ou ${dataBrasileira(outro)}.`

const soNoTexto = (texto: string): string =>
  `A regra está no texto oficial de ${dataBrasileira(texto)}, e não se sabe se já valia na data desta nota.`

/**
 * Local names joined by `/`, from `infNFe`. `*` is any child, `@x` an attribute, `./` starts at the node of
 * `escopo`, and `infNFeSupl/` at the sibling of `infNFe`.
 */
export type Caminho = string

/**
 * An absent field is empty, and the first of many counts; `coluna` is unknown without a row in force. `parte`
 * is from one position, from 0, up to another, and `apos` what follows a text.
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
 * Ten decimal places. An absent number counts as zero; one that is no decimal makes the condition unknown.
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

/** `valor` null takes the node out; `chave` makes `Id`, its check digit and the QR code's key anew. */
export type Mudanca =
  | { campo: Caminho; valor: string | null }
  | { campo: Caminho; xml: string; onde: 'antes' | 'depois' | 'dentro' }
  | { recalcular: 'chave' }

/** A rule of the authority as data: closed operators, no code (specification, `verificacoes_analiticas`). */
export type Verificacao = {
  /** `<codigo>-<assunto>`, unique and stable. */
  id: string
  titulo: string
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
  /** `certo` changes the named note into one that passes, and `errado` that one into one that fails. */
  exemplo: { nota: string; certo?: Mudanca[]; errado: Mudanca[] }
}

/** What the list tells of a rejection (specification, "Rejection catalogue entry"). */
export type RejeicaoResumida = {
  codigo: number
  titulo: string
  slug: string
  /** The official reason, untouched. */
  motivo: string
  categoria: Categoria | null
  url_blog: string
}

export type VerificacaoDoCatalogo = Verificacao & { par: { certo: string; errado: string } }

/** Whose refusal it is: of a note, an event, another service, a rule that ended; or what refuses nothing. */
export const tiposDeRejeicao = [
  'rejeicao',
  'rejeicao-evento',
  'rejeicao-servico',
  'rejeicao-historica',
  'denegacao',
  'alerta',
] as const

/** An entry of `data/rejeicoes.json`. */
export type Rejeicao = RejeicaoResumida & {
  causas: string[]
  solucao_passos: string[]
  verificacoes_analiticas: VerificacaoDoCatalogo[]
  tipo: (typeof tiposDeRejeicao)[number]
  fontes: string[]
  /** The official rules behind the code; empty where none is published. */
  regras: { regra: string; modelo: string; documento: string }[]
  /** The other reason that is official at the same time under the same number. */
  outro_significado: { motivo: string; fonte: string } | null
  /** The elements that differ at a step (from 1). A side is empty where the element is missing there. */
  exemplos?: { passo: number; verificacao: string; errado: string; certo: string }[]
  onde_consultar?: { nome: string; endereco: string; origem: string }[]
  campos: string[]
}

/** As the checks read it: names without namespace and prefix; `texto` where there are no child elements. */
export type No = {
  nome: string
  atributos: Readonly<Record<string, string>>
  filhos: readonly No[]
  pai: No | undefined
  texto: string
}

/** Such as "PL_010e_v1.02 (desde 03/08/2026, refeito por nós)"; in disputed days with "ou" and the other. */
export const nomeDoEsquema = ({ outro, ...um }: Laudo['esquema']): string =>
  outro ? `${describe(um)} ou ${describe(outro)}` : describe(um)

const describe = ({ pacote, desde, origem }: EsquemaUsado): string =>
  `${pacote} (desde ${dataBrasileira(desde)}, ${nomesDasOrigens[origem]})`

export const nomesDasOrigens: Readonly<Record<EsquemaUsado['origem'], string>> = {
  oficial: 'oficial',
  reconstruido: 'refeito por nós',
  instalado: 'oficial, instalado pelo operador',
}
