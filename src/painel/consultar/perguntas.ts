import { precoDaBase } from '../../cnpj/api.ts'
import { mostOf, type Price } from '../../platform/http/exchange.ts'
import { creditosPorXml } from '../../platform/ledger/rules.ts'
import { countOf } from '../../platform/pages/formatos.ts'
import { declaradaEm, nomeDoEndpoint } from '../chamadas.ts'
import type { TipoLido } from './lido.ts'

/** A box that a person ticks, and the parameter that it is. */
type Marca = { nome: string; rotulo: string; onde: 'query' | 'header' }

/** A question that a bookkeeper asks: an endpoint, in his words. */
export type PerguntaDoPainel = {
  id: string
  endpoint: string
  nome: string
  ajuda: string
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

const DE_NOVO = 'Cache-Control'

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
  Partial<Pick<PerguntaDoPainel, 'nome' | 'pedeUf' | 'porEstado' | 'price' | 'marcas' | 'fixos'>>

function pergunta(endpoint: string, dita: Dita): PerguntaDoPainel {
  const { words, price, anew } = declaradaEm(endpoint)
  return {
    endpoint,
    nome: words.nome,
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
    ajuda: 'Onde ele tem inscrição, e se está ativa. Cada estado que responde custa 1 crédito.',
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
    ajuda: 'Tributos federais e dívida ativa da União (RFB e PGFN), em PDF. Peça pelo CNPJ da matriz.',
    tipos: ['cnpj'],
    marcas: [emitirNova],
  }),
  pergunta('/api/consultar-cnpj', {
    id: 'cnpj',
    ajuda: 'A empresa na base do mês da Receita Federal: situação, endereço, atividades e sócios.',
    tipos: ['cnpj'],
    price: precoDaBase,
    marcas: [],
    fixos: { force_fresh: false },
  }),
  pergunta('/api/consultar-cnpj', {
    id: 'cnpj-ao-vivo',
    nome: `${nomeDoEndpoint('/api/consultar-cnpj')}, ao vivo`,
    ajuda: 'O mesmo, perguntado agora à Receita Federal. Depende do contrato de quem opera o serviço.',
    tipos: ['cnpj'],
    fixos: { force_fresh: true },
  }),
  pergunta('/api/consultar-cnir', {
    id: 'cnir',
    ajuda: 'Os imóveis rurais no nome dele no cadastro da Receita Federal e do Incra.',
    tipos: ['cpf', 'cnpj'],
  }),
  pergunta('/api/consultar-sigef', {
    id: 'sigef',
    ajuda: 'As parcelas certificadas no Incra: área, município e situação. Pode levar minutos.',
    tipos: ['cpf', 'cnpj'],
  }),
  pergunta('/api/consultar-nfe-xml', {
    id: 'nota',
    ajuda: 'O XML de uma nota, pela chave, com o certificado de quem participa dela.',
    tipos: ['chave'],
  }),
  pergunta('/api/perfil-produtor', {
    id: 'perfil',
    ajuda: 'Tudo de um produtor de uma vez: empresa, inscrições e certidões dos 27 estados.',
    tipos: ['cpf', 'cnpj'],
  }),
]

export const findPergunta = (id: unknown): PerguntaDoPainel | undefined =>
  perguntas.find((one) => one.id === id)

export const NOTA = 'nota'

/** `até 27 créditos`. */
export const ateCreditos = (most: number): string => `até ${countOf(most, 'crédito', 'créditos')}`

/** `1 crédito`, or `até 27 créditos` where it depends on what comes. */
export function precoDe(
  { price }: Pick<PerguntaDoPainel, 'price'>,
  conta: { preco_exclusivo: boolean },
): string {
  const isNota = typeof price === 'object' && 'nota' in price
  const most = isNota ? creditosPorXml(conta.preco_exclusivo) : mostOf(price)
  if (most === 0) return 'grátis'
  return most > 1 && price !== precoDaBase ? ateCreditos(most) : countOf(most, 'crédito', 'créditos')
}

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
