import { custoDoEndpoint } from '../chamadas.ts'

/** What the parameters are called on a form. One that is not here has its own name. */
const campos: Readonly<Record<string, string>> = {
  uf: 'Estado',
  cpf: 'CPF',
  cnpj: 'CNPJ',
  ie: 'Inscrição estadual',
  emitir_nova: 'Emitir outra certidão, mesmo que uma valha',
  force_fresh: 'Consultar a Receita Federal ao vivo',
  'Cache-Control': 'Consultar de novo, sem usar resposta guardada',
  doc: 'Documento fiscal',
  de: 'De',
  ate: 'Até',
  q: 'Palavras',
  categoria: 'Categoria',
  page: 'Página',
  page_size: 'Rejeições por página',
  codigo: 'Código da rejeição',
  chave: 'Chave de acesso',
  certificado: 'Certificado A1 (.pfx ou .p12)',
  senha: 'Senha do certificado',
  manifestar: 'Registrar a manifestação do destinatário, se a SEFAZ só der o resumo',
  simular: 'Só ensaiar: não registra evento, não entrega o XML e não cobra',
}

const rotuloDoCampo = (nome: string): string => campos[nome] ?? nome

export type CampoDaConsulta = {
  nome: string
  onde: 'query' | 'path' | 'header' | 'body'
  rotulo: string
  dica: string
  obrigatorio: boolean
  tipo: 'texto' | 'numero' | 'lista' | 'marca' | 'arquivo' | 'senha'
  opcoes: readonly string[]
  /** The form of a document, as the schema names it: `cpf`, `cnpj`, `chave`. */
  formato: string
  padrao: string
}

export type ConsultaDaApi = {
  id: string
  caminho: string
  metodo: 'GET' | 'POST'
  tema: string
  nome: string
  descricao: string
  custo: string
  campos: readonly CampoDaConsulta[]
  /** The event of a piece, where the answer may come piece by piece. */
  parte: string | undefined
}

/** A member of a JSON value that is an object; undefined for all others. */
export const membro = (value: unknown, nome: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, nome)
    ? Reflect.get(value, nome)
    : undefined

export const texto = (value: unknown): string => (typeof value === 'string' ? value : '')

export const lista = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The lookups of an OpenAPI document that take a key, in its order. The end of a login is none. */
export function readConsultas(documento: unknown): readonly ConsultaDaApi[] {
  const schemas = membro(membro(documento, 'components'), 'schemas')
  const paths = Object.entries(Object(membro(documento, 'paths')))
  return paths.flatMap(([caminho, metodos]) =>
    Object.entries(Object(metodos))
      .filter(([, operacao]) => lista(membro(operacao, 'security')).length > 0)
      .filter(([, operacao]) => membro(operacao, 'operationId') !== 'sair')
      .map(([metodo, operacao]) => readConsulta(caminho, metodo, operacao, schemas)),
  )
}

function readConsulta(caminho: string, metodo: string, operacao: unknown, schemas: unknown): ConsultaDaApi {
  const dita = texto(membro(operacao, 'description'))
  const corpo = deRef(
    membro(membro(membro(membro(operacao, 'requestBody'), 'content'), 'application/json'), 'schema'),
    schemas,
  )
  const campos = doCorpo(corpo)
  // What is in the query with a body of another type is in this body too.
  const parametros = lista(membro(operacao, 'parameters'))
    .map(doParametro)
    .filter((um) => isDeGente(um) && !campos.some(({ nome }) => nome === um.nome))
  return {
    id: texto(membro(operacao, 'operationId')),
    caminho,
    metodo: metodo === 'post' ? 'POST' : 'GET',
    tema: texto(lista(membro(operacao, 'tags'))[0]),
    nome: texto(membro(operacao, 'summary')),
    descricao: semMarcas(dita.split('\n')[0] ?? ''),
    custo: semMarcas(custoDoEndpoint(caminho)),
    campos: [...parametros, ...campos],
    parte: parteDe(deRef(membro(operacao, 'x-eventos'), schemas)),
  }
}

/** Whether a person fills it in: each form has an idempotency key of its own. */
const isDeGente = ({ nome }: CampoDaConsulta): boolean => nome !== 'Idempotency-Key'

/** A stream with an end has the whole answer as its last event, and a piece as its first. */
function parteDe(eventos: unknown): string | undefined {
  const nomes = Object.keys(Object(membro(eventos, 'properties')))
  return nomes.includes('resultado') ? nomes[0] : undefined
}

function deRef(schema: unknown, schemas: unknown): unknown {
  const ref = texto(membro(schema, '$ref'))
  return ref === '' ? schema : membro(schemas, ref.split('/').at(-1) ?? '')
}

const doParametro = (parametro: unknown): CampoDaConsulta =>
  campoDo(texto(membro(parametro, 'name')), membro(parametro, 'schema'), {
    onde: ondeDe(membro(parametro, 'in')),
    dica: texto(membro(parametro, 'description')),
    obrigatorio: membro(parametro, 'required') === true,
  })

const doCorpo = (schema: unknown): CampoDaConsulta[] =>
  Object.entries(Object(membro(schema, 'properties'))).map(([nome, dito]) =>
    campoDo(nome, dito, {
      onde: 'body',
      dica: texto(membro(dito, 'description')),
      obrigatorio: lista(membro(schema, 'required')).includes(nome),
    }),
  )

const ondeDe = (where: unknown): CampoDaConsulta['onde'] =>
  where === 'path' || where === 'header' ? where : 'query'

function campoDo(
  nome: string,
  schema: unknown,
  { dica, ...dito }: Pick<CampoDaConsulta, 'onde' | 'dica' | 'obrigatorio'>,
): CampoDaConsulta {
  const opcoes = lista(membro(schema, 'enum')).map(String)
  const padrao = membro(schema, 'default')
  return {
    ...dito,
    nome,
    rotulo: rotuloDoCampo(nome),
    dica: semMarcas(dica),
    tipo: tipoDe(nome, membro(schema, 'type'), opcoes),
    opcoes,
    formato: texto(membro(schema, 'format')),
    padrao: padrao === undefined ? '' : String(padrao),
  }
}

function tipoDe(nome: string, type: unknown, opcoes: readonly string[]): CampoDaConsulta['tipo'] {
  if (opcoes.includes('true') || nome === 'Cache-Control') return 'marca'
  if (opcoes.length > 0) return 'lista'
  if (nome === 'certificado') return 'arquivo'
  if (nome === 'senha') return 'senha'
  return type === 'integer' ? 'numero' : 'texto'
}

const semMarcas = (text: string): string => text.replace(/[`*]/g, '')

/** What a form sends: the values of its fields by their names, without the empty ones. */
export type Valores = Readonly<Record<string, string>>

export const MAIOR_VALOR = 200

/** A parameter as it is sent. A box is `true` or `false`, and never left out. */
export type Parametro = Pick<CampoDaConsulta, 'nome' | 'onde' | 'tipo'> & { valor: string | boolean }

export type PedidoDaPagina = {
  id: ConsultaDaApi['id']
  metodo: ConsultaDaApi['metodo']
  endereco: string
  /** What path, query and body are made of: every sample of code is written from them. */
  parametros: readonly Parametro[]
  cabecalhos: Readonly<Record<string, string>>
  /** The members of a JSON body; undefined for a GET. */
  corpo: Readonly<Record<string, string | boolean>> | undefined
}

/** Reads the fields of a lookup from what was sent. Documents lose the marks that people write them with. */
export function readValores(campos: readonly CampoDaConsulta[], campoDe: (nome: string) => string): Valores {
  const lidos = campos.map(({ nome, formato, tipo }) => {
    const sent = campoDe(nome).trim().slice(0, MAIOR_VALOR)
    if (tipo === 'marca') return [nome, sent === '' ? '' : 'true']
    return [nome, formato === 'cpf' || formato === 'cnpj' || isDocumento(nome) ? semMascara(sent) : sent]
  })
  return Object.fromEntries(lidos.filter(([, value]) => value !== ''))
}

const isDocumento = (nome: string): boolean => nome === 'cpf' || nome === 'cnpj' || nome === 'chave'

const semMascara = (text: string): string => text.replace(/[\s./-]/g, '').toUpperCase()

export function pedidoDe({ id, metodo, caminho, campos }: ConsultaDaApi, valores: Valores): PedidoDaPagina {
  const parametros = campos.flatMap((campo) => parametroDe(campo, valores))
  const em = (onde: Parametro['onde']) =>
    parametros.filter((one) => one.onde === onde).map(({ nome, valor }) => [nome, valor] as const)
  const query = new URLSearchParams(em('query').map(([nome, valor]): [string, string] => [nome, `${valor}`]))
  const path = em('path').reduce(
    (text, [nome, valor]) => text.replace(`{${nome}}`, emCaminho(String(valor))),
    caminho,
  )
  return {
    id,
    metodo,
    endereco: query.size === 0 ? path : `${path}?${query}`,
    parametros,
    cabecalhos: 'Cache-Control' in valores ? { 'cache-control': 'no-cache' } : {},
    corpo: metodo === 'POST' ? Object.fromEntries(em('body')) : undefined,
  }
}

/** A text that may be left out, and is empty, is not sent; an empty segment would be another path. */
function parametroDe({ nome, onde, tipo, obrigatorio }: CampoDaConsulta, valores: Valores): Parametro[] {
  const value = valores[nome]
  if (onde === 'header') return []
  if (tipo === 'marca') return [{ nome, onde, tipo, valor: value === 'true' }]
  if (onde === 'path') return [{ nome, onde, tipo, valor: /^\.*$/.test(value ?? '') ? '-' : (value ?? '') }]
  if (value === undefined && !(onde === 'body' && obrigatorio)) return []
  return [{ nome, onde, tipo, valor: value ?? '' }]
}

const emCaminho = (text: string): string => encodeURIComponent(text).replace(/'/g, '%27')
