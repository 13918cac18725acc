import { precoDaBase } from '../../cnpj/api.ts'
import { cleanChave, formatoDaChaveProblem, parseChave } from '../../documento/chave.ts'
import { cnpjProblem, cpfProblem, formatDocumento, isCnpj, isCpf } from '../../documento/documento.ts'
import {
  formatInscricao,
  inscricaoProblem,
  isTamanhoDeInscricao,
  normalizeInscricao,
} from '../../documento/inscricao-estadual.ts'
import { findUf, type Uf, ufs } from '../../documento/uf.ts'
import { mostOf, type Price } from '../../platform/http/exchange.ts'
import { creditosPorXml } from '../../platform/ledger/rules.ts'
import { countOf } from '../../platform/pages/formatos.ts'
import { precoPorCpf } from '../../rural/api-perfil.ts'
import { declaradaEm, nomeDoEndpoint } from '../chamadas.ts'

/** A box that a person ticks, and the parameter that it is. */
type Marca = { nome: string; rotulo: string; onde: 'query' | 'header' }

/** A question that a bookkeeper asks: an endpoint, in his words. */
export type PerguntaDoPainel = {
  id: string
  endpoint: string
  nome: string
  ajuda: string
  /** On the button that asks the same again. */
  deNovo: string
  /** The kinds of document that it is asked about by. */
  tipos: readonly TipoLido[]
  /** Whether it is asked of one state, which is chosen. */
  pedeUf: boolean
  /** All states are asked at once, and each answer is shown as it comes. */
  porEstado: boolean
  price: Price
  marcas: readonly Marca[]
  /** Parameters that the question itself sets. */
  fixos: Readonly<Record<string, boolean>>
}

/** The box that asks the authority anew, whatever is kept. */
export const DE_NOVO = 'Cache-Control'

const deNovo: Marca = {
  nome: DE_NOVO,
  rotulo: 'Perguntar de novo ao órgão, mesmo que haja uma resposta guardada (o preço é o mesmo)',
  onde: 'header',
}

const emitirNova: Marca = {
  nome: 'emitir_nova',
  rotulo: 'Na certidão federal, emitir outra, mesmo que uma ainda valha',
  onde: 'query',
}

export const marcas: readonly Marca[] = [deNovo, emitirNova]

type Dita = Pick<PerguntaDoPainel, 'id' | 'ajuda' | 'tipos'> &
  Partial<Pick<PerguntaDoPainel, 'nome' | 'deNovo' | 'pedeUf' | 'porEstado' | 'price' | 'marcas' | 'fixos'>>

function pergunta(endpoint: string, dita: Dita): PerguntaDoPainel {
  const { words, price, anew } = declaradaEm(endpoint)
  return {
    endpoint,
    nome: words.nome,
    deNovo: 'Perguntar de novo',
    pedeUf: false,
    porEstado: false,
    price,
    marcas: anew ? [deNovo] : [],
    fixos: {},
    ...dita,
  }
}

/** In the order in which they are offered. */
export const perguntas: readonly PerguntaDoPainel[] = [
  pergunta('/api/consultar-ie-todos', {
    id: 'ie-todos',
    ajuda: 'Onde o contribuinte tem inscrição, e se está ativa. Cada estado que responde custa 1 crédito.',
    tipos: ['cpf', 'cnpj'],
    porEstado: true,
  }),
  pergunta('/api/consultar', {
    id: 'ie',
    ajuda: 'O cadastro na secretaria da fazenda de um estado: situação, endereço, regime e atividade.',
    tipos: ['cpf', 'cnpj', 'ie'],
    pedeUf: true,
  }),
  pergunta('/api/consultar-cnd-todos', {
    id: 'cnd-todos',
    ajuda: 'A certidão de débitos de ICMS de cada estado, em PDF. Pode levar um minuto.',
    tipos: ['cpf', 'cnpj'],
    porEstado: true,
  }),
  pergunta('/api/consultar-cnd', {
    id: 'cnd',
    ajuda: 'A certidão de débitos de ICMS de um estado, em PDF, até quando vale e onde se confere.',
    tipos: ['cpf', 'cnpj'],
    pedeUf: true,
  }),
  pergunta('/api/consultar-cnd-federal', {
    id: 'cnd-federal',
    deNovo: 'Emitir outra certidão federal',
    ajuda: 'Tributos federais e dívida ativa da União (RFB e PGFN), em PDF. Peça pelo CNPJ da matriz.',
    tipos: ['cnpj'],
    marcas: [emitirNova],
  }),
  pergunta('/api/consultar-cnpj', {
    id: 'cnpj',
    deNovo: 'Reler a base do mês',
    ajuda: 'A empresa na base do mês da Receita Federal: situação, endereço, atividades e sócios.',
    tipos: ['cnpj'],
    price: precoDaBase,
    marcas: [],
    fixos: { force_fresh: false },
  }),
  pergunta('/api/consultar-cnpj', {
    id: 'cnpj-ao-vivo',
    nome: `${nomeDoEndpoint('/api/consultar-cnpj')}, ao vivo`,
    ajuda: 'O mesmo, perguntado agora à Receita Federal. Só se quem opera o serviço contratou o Serpro.',
    tipos: ['cnpj'],
    fixos: { force_fresh: true },
  }),
  pergunta('/api/consultar-cnir', {
    id: 'cnir',
    ajuda: 'Os imóveis rurais em nome do titular, no cadastro da Receita Federal e do Incra.',
    tipos: ['cpf', 'cnpj'],
  }),
  pergunta('/api/consultar-sigef', {
    id: 'sigef',
    ajuda: 'As parcelas certificadas no Incra: área, município e situação. Pode levar minutos.',
    tipos: ['cpf', 'cnpj'],
  }),
  pergunta('/api/perfil-produtor', {
    id: 'perfil',
    ajuda: 'Tudo de um produtor de uma vez: empresa, inscrições e certidões dos 27 estados.',
    tipos: ['cpf', 'cnpj'],
  }),
  pergunta('/api/consultar-nfe-xml', {
    id: 'nota',
    deNovo: 'Pedir o XML de novo',
    ajuda: 'O XML de uma nota, pela chave, com o certificado de quem participa dela.',
    tipos: ['chave'],
  }),
]

export const findPergunta = (id: unknown): PerguntaDoPainel | undefined =>
  perguntas.find((one) => one.id === id)

export const NOTA = 'nota'

/** `até 27 créditos`. */
export const ateCreditos = (most: number): string => `até ${countOf(most, 'crédito', 'créditos')}`

/** `1 crédito`, or `até 27 créditos` where each state that comes is paid for. */
export function precoDe(
  { id, price: comum }: Pick<PerguntaDoPainel, 'id' | 'price'>,
  conta: { preco_exclusivo: boolean },
  tipo?: TipoLido,
): string {
  const price = id === 'perfil' && tipo === 'cpf' ? precoPorCpf : comum
  const isNota = typeof price === 'object' && 'nota' in price
  const most = isNota ? creditosPorXml(conta.preco_exclusivo) : mostOf(price)
  if (most === 0) return 'grátis'
  return most >= ufs.length ? ateCreditos(most) : countOf(most, 'crédito', 'créditos')
}

/**
 * What a dossier asks, in the order in which it tells it. The profile of a producer is the sum of the first
 * three, so that it is not asked beside them.
 */
const DA_EMPRESA = ['cnpj', 'ie-todos', 'cnd-todos', 'cnd-federal'] as const
const DO_CAMPO = ['cnir', 'sigef'] as const

type DoDossie = { tipo: 'cpf' | 'cnpj'; rural: boolean }

export const perguntasDoDossie = ({ tipo, rural }: DoDossie): readonly PerguntaDoPainel[] =>
  [...DA_EMPRESA, ...(rural ? DO_CAMPO : [])]
    .flatMap((id) => findPergunta(id) ?? [])
    .filter(({ tipos }) => tipos.includes(tipo))

/** What several cost together at most, in credits. */
export const mostOfAll = (perguntas: readonly PerguntaDoPainel[]): number =>
  perguntas.reduce((sum, { price }) => sum + mostOf(price), 0)

export const maximoDe = (perguntas: readonly PerguntaDoPainel[]): string => ateCreditos(mostOfAll(perguntas))

export type EntradaDoPainel = {
  tipo: TipoLido
  documento: string
  uf: string
  /** The names of the boxes that are ticked. */
  marcas: readonly string[]
  /** Of a note: the establishment in whose name it is asked for. */
  em_nome_de?: string
}

/** A parameter as it is sent. A box is `true` or `false`, and never left out. */
export type Parametro = {
  nome: string
  onde: 'query' | 'body'
  tipo: 'texto' | 'marca' | 'arquivo' | 'senha'
  valor: string | boolean
}

export type PedidoDaPagina = {
  /** The operation's name in the API's document. */
  id: string
  metodo: 'GET' | 'POST'
  endereco: string
  /** What query and body are made of: every sample of code is written from them. */
  parametros: readonly Parametro[]
  cabecalhos: Readonly<Record<string, string>>
  /** The members of a JSON body; undefined for a GET. */
  corpo: Readonly<Record<string, string | boolean>> | undefined
}

const operacaoDe = (endpoint: string): string => endpoint.replace(/^\/api\/(?:v1\/)?/, '')

export function pedidoDe(pergunta: PerguntaDoPainel, entrada: EntradaDoPainel): PedidoDaPagina {
  const { endpoint, pedeUf } = pergunta
  const isOn = (nome: string): boolean => entrada.marcas.includes(nome)
  const texto = (nome: string, valor: string): Parametro => ({ nome, onde: 'query', tipo: 'texto', valor })
  const marca = (nome: string, valor: boolean): Parametro => ({ nome, onde: 'query', tipo: 'marca', valor })
  const parametros = [
    ...(pedeUf ? [texto('uf', entrada.uf)] : []),
    texto(entrada.tipo, entrada.documento),
    ...Object.entries(pergunta.fixos).map(([nome, valor]) => marca(nome, valor)),
    ...pergunta.marcas.filter(({ onde }) => onde === 'query').map(({ nome }) => marca(nome, isOn(nome))),
  ]
  const query = new URLSearchParams(
    parametros.map(({ nome, valor }): [string, string] => [nome, String(valor)]),
  )
  const isAnew = isOn(DE_NOVO) && pergunta.marcas.includes(deNovo)
  return {
    id: operacaoDe(endpoint),
    metodo: 'GET',
    endereco: `${endpoint}?${query}`,
    parametros,
    cabecalhos: isAnew ? { 'cache-control': 'no-cache' } : {},
    corpo: undefined,
  }
}

export type TipoLido = 'cpf' | 'cnpj' | 'ie' | 'chave'

/** What somebody typed into the one field. `problema`: why it is no document yet. */
export type Lido = {
  tipo: TipoLido
  /** Without its mask, as the API takes it. */
  documento: string
  mascarado: string
  uf: Uf | undefined
  problema: string | undefined
}

export const nomesDosTipos: Readonly<Record<TipoLido, string>> = {
  cpf: 'CPF',
  cnpj: 'CNPJ',
  ie: 'Inscrição estadual',
  chave: 'Chave de acesso',
}

const [CHAVE, CNPJ, CPF] = [44, 14, 11] as const

/** The longest text that is read: a key in groups of four, with what people put around it. */
export const MAIOR_DOCUMENTO = 80

/**
 * Reads a CPF, a CNPJ, a state registration or a key, with or without mask; undefined for an empty field.
 * What is a good CPF or CNPJ is one, and a registration is what its state's rule takes.
 */
export function readLido(text: string, sigla: string, agora: Date): Lido | undefined {
  const documento = semMarcas(text)
  const uf = findUf(sigla.trim())
  if (documento === '') return undefined
  const lido = (tipo: TipoLido, mascarado: string, problema?: string): Lido => ({
    tipo,
    documento,
    mascarado,
    uf,
    problema,
  })
  if (isCpf(documento) || isCnpj(documento))
    return lido(documento.length === CPF ? 'cpf' : 'cnpj', formatDocumento(documento))
  if (documento.length > 20) return lido('chave', emGrupos(documento), chaveProblem(documento, agora))
  if (uf && inscricaoProblem(uf, documento) === undefined)
    return { ...lido('ie', formatInscricao(uf, documento)), documento: normalizeInscricao(uf, documento) }
  if (documento.length === CPF && /^\d+$/.test(documento))
    return lido('cpf', formatDocumento(documento), digito('CPF', cpfProblem(documento), documento, uf))
  if (documento.length === CNPJ)
    return lido('cnpj', formatDocumento(documento), digito('CNPJ', cnpjProblem(documento), documento, uf))
  return lido('ie', uf ? formatInscricao(uf, documento) : documento, inscricaoSemRegra(documento, uf))
}

/** Whether it is as long as a document: what is shorter may still be on its way. */
export const isInteiro = ({ tipo, documento, mascarado }: Lido): boolean =>
  tipo === 'chave' ? documento.length === CHAVE : mascarado !== documento

/** Only marks that masks have: any other sign stays, and is told. */
const semMarcas = (text: string): string =>
  text
    .slice(0, MAIOR_DOCUMENTO)
    .replace(/[\s./-]/g, '')
    .toUpperCase()

export const emGrupos = (chave: string): string => chave.replace(/(.{4})(?=.)/g, '$1 ')

/** Why it is no CPF or CNPJ. Registrations of MT, PE, RO and TO may be as long: there it is none of both. */
const digito = (nome: string, problema = '', documento: string, uf: Uf | undefined): string =>
  uf && isTamanhoDeInscricao(uf, documento)
    ? `Não é ${nome} nem inscrição estadual de ${uf}: o dígito verificador não confere em nenhum dos dois. Verifique o número e o estado.`
    : `${nome}: ${problema}.`

function chaveProblem(chave: string, agora: Date): string | undefined {
  if (chave.length !== CHAVE) return `Chave de acesso: ${formatoDaChaveProblem(cleanChave(chave)) ?? ''}.`
  const parsed = parseChave(chave, agora)
  return parsed.ok ? undefined : parsed.mensagem
}

function inscricaoSemRegra(documento: string, uf: Uf | undefined): string {
  if (uf) return `Inscrição estadual: ${inscricaoProblem(uf, documento) ?? ''}.`
  if (ufs.some((one) => inscricaoProblem(one, documento) === undefined))
    return 'Parece inscrição estadual: escolha o estado.'
  return 'Um CPF tem 11 dígitos, um CNPJ 14 e uma chave 44. Se é uma inscrição estadual, escolha também o estado.'
}
