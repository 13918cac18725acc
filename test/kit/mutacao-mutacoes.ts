import type { Reply } from '../../src/platform/wire/http.ts'
import type { Inscricao } from '../../src/portal/rules-inscricao.ts'
import { type Captura, dizer } from './mutacao-captura.ts'

/** A page that answered yesterday, changed without an error. Each of them is HTTP 200. */
export type Mutacao = { nome: string; reply: Reply }

const HTML = 'text/html; charset=utf-8'
const pagina = (title: string, body: string): string =>
  `<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1>${body}</body></html>`

/** Pages that a state may serve in the place of any other. */
const lugares: Readonly<Record<string, string>> = {
  'captcha com status 200': pagina(
    'Verificação',
    '<form method="post"><p>Marque a caixa para continuar.</p><div class="g-recaptcha" data-sitekey="x"></div></form>',
  ),
  'captcha de imagem': pagina(
    'Confirme que é humano',
    '<form method="post"><img src="/captcha.png"><input name="captcha"><button>Enviar</button></form>',
  ),
  'página de login': pagina(
    'Acesso ao sistema',
    '<form method="post"><label>Usuário:</label><input name="u"><label>Senha:</label><input name="s" type="password"><button>Entrar</button></form>',
  ),
  'página de manutenção': pagina(
    'Aviso',
    '<p>Estamos melhorando este serviço para você. Volte em breve.</p>',
  ),
  'página vazia': pagina('', ''),
  nada: '',
  'só um título': pagina('Secretaria da Fazenda', ''),
  'erro do servidor com status 200': pagina(
    'Bad Gateway',
    '<p>The proxy server received an invalid response.</p>',
  ),
}

/** The pages that may stand in the place of any answer. */
export const noLugar = (last: Reply): Mutacao[] =>
  Object.entries(lugares).map(([nome, texto]) => ({ nome, reply: dizer(last, texto, HTML) }))

/** The answer of another route, of another state, to the same kind of question. */
export const modeloDeOutro = (outras: readonly Captura[]): Mutacao[] =>
  outras.flatMap(({ alvo, replies }) => {
    const reply = replies.at(-1)
    return reply ? [{ nome: `modelo de ${alvo.nome}`, reply }] : []
  })

/** The answer cut in its middle, and later. */
export const cortada = (last: Reply): Mutacao[] =>
  [0.3, 0.5, 0.8].map((share) => {
    const nome = `cortada em ${share * 100}%`
    if (last.body.subarray(0, 1024).includes('%PDF-'))
      return { nome, reply: { ...last, body: last.body.subarray(0, last.body.length * share) } }
    const texto = last.text()
    return { nome, reply: dizer(last, texto.slice(0, texto.length * share)) }
  })

/** The pieces of a text between tags (or quotes, in JSON), each with its place. */
type Pedaco = { texto: string; at: number }

function pedacosOf(texto: string): Pedaco[] {
  const isJson = /^\s*[[{]/.test(texto)
  const wanted = isJson ? /"((?:[^"\\]|\\.)*)"/g : />([^<>]*[^<>\s][^<>]*)</g
  const shown = [...texto.matchAll(wanted)].map(({ 1: piece = '', index }) => ({
    texto: piece,
    at: index + 1,
  }))
  const fields = [...texto.matchAll(/<input[^>]* value="([^"]+)"/g)].map(
    ({ 0: tag, 1: piece = '', index }) => ({
      texto: piece,
      at: index + tag.length - 1 - piece.length,
    }),
  )
  return [...shown, ...fields].toSorted((a, b) => a.at - b.at)
}

const entidades = (texto: string): string =>
  texto
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&nbsp;/g, ' ')
    .replaceAll('&amp;', '&')

const bare = (texto: string): string =>
  entidades(texto)
    .normalize('NFD')
    .replace(/[^\p{L}\d]/gu, '')
    .toUpperCase()

/** The value as the page's bare text has it: 2010-12-31 becomes 31122010. */
const dita = (value: string): string => {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value) ?? []
  return year ? `${day}${month}${year}` : bare(value)
}

/**
 * The place where the page shows a field of the answer: the value, and the label if that stands right before
 * it.
 */
type Lugar = { label?: Pedaco; valor: Pedaco }

function findCampo(pedacos: readonly Pedaco[], answer: Inscricao, campo: keyof Inscricao): Lugar | undefined {
  const value = answer[campo]
  if (bare(value).length < 3) return undefined
  for (const [at, one] of pedacos.entries()) {
    if (bare(one.texto) !== bare(value) && bare(one.texto) !== dita(value)) continue
    const label = pedacos[at - 1]
    return { valor: one, ...(label && /\p{L}{2}/u.test(label.texto) && { label }) }
  }
  return undefined
}

const trocar = (texto: string, trocas: readonly (readonly [Pedaco, string])[]): string =>
  trocas
    .toSorted(([a], [b]) => b.at - a.at)
    .reduce((all, [{ texto: old, at }, novo]) => all.slice(0, at) + novo + all.slice(at + old.length), texto)

const campos: readonly (keyof Inscricao)[] = [
  'situacao_cadastral',
  'razao_social',
  'inscricao_estadual',
  'municipio',
  'cep',
  'logradouro',
  'bairro',
  'data_inicio_atividade',
  'cpf_cnpj',
]

/**
 * A registration must have these fields by the schema of the web service. The others may be absent any day.
 */
const obrigatorios: readonly (keyof Inscricao)[] = ['razao_social', 'inscricao_estadual', 'cpf_cnpj']

/**
 * The label of each field under another name. In XML a value's own tags are its label, so the tags change.
 */
export function rotuloTrocado(last: Reply, answer: Inscricao): Mutacao[] {
  const texto = last.text()
  const pedacos = pedacosOf(texto)
  const values = new Set(Object.values(answer).flatMap((value) => [bare(value), dita(value)]))
  const wanted = isXml(texto) ? obrigatorios : campos
  return wanted.flatMap((campo) => {
    const lugar = findCampo(pedacos, answer, campo)
    const mutated = lugar && (isXml(texto) ? outraTag(texto, lugar.valor) : outroRotulo(texto, lugar, values))
    return mutated ? [{ nome: `rótulo trocado: ${campo}`, reply: dizer(last, mutated) }] : []
  })
}

const isXml = (texto: string): boolean => texto.includes('retConsCad')

function outraTag(texto: string, { texto: value, at }: Pedaco): string {
  const open = texto.lastIndexOf('<', at)
  const close = at + value.length
  const end = texto.indexOf('>', close) + 1
  return `${texto.slice(0, open)}<deOntem>${value}</deOntem>${texto.slice(end)}`
}

function outroRotulo(texto: string, { label }: Lugar, values: ReadonlySet<string>): string | undefined {
  if (!label || values.has(bare(label.texto))) return undefined
  const isMember = /^\s*[[{]/.test(texto)
  return trocar(texto, [
    [label, isMember ? 'deOntem' : `Rótulo de ontem${label.texto.endsWith(':') ? ':' : ''}`],
  ])
}

/** Pairs of fields whose values no reader can take for one another. */
const pares: readonly (readonly [keyof Inscricao, keyof Inscricao])[] = [
  ['situacao_cadastral', 'razao_social'],
  ['situacao_cadastral', 'municipio'],
  ['situacao_cadastral', 'data_inicio_atividade'],
  ['inscricao_estadual', 'razao_social'],
  ['inscricao_estadual', 'cpf_cnpj'],
  ['cep', 'municipio'],
  ['cep', 'data_inicio_atividade'],
  ['data_inicio_atividade', 'razao_social'],
  ['cnae_codigo', 'municipio'],
  ['inscricao_estadual', 'cep'],
]

/** Two columns that changed places. */
export function colunasTrocadas(last: Reply, answer: Inscricao): Mutacao[] {
  const texto = last.text()
  const pedacos = pedacosOf(texto)
  return pares.flatMap(([one, other]) => {
    const a = findCampo(pedacos, answer, one)?.valor
    const b = findCampo(pedacos, answer, other)?.valor
    if (!a || !b || a.at === b.at) return []
    const mutated = trocar(texto, [
      [a, b.texto],
      [b, a.texto],
    ])
    return [{ nome: `colunas trocadas: ${one} e ${other}`, reply: dizer(last, mutated) }]
  })
}

/** The page without any value of the answer. The labels stay. */
export function tabelaVazia(last: Reply, answer: Inscricao): Mutacao[] {
  const texto = last.text()
  const values = new Set(
    Object.values(answer)
      .flatMap((value) => [bare(value), dita(value)])
      .filter(Boolean),
  )
  const gone = pedacosOf(texto).filter(({ texto: piece }) => values.has(bare(piece)))
  return gone.length < 3
    ? []
    : [
        {
          nome: 'tabela vazia',
          reply: dizer(
            last,
            trocar(
              texto,
              gone.map((one) => [one, '']),
            ),
          ),
        },
      ]
}
