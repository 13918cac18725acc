import assert from 'node:assert/strict'
import { exemplos } from '../../simulator/mundo/exemplo.ts'
import { listContribuintes } from '../../simulator/mundo/mundo.ts'
import type { Uf } from '../../src/documento/uf.ts'
import { RotaNaoAtende, SourceError } from '../../src/platform/wire/fonte.ts'
import { createGuard, type Guard } from '../../src/platform/wire/guard.ts'
import type { Http, Reply } from '../../src/platform/wire/http.ts'
import type { Meios, PerguntaCnd, RotaCnd, RotaIe } from '../../src/portal/estado.ts'
import { askRotas, type RespostaDoEstado } from '../../src/portal/rotas.ts'
import type { Inscricao } from '../../src/portal/rules-inscricao.ts'
import { inTurns } from './basics.ts'
import { perguntaCnd, produtorEm, rotasCnd, rotasIe } from './portal.ts'

/** A route of either service, in the form in which the service asks it. */
export type Alvo = {
  nome: string
  uf: Uf
  servico: 'ie' | 'cnd'
  consultar: Consultar
  rota: RotaIe | RotaCnd
}

type Consultar = (
  pergunta: PerguntaCnd,
  meios: Meios,
  guard: Guard,
) => Promise<{ resposta: RespostaDoEstado; avisos: readonly string[] }>

/** An answer with its avisos. */
export type Respondida = {
  answer: RespostaDoEstado
  avisos: readonly string[]
  vazia: boolean
  rotulos: readonly string[]
}

/** The end of a question: its answer or its failure, and the unknown labels. */
export type Fim = Respondida | { error: unknown; rotulos: readonly string[] }

/** One answer of the simulator through a route, with the replies on the wire. */
export type Captura = {
  alvo: Alvo
  pergunta: PerguntaCnd
  replies: readonly Reply[]
  answer: RespostaDoEstado
}

const alvoOf = <R extends RotaIe | RotaCnd>(
  [nome, uf, rota]: readonly [string, Uf, R],
  servico: Alvo['servico'],
  consultar: (rota: R) => Consultar,
): Alvo => ({ nome, uf, servico, rota, consultar: consultar(rota) })

const consultaOf = (uf: Uf, meios: Meios, guard: Guard) => ({
  uf,
  meios,
  guard,
  request_id: '',
})

/** Every route of every state, of both services. */
export const alvos: readonly Alvo[] = [
  ...rotasIe.map((one) =>
    alvoOf(
      one,
      'ie',
      (rota) =>
        ({ tipo, documento }, meios, guard) =>
          askRotas([rota], { tipo, documento }, consultaOf(one[1], meios, guard)),
    ),
  ),
  ...rotasCnd.map((one) =>
    alvoOf(
      one,
      'cnd',
      (rota) => (pergunta, meios, guard) => askRotas([rota], pergunta, consultaOf(one[1], meios, guard)),
    ),
  ),
]

const limits = { simultaneous: 50, waiting: 1_000, failures: 1_000_000, pauseMs: 1 }

/** Asks a route under a guard of its own, and hears what the guard counts of it. */
export async function askAlvo(alvo: Alvo, pergunta: PerguntaCnd, meios: Meios): Promise<Fim> {
  const heard = { vazia: false, rotulos: [] as readonly string[] }
  const onCall = ({ vazia, rotulos }: { vazia: boolean; rotulos: readonly string[] }): void => {
    heard.vazia = vazia
    heard.rotulos = rotulos
  }
  const guard = createGuard({ info: () => {} }, { pace: 0, limits, onCall })
  try {
    const { resposta, avisos } = await alvo.consultar(pergunta, meios, guard)
    return { answer: resposta, avisos, ...heard }
  } catch (error) {
    return { error, rotulos: heard.rotulos }
  }
}

/** Asks the simulator and keeps the replies on the wire. Throws the route's failure. */
export async function capture(alvo: Alvo, pergunta: PerguntaCnd, meios: Meios): Promise<Captura> {
  const replies: Reply[] = []
  const send: Http['send'] = async (ask) => {
    const reply = await meios.http.send(ask)
    replies.push(reply)
    return reply
  }
  const fim = await askAlvo(alvo, pergunta, { ...meios, http: { ...meios.http, send } })
  if ('error' in fim) throw fim.error
  return { alvo, pergunta, replies, answer: fim.answer }
}

/** Asks again with the same bytes on the wire, except that the last answer is changed. */
export function replay({ alvo, pergunta, replies }: Captura, meios: Meios, last: Reply): Promise<Fim> {
  const said = [...replies.slice(0, -1), last]
  let at = 0
  const send: Http['send'] = async () => said[Math.min(at++, said.length - 1)] ?? last
  const captcha: Meios['captcha'] = { takes: () => true, solve: async () => 'ABCDE' }
  return askAlvo(alvo, pergunta, { ...meios, captcha, http: { ...meios.http, send } })
}

/** A reply with another text, in UTF-8. */
export const tell = (
  reply: Reply,
  texto: string,
  media = String(reply.headers['content-type'] ?? ''),
): Reply => ({
  ...reply,
  headers: { ...reply.headers, 'content-type': media },
  body: Buffer.from(texto),
  text: () => texto,
})

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
  Object.entries(lugares).map(([nome, texto]) => ({ nome, reply: tell(last, texto, HTML) }))

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
    return { nome, reply: tell(last, texto.slice(0, texto.length * share)) }
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
    return mutated ? [{ nome: `rótulo trocado: ${campo}`, reply: tell(last, mutated) }] : []
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
    return [{ nome: `colunas trocadas: ${one} e ${other}`, reply: tell(last, mutated) }]
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
          reply: tell(
            last,
            trocar(
              texto,
              gone.map((one) => [one, '']),
            ),
          ),
        },
      ]
}

/** The question for a route, as the lookup sends it: by CNPJ, or by CPF where it takes no CNPJ. */
export async function perguntaDe(
  { uf, servico, rota }: Alvo,
  meios: Meios,
  documento?: string,
): Promise<PerguntaCnd> {
  const own = rota.aceita.includes('cnpj') ? exemplos().umaInscricao.get(uf) : produtorEm(uf)
  const asked = documento ?? own ?? ''
  if (servico === 'cnd') return perguntaCnd(uf, asked, meios)
  return { tipo: asked.length === 11 ? 'cpf' : 'cnpj', documento: asked, inscricoes: undefined }
}

/** Every mutation of an answer. `outras` are answers of other routes of the same service. */
export function mutacoesDe({ alvo, replies, answer }: Captura, outras: readonly Captura[]): Mutacao[] {
  const last = replies.at(-1)
  if (!last) return []
  const own = { nome: alvo.nome, all: [...noLugar(last), ...cortada(last), ...modeloDeOutro(outras)] }
  const [first] = Array.isArray(answer) ? answer : []
  return first
    ? [
        ...own.all,
        ...rotuloTrocado(last, first),
        ...colunasTrocadas(last, first),
        ...tabelaVazia(last, first),
      ]
    : own.all
}

/** One mutation of one answer. */
export type Caso = { captura: Captura; mutacao: Mutacao }

/** One answer of each route that is asked live. */
export const capturasDe = (meios: () => Meios): Promise<Captura[]> =>
  inTurns(
    alvos.filter(({ rota }) => rota.certeza !== 'desconhecido'),
    4,
    async (alvo) => capture(alvo, await perguntaDe(alvo, meios()), meios()),
  )

/**
 * The mutations of the answers of all routes: all of each route, or a number of each. Each route begins at
 * another mutation, so that a few routes together see every kind.
 */
export function casosDe(capturas: readonly Captura[], many = Number.POSITIVE_INFINITY): Caso[] {
  return capturas.flatMap((captura, at) => {
    const others = capturas.filter(
      ({ alvo }) => alvo.servico === captura.alvo.servico && alvo.uf !== captura.alvo.uf,
    )
    const outras = [others[at % others.length], others[(at * 7 + 3) % others.length]].flatMap(
      (one) => one ?? [],
    )
    const all = mutacoesDe(captura, outras)
    const count = Math.min(many, all.length)
    return Array.from({ length: count }, (_, n) => all[(at * 3 + n * 5) % all.length] ?? [])
      .flat()
      .map((mutacao) => ({ captura, mutacao }))
  })
}

/**
 * Fails where a mutation gives another answer than the right one, or a failure that is not the source's. A
 * registration may lack a value if an aviso names its field.
 */
export async function provaDe(captura: Captura, mutacao: Mutacao, meios: () => Meios): Promise<void> {
  const what = `${captura.alvo.nome}: ${mutacao.nome}`
  const fim = await replay(captura, { ...meios(), deadlineMs: 4_000 }, mutacao.reply)
  if ('answer' in fim) {
    assert.deepEqual(fim.answer, withoutLost(captura.answer, fim), what)
    return
  }
  const { error } = fim
  assert.ok(error instanceof SourceError || error instanceof RotaNaoAtende, `${what}: ${error}`)
}

/** The right answer, without the values of the fields that the avisos name and the answer left empty. */
function withoutLost(right: RespostaDoEstado, { answer, avisos }: Respondida): RespostaDoEstado {
  if (!Array.isArray(right) || !Array.isArray(answer)) return right
  const named = new Set(avisos.flatMap((aviso) => aviso.match(/\b[a-z]+(?:_[a-z]+)*\b/g) ?? []))
  return right.map((inscricao, at) => {
    const lost = Object.entries(answer[at] ?? {}).filter(([campo, value]) => value === '' && named.has(campo))
    return { ...inscricao, ...Object.fromEntries(lost) }
  })
}

/** Documents of the world that a state knows, in the world's order. */
export const documentosDe = ({ uf, rota }: Alvo, many: number): string[] =>
  listContribuintes()
    .filter(
      ({ tipoDocumento, inscricoes }) =>
        rota.aceita.includes(tipoDocumento) && inscricoes.some((one) => one.uf === uf),
    )
    .slice(0, many)
    .map(({ documento }) => documento)
