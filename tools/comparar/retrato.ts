import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { request as requestTls } from 'node:https'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pausa } from 'node:timers/promises'
import { load } from 'cheerio'
import type { Troca } from './escuta.ts'

/** One thing that a user can see: of a kind, under a name that both checkouts give it. */
export type Achado = { tipo: string; nome: string; cabeca?: string; corpo: Buffer | string }

/** A row of the simulator's list of what to try. */
export type Linha = {
  endpoint: string
  nota: string
  parametros: Record<string, string>
  envio?: { certificado: string; senha: string; corpo: { chave?: string } }
}

type Resposta = { status: number; headers: IncomingHttpHeaders; body: Buffer }
type Pedido = { method?: string; headers?: Record<string, string>; body?: string | Buffer }
type Programa = { filho: ChildProcess; dito: () => string }

const CHAVE = 'fk_comparar0000000000000000000000000000000'
const RITMO = '0.15'
const SENHA = 'uma frase bem longa para comparar'
const EMAIL = 'comparar@exemplo.com.br'
/** Fine weather but for what is named, so that no answer depends on the minute at which it is asked. */
const TEMPO = {
  padrao: 'normal',
  autorizadores: {
    'nfe-am': '109',
    'nfe-mt': 'http-403',
    'nfce-pr': 'fault',
    'cte-mg': '108',
    'nfe-go': 'html',
  },
  svc: { nfe: { AM: 'ativada' } },
  paginas: {},
}
/** Headers that say when, or of what connection. */
const OMITIDOS = ['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length']
/** How many lookups run at a time: with more, a busy machine would be slower than the deadlines. */
const MOST_LANES = 12
/** How many pages of the same address, but for ids and parameters, are opened. */
const MOST_ALIKE = 25

const agent = new Agent({ keepAlive: true, maxSockets: 40 })
let visitante = 0

/** Asks as a stranger of a new address each time, so that no count of a visitor's questions is met. */
function ask(
  base: string,
  path: string,
  { method = 'GET', headers = {}, body }: Pedido = {},
): Promise<Resposta> {
  visitante += 1
  const address = `10.${(visitante >> 16) & 255}.${(visitante >> 8) & 255}.${visitante & 255}`
  return new Promise((resolve, reject) => {
    const asked = request(
      new URL(path, base),
      { method, agent, headers: { 'x-forwarded-for': address, ...headers } },
      (reply) => {
        const chunks: Buffer[] = []
        reply.on('data', (chunk: Buffer) => chunks.push(chunk))
        reply.on('error', reject)
        reply.on('end', () => {
          resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: Buffer.concat(chunks) })
        })
      },
    )
    asked.setTimeout(120_000, () => asked.destroy(new Error(`no answer in time: ${path}`)))
    asked.on('error', reject)
    asked.end(body)
  })
}

const cabecaDe = ({ status, headers }: Resposta): string =>
  [`HTTP ${status}`]
    .concat(
      Object.entries(headers)
        .filter(([name]) => !OMITIDOS.includes(name))
        .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') : value}`),
    )
    .join('\n')

/** Captures what a user sees of one checkout. Everything that it starts ends with it. */
export async function retratar(
  projeto: string,
  perguntas: Promise<Linha[]>,
  sobre: Sobre,
): Promise<Achado[]> {
  const pasta = mkdtempSync(join(tmpdir(), 'comparar-'))
  const filhos: ChildProcess[] = []
  const achados: Achado[] = []
  const fixos: [string, string][] = []
  const trocar = (texto: string): string => fixos.reduce((dito, [de, por]) => dito.replaceAll(de, por), texto)
  const achar = (tipo: string, nome: string, corpo: Buffer | string, cabeca?: string): void => {
    const dito = typeof corpo === 'string' ? trocar(corpo) : corpo
    achados.push({
      tipo,
      nome: trocar(nome),
      corpo: dito,
      ...(cabeca !== undefined && { cabeca: trocar(cabeca) }),
    })
  }
  const guardar = async (
    tipo: string,
    base: string,
    path: string,
    pedido: Pedido = {},
    nome = '',
  ): Promise<Resposta> => {
    const resposta = await ask(base, path, pedido)
    achar(tipo, nome || `${pedido.method ?? 'GET'} ${path}`, inteiro(resposta, trocar), cabecaDe(resposta))
    return resposta
  }
  const iniciar = (args: string[], env: Record<string, string> = {}): Programa =>
    iniciarEm(projeto, pasta, filhos, args, env)
  const rodar = async (tipo: string, args: string[], env = {}, entrada = ''): Promise<string> => {
    const { filho, dito } = iniciar(args, env)
    filho.stdin?.end(entrada)
    const [codigo] = await once(filho, 'close')
    achar(tipo, args.join(' '), `${dito()}\n(saída ${codigo})`)
    return dito()
  }
  const cena: Cena = { projeto, pasta, fixos, achar, guardar, iniciar, rodar, perguntas, sobre }
  const terminar = (): void => {
    for (const filho of filhos) filho.kill('SIGKILL')
    rmSync(pasta, { recursive: true, force: true, maxRetries: 5 })
  }
  process.once('exit', terminar)
  try {
    fixos.push([pasta, '<pasta>'], [projeto, '<projeto>'])
    await retratarTudo(cena)
    return achados
  } finally {
    terminar()
  }
}

/** What is told meanwhile: the address of the simulator as soon as there is one, and what takes its time. */
export type Sobre = { simulador: (endereco: string) => void; passo: (texto: string) => void }

type Cena = {
  projeto: string
  pasta: string
  /** Texts that name this run, each with what stands for it. */
  fixos: [string, string][]
  achar: (tipo: string, nome: string, corpo: Buffer | string, cabeca?: string) => void
  guardar: (tipo: string, base: string, path: string, pedido?: Pedido, nome?: string) => Promise<Resposta>
  iniciar: (args: string[], env?: Record<string, string>) => Programa
  rodar: (tipo: string, args: string[], env?: object, entrada?: string) => Promise<string>
  perguntas: Promise<Linha[]>
  sobre: Sobre
}

/** A body whose text names no address of this run; other octets as they are. */
function inteiro({ body }: Resposta, trocar: (texto: string) => string): Buffer | string {
  const texto = body.toString('utf8')
  return Buffer.from(texto).equals(body) ? trocar(texto) : body
}

function iniciarEm(
  projeto: string,
  pasta: string,
  filhos: ChildProcess[],
  args: string[],
  env: object,
): Programa {
  const filho = spawn(process.execPath, args, {
    cwd: projeto,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: pasta, TZ: 'UTC', COLUMNS: '100', ...env },
  })
  filhos.push(filho)
  let texto = ''
  const ouvir = (chunk: string): void => {
    texto += chunk
  }
  filho.stdout.setEncoding('utf8').on('data', ouvir)
  filho.stderr.setEncoding('utf8').on('data', ouvir)
  filho.stdin.on('error', () => undefined)
  return { filho, dito: () => texto }
}

async function esperarPor({ filho, dito }: Programa, oQue: RegExp): Promise<string> {
  for (let i = 0; i < 1_200; i += 1) {
    const achado = oQue.exec(dito())?.[1]
    if (achado !== undefined) return achado
    if (filho.exitCode !== null) throw new Error(`ended before it was ready:\n${dito()}`)
    await pausa(50)
  }
  throw new Error(`not ready in a minute:\n${dito()}`)
}

async function retratarTudo(cena: Cena): Promise<void> {
  const { pasta, fixos, achar, guardar, iniciar, rodar, sobre } = cena
  const comoUsuario = retratarInicio(cena)
  const simulador = iniciar(['simulator/main.ts', '--pasta', join(pasta, 'simulador'), '--ritmo', RITMO])
  const enderecoDoSimulador = await esperarPor(simulador, /"endereco":"([^"]+)"/)
  fixos.push([enderecoDoSimulador, 'http://simulador'], [new URL(enderecoDoSimulador).host, '<simulador>'])
  await ask(enderecoDoSimulador, '/sefaz.json', { method: 'PUT', body: JSON.stringify(TEMPO) })
  sobre.simulador(enderecoDoSimulador)
  const escuta = join(pasta, 'escuta.ndjson')
  const dados = { DATA_DIR: join(pasta, 'dados') }
  const servico = iniciar(['bin/servidor.js'], {
    ...dados,
    PORT: '0',
    METRICS_PORT: '0',
    BOOTSTRAP_API_KEY: CHAVE,
    SIMULATOR_URL: enderecoDoSimulador,
    TRUST_PROXY: '1',
    SEFAZ_SECONDS: '3600',
    IE_SECONDS: '12',
    CND_SECONDS: '16',
    IE_TODOS_SECONDS: '60',
    CND_TODOS_SECONDS: '120',
    NFE_SECONDS: '15',
    SERVER_SECRET: 'segredo de comparar com mais de trinta e dois caracteres',
    NODE_OPTIONS: `--import=${import.meta.resolve('./escuta.ts')}?arquivo=${encodeURIComponent(escuta)}`,
  })
  const base = await esperarPor(servico, /no ar em (http:\S+)/)
  const metricas = await esperarPor(servico, /(http:\S+)\/metrics/)
  fixos.push([base, 'http://servico'], [new URL(base).host, '<servico>'])
  fixos.push([metricas, 'http://metricas'])
  await esperarPor(servico, /(Para experimentar[\s\S]*\n\n)/)
  achar('início', 'com estas configurações', servico.dito().split('\n{')[0] ?? '')
  sobre.passo('started')

  const openapi = await guardar('openapi', base, '/openapi.json')
  await promover(cena, base, dados)
  await Promise.all([
    perguntarTudo(cena, base, enderecoDoSimulador).then(() => sobre.passo('lookups')),
    ajudas(cena, dados).then(() => sobre.passo('commands')),
    percorrerSimulador(cena, enderecoDoSimulador),
    comoUsuario,
  ])
  await percorrerSite(cena, base).then(() => sobre.passo('pages'))
  await rodarComandos(cena, base, dados)
  await operacoes(cena, base, openapi)
  await perguntarServicos(cena, enderecoDoSimulador, escuta)
  const numeros = await ask(metricas, '/metrics')
  achar('métricas', '/metrics', numerosSemValores(numeros.body.toString()))
  servico.filho.kill('SIGTERM')
  await once(servico.filho, 'close')
  simulador.filho.kill('SIGTERM')
  await once(simulador.filho, 'close')
  gravarTrocas(cena, escuta)
  esquemas(cena)
  await rodar('comando', ['bin/fiscal.js', 'config'], dados)
  sobre.passo('done')
}

/** The service as its first user starts it: with nothing set but where, and with a simulator of its own. */
async function retratarInicio({ pasta, achar, iniciar }: Cena): Promise<void> {
  const DATA_DIR = join(pasta, 'primeira-vez')
  const servico = iniciar(['bin/servidor.js'], { DATA_DIR, PORT: '0' })
  await esperarPor(servico, /(O XML de NF-e, .*\n)/)
  servico.filho.kill('SIGTERM')
  const [codigo] = await once(servico.filho, 'close')
  const dito = servico
    .dito()
    .split('\n')
    .filter((linha) => !linha.startsWith('{'))
  achar(
    'início',
    'sem configurações',
    `${dito.join('\n')}\n(saída ${codigo})`.replace(/127\.0\.0\.1:\d+/g, '<servico>'),
  )
  achar('esquema', 'pasta de dados', arquivosDe(DATA_DIR).join('\n'))
}

const arquivosDe = (pasta: string): string[] =>
  readdirSync(pasta, { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile())
    .map((item) => relative(pasta, join(item.parentPath, item.name)))
    .filter((nome) => !/-(wal|shm|journal)$/.test(nome))
    .toSorted()

/**
 * Gives the account of the key the largest plan: its limits are not met. Opens a second one for the pages.
 */
async function promover({ guardar, rodar }: Cena, base: string, dados: object): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ nome: 'Ana Souza', email: EMAIL, senha: SENHA })
  await guardar('api', base, '/api/v1/auth/registrar', { method: 'POST', headers, body })
  const contas = await rodar('comando', ['bin/fiscal.js', 'contas', 'listar'], dados)
  for (const email of new Set(contas.match(/[\w.+-]+@[\w.-]+/g) ?? []))
    await rodar('comando', ['bin/fiscal.js', 'contas', 'plano', email, 'enterprise'], dados)
}

/** Runs lanes beside each other, the longest first; what stands in one lane, one after another. */
async function emFilas(filas: Iterable<(() => Promise<unknown>)[]>): Promise<void> {
  const espera = [...filas].toSorted((a, b) => b.length - a.length)
  const trabalhar = async (): Promise<void> => {
    for (let fila = espera.shift(); fila; fila = espera.shift()) for (const faz of fila) await faz()
  }
  await Promise.all(Array.from({ length: MOST_LANES }, trabalhar))
}

/**
 * Asks every row of the simulator's list. One source is asked in the order of the list, which never fails it
 * so often in a row that it rests; the lookups of all states come when no state is asked alone.
 */
async function perguntarTudo({ guardar, perguntas }: Cena, base: string, simulador: string): Promise<void> {
  const linhas = await perguntas
  const filas = new Map<string, (() => Promise<unknown>)[]>()
  const depois: (() => Promise<unknown>)[] = []
  const headers = { 'x-api-key': CHAVE }
  for (const { endpoint, parametros, envio, nota } of linhas) {
    if (envio) continue
    const path = `${endpoint}?${new URLSearchParams(parametros)}`
    const emTodos = /todos|perfil/.test(endpoint)
    // The national register is one source for all states.
    const sozinha = emTodos || nota.includes('CCC')
    const fila = sozinha ? depois : (filas.get(`${endpoint} ${parametros.uf?.toUpperCase()}`) ?? [])
    if (!sozinha) filas.set(`${endpoint} ${parametros.uf?.toUpperCase()}`, fila)
    fila.push(() => guardar('api', base, path, { headers }))
    if (emTodos && fila.length % 4 === 0) {
      const emEventos = { ...headers, accept: 'text/event-stream' }
      fila.push(() => guardar('eventos', base, path, { headers: emEventos }))
    }
  }
  const json = { ...headers, 'content-type': 'application/json' }
  const notas = linhas.map(({ envio }) => envio).filter((envio) => envio !== undefined)
  for (const [i, { certificado, senha, corpo }] of notas.entries()) {
    // A scenario's holder is asked for by nobody else.
    const fila = `nota ${certificado.startsWith('nfe-') ? i % 3 : 'dos outros'}`
    const perguntar = async (): Promise<unknown> => {
      const arquivo = (await ask(simulador, `/certificados/${certificado}.pfx`)).body.toString('base64')
      const body = JSON.stringify({ ...corpo, certificado: arquivo, senha })
      const nome = `POST nfe-xml ${certificado} ${JSON.stringify(corpo)}`
      return guardar('api', base, '/api/consultar-nfe-xml', { method: 'POST', headers: json, body }, nome)
    }
    filas.set(fila, [...(filas.get(fila) ?? []), perguntar])
  }
  await emFilas(filas.values())
  await emFilas([depois])
}

/**
 * The operations of the document without a key, with a wrong one and with nothing; and what has no
 * document.
 */
async function operacoes({ guardar }: Cena, base: string, { body }: Resposta): Promise<void> {
  const { paths }: { paths: Record<string, Record<string, object>> } = JSON.parse(body.toString())
  const headers = { 'x-api-key': CHAVE }
  for (const [path, metodos] of Object.entries(paths))
    for (const metodo of Object.keys(metodos)) {
      const method = metodo.toUpperCase()
      const real = path.replace('{codigo}', '539').replace(/\{[^}]+\}/g, '1')
      await guardar('api', base, real, { method }, `${method} ${path} sem chave`)
      await guardar(
        'api',
        base,
        real,
        { method, headers: { 'x-api-key': `${CHAVE}x` } },
        `${method} ${path} chave errada`,
      )
      await guardar('api', base, real, { method, headers }, `${method} ${path} sem nada`)
      await guardar(
        'api',
        base,
        `${real}?desconhecido=1&uf=XX&cnpj=1`,
        { method, headers },
        `${method} ${path} errado`,
      )
      const torto = { ...headers, 'content-type': 'application/json' }
      if (method === 'POST')
        await guardar('api', base, real, { method, headers: torto, body: '{"' }, `POST ${path} torto`)
      await guardar('api', base, real, { method: 'PATCH', headers }, `PATCH ${path}`)
    }
  const outros = ['/api/nada', '/api/v1/rejeicoes/0', '/api/v1/rejeicoes/abc', '/health', '/ready', '/live']
  const listas = ['q=cnpj', 'categoria=fiscal', 'limit=5&offset=10', 'pagina=2', 'por_pagina=7', 'q=']
  const rejeicoes = listas.flatMap((lista) => [
    `/api/v1/rejeicoes?${lista}`,
    `/api/v1/public/rejeicoes?${lista}`,
  ])
  const codigos = Array.from({ length: 80 }, (_, i) => `/api/v1/rejeicoes/${201 + i * 9}`)
  const historico = ['uf=SP', 'uf=AM&documento=nfe', 'documento=cte', 'dias=7', 'dias=90&uf=RS', 'dias=x']
  const sefaz = historico.map((qual) => `/api/v1/sefaz/historico?${qual}`)
  const estados = ['SP', 'AM', 'XX'].map((uf) => `/api/v1/sefaz/status?uf=${uf}`)
  for (const path of [...outros, ...rejeicoes, ...codigos, ...sefaz, ...estados])
    await guardar('api', base, path, { headers })
}

/** Opens all pages, strangers' first, then those of the dashboard; sends each form once as it stands. */
async function percorrerSite(cena: Cena, base: string): Promise<void> {
  const { guardar } = cena
  const publicas = [
    '/',
    '/sitemap.xml',
    '/robots.txt',
    '/llms.txt',
    '/erros',
    '/docs/',
    '/documentacao',
    '/sefaz/',
  ]
  const formularios = await percorrer(
    cena,
    'página',
    base,
    [...publicas, '/blog/rejeicoes/', '/entrar/', '/nada'],
    {},
  )
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }
  const enviar = async (
    tipo: string,
    { onde, para, campos }: Formulario,
    cookie: string,
  ): Promise<Resposta> => {
    const antes = await ask(base, onde, { headers: { cookie } })
    const token = load(antes.body.toString())('input[name="_csrf"]').attr('value')
    const cookies = [cookie, ...(antes.headers['set-cookie'] ?? []).map((um) => um.split(';')[0] ?? '')]
    const body = String(new URLSearchParams({ ...campos, ...(token !== undefined && { _csrf: token }) }))
    const pedido = {
      method: 'POST',
      headers: { ...headers, cookie: cookies.filter(Boolean).join('; ') },
      body,
    }
    return guardar(tipo, base, para, pedido, `POST ${para} de ${onde} ${Object.keys(campos)}`)
  }
  for (const formulario of formularios) await enviar('formulário', formulario, '')
  const entrada = { onde: '/entrar/', para: '/entrar/', campos: { email: EMAIL, senha: SENHA, para: '' } }
  const entrou = await enviar('formulário', entrada, '')
  const cookie = (entrou.headers['set-cookie'] ?? []).map((um) => um.split(';')[0]).join('; ')
  if (entrou.status !== 303 && entrou.status !== 302) throw new Error(`log-in: HTTP ${entrou.status}`)
  await chamadasDoPainel(cena, base)
  const doPainel = await percorrer(cena, 'painel', base, ['/painel/'], { cookie })
  // What ends the session comes last.
  const fim = ({ para }: Formulario): number => Number(/sair|encerrar/.test(para))
  for (const formulario of doPainel.toSorted((a, b) => fim(a) - fim(b)))
    await enviar('formulário', formulario, cookie)
}

/** A few calls of the account of the dashboard, one after another, so that its pages show the same. */
async function chamadasDoPainel({ perguntas }: Cena, base: string): Promise<void> {
  const linhas = await perguntas
  const body = JSON.stringify({ email: EMAIL, senha: SENHA })
  const headers = { 'content-type': 'application/json' }
  const entrou = await ask(base, '/api/v1/auth/login', { method: 'POST', headers, body })
  const { token = '' } = JSON.parse(entrou.body.toString())
  for (const endpoint of new Set(linhas.map((linha) => linha.endpoint)))
    for (const { parametros } of linhas
      .filter((linha) => linha.endpoint === endpoint && !linha.envio)
      .slice(0, 4))
      await ask(base, `${endpoint}?${new URLSearchParams(parametros)}`, {
        headers: { authorization: `Bearer ${token}` },
      })
}

type Formulario = { onde: string; para: string; campos: Record<string, string> }

const semIds = (path: string): string => path.replace(/[0-9a-f]{8}-[0-9a-f-]{27,}|\b[0-9a-f]{12,}\b/g, '<id>')

/** Follows all links of a site from some addresses on; gives the forms that it met, once each. */
async function percorrer(
  { guardar }: Cena,
  tipo: string,
  base: string,
  inicio: string[],
  headers: Record<string, string>,
): Promise<Formulario[]> {
  const fila = [...inicio]
  const vistos = new Set(fila)
  const parecidos = new Map<string, number>()
  const formularios = new Map<string, Formulario>()
  const ver = (href: string, onde: string): void => {
    const url = URL.canParse(href, base + onde) ? new URL(href, base + onde) : undefined
    if (url?.origin !== base || /^\/(api|sair)\b/.test(url.pathname)) return
    if (url.pathname.startsWith('/painel/') !== (tipo === 'painel')) return
    const path = url.pathname + url.search
    const forma = semIds(url.pathname) + (url.search && '?')
    const quantos = parecidos.get(forma) ?? 0
    if (vistos.has(path) || (forma !== path && quantos >= MOST_ALIKE)) return
    parecidos.set(forma, quantos + 1)
    vistos.add(path)
    fila.push(path)
  }
  const abrir = async (path: string): Promise<void> => {
    if (path.includes('/eventos')) return
    const dele = `${semIds(path)}${semIds(path) === path ? '' : ` ${[...vistos].indexOf(path)}`}`
    const { headers: ditos, body } = await guardar(tipo, base, path, { headers }, `GET ${dele}`)
    if (ditos.location) ver(String(ditos.location), path)
    const texto = body.toString()
    if (/xml/.test(String(ditos['content-type'])))
      for (const [, href = ''] of texto.matchAll(/<loc>([^<]+)/g)) ver(new URL(href).pathname, path)
    if (!/html/.test(String(ditos['content-type']))) return
    const $ = load(texto)
    for (const no of $('[href],[src]').toArray()) ver($(no).attr('href') ?? $(no).attr('src') ?? '', path)
    for (const no of $('form').toArray()) {
      const para = new URL($(no).attr('action') ?? path, base + path)
      const campos = Object.fromEntries(
        $(no)
          .serializeArray()
          .map(({ name, value }) => [name, value]),
      )
      const { _csrf, ...deles } = campos
      if ($(no).attr('method')?.toUpperCase() !== 'POST') {
        ver(`${para.pathname}?${new URLSearchParams(deles)}`, path)
        continue
      }
      const formulario = { onde: path, para: para.pathname + para.search, campos: deles }
      const nome = `${semIds(formulario.para)} ${Object.keys(deles)}`
      if (!formularios.has(nome)) formularios.set(nome, formulario)
    }
  }
  for (let path = fila.shift(); path !== undefined; path = fila.shift()) await abrir(path)
  return [...formularios.values()]
}

/** The simulator's own site, and every authority that it plays asked for its first page. */
async function percorrerSimulador({ guardar }: Cena, endereco: string): Promise<void> {
  const { body } = await ask(endereco, '/')
  const daCasa = [
    '/',
    '/documentos.json',
    '/certificados.json',
    '/sefaz.json',
    '/sefaz/passado.json',
    '/nada',
  ]
  for (const path of daCasa) await guardar('simulador', endereco, path)
  const nomes = new Set(body.toString().match(/\b[a-z0-9-]+(\.[a-z0-9-]+)+\.br\b/g))
  for (const host of nomes)
    for (const path of ['/', '/nada'])
      await guardar('simulador', endereco, path, { headers: { host } }, `http://${host}${path}`).catch(
        () => undefined,
      )
}

/**
 * Where the state of a note is asked (NFeConsultaProtocolo4): the service never does. Published by the
 * national portal.
 */
const SITUACAO = [
  'nfe.sefaz.am.gov.br/services2/services/NfeConsulta4',
  'nfe.sefaz.ba.gov.br/webservices/NFeConsultaProtocolo4/NFeConsultaProtocolo4.asmx',
  'nfe.sefaz.go.gov.br/nfe/services/NFeConsultaProtocolo4',
  'nfe.fazenda.mg.gov.br/nfe2/services/NFeConsultaProtocolo4',
  'nfe.sefaz.ms.gov.br/ws/NFeConsultaProtocolo4',
  'nfe.sefaz.mt.gov.br/nfews/v2/services/NfeConsulta4',
  'nfe.sefaz.pe.gov.br/nfe-service/services/NFeConsultaProtocolo4',
  'nfe.sefa.pr.gov.br/nfe/NFeConsultaProtocolo4',
  'nfe.sefazrs.rs.gov.br/ws/NfeConsulta/NfeConsulta4.asmx',
  'nfe.fazenda.sp.gov.br/ws/nfeconsultaprotocolo4.asmx',
  'www.sefazvirtual.fazenda.gov.br/NFeConsultaProtocolo4/NFeConsultaProtocolo4.asmx',
  'nfe.svrs.rs.gov.br/ws/NfeConsulta/NfeConsulta4.asmx',
]
const NFE = 'http://www.portalfiscal.inf.br/nfe'

/**
 * Asks each SOAP service of the authorities what the service does not: its WSDL, nonsense, how notes
 * stand.
 */
async function perguntarServicos(
  { achar, perguntas }: Cena,
  simulador: string,
  escuta: string,
): Promise<void> {
  const ambiente = JSON.parse((await ask(simulador, '/ambiente.json')).body.toString())
  const { pfx, senha } = ambiente.certificado
  const tls = { pfx: Buffer.from(pfx, 'base64'), passphrase: senha, ca: ambiente.ca }
  const { port } = new URL(simulador)
  const perguntar = async (nome: string, url: URL, method: string, body = ''): Promise<void> => {
    const headers = { host: url.host, ...(body && { 'content-type': 'application/soap+xml; charset=utf-8' }) }
    const path = url.pathname + url.search
    const asked = requestTls({
      ...tls,
      host: '127.0.0.1',
      port,
      servername: url.hostname,
      path,
      method,
      headers,
      agent: false,
    })
    asked.setTimeout(30_000, () => asked.destroy(new Error('no answer in time')))
    try {
      const answered = once(asked, 'response')
      asked.end(body)
      const [reply] = await answered
      const chunks: Buffer[] = await reply.toArray()
      const resposta = { status: reply.statusCode, headers: reply.headers, body: Buffer.concat(chunks) }
      achar('soap', nome, resposta.body, cabecaDe(resposta))
    } catch (error) {
      achar('soap', nome, String(error))
    }
  }
  const trocas: Troca[] = readFileSync(escuta, 'utf8')
    .trim()
    .split('\n')
    .map((linha) => JSON.parse(linha))
  const comEnvelope = trocas.filter(({ corpo }) => Buffer.from(corpo, 'base64').includes('Envelope'))
  const enderecos = comEnvelope
    .map(({ pergunta }) => pergunta.replace('POST ', ''))
    .filter((um) => um.startsWith('https'))
  for (const endereco of [...new Set(enderecos)].toSorted()) {
    await perguntar(`${endereco}?wsdl`, new URL(`${endereco}?wsdl`), 'GET')
    await perguntar(`${endereco} torto`, new URL(endereco), 'POST', '<a><b></a>')
    await perguntar(`${endereco} vazio`, new URL(endereco), 'POST', envelope('<nada/>'))
  }
  const chaves = (await perguntas).flatMap(({ envio }) => (envio?.corpo.chave ? [envio.corpo.chave] : []))
  for (const endereco of SITUACAO)
    for (const chave of [...chaves.slice(0, 6), '1'.repeat(44)]) {
      const pedido = `<consSitNFe xmlns="${NFE}" versao="4.00"><tpAmb>1</tpAmb><xServ>CONSULTAR</xServ><chNFe>${chave}</chNFe></consSitNFe>`
      const dados = `<nfeDadosMsg xmlns="${NFE}/wsdl/NFeConsultaProtocolo4">${pedido}</nfeDadosMsg>`
      await perguntar(`${endereco} ${chave}`, new URL(`https://${endereco}`), 'POST', envelope(dados))
    }
}

const envelope = (corpo: string): string =>
  `<?xml version="1.0" encoding="utf-8"?><soap12:Envelope xmlns:soap12="http://www.w3.org/2003/05/soap-envelope"><soap12:Body>${corpo}</soap12:Body></soap12:Envelope>`

/** The help of every command, from one to the next. */
async function ajudas({ rodar }: Cena, dados: object): Promise<void> {
  const fila: string[][] = [[]]
  for (let comando = fila.shift(); comando !== undefined; comando = fila.shift()) {
    const texto = await rodar('comando', ['bin/fiscal.js', ...comando, '--help'], dados)
    const lista = texto.split('\nComandos:\n')[1]?.split('\n\n')[0] ?? ''
    for (const [, nome = ''] of lista.matchAll(/^ {2}([a-z][\w-]*)/gm))
      if (nome !== 'help') fila.push([...comando, nome])
  }
}

async function rodarComandos(
  { rodar, achar, projeto, perguntas }: Cena,
  base: string,
  dados: object,
): Promise<void> {
  const cliente = { ...dados, FISCAL_ENDERECO: base, FISCAL_CHAVE: CHAVE }
  const ie = (await perguntas).find(({ endpoint }) => endpoint === '/api/consultar')
  const { uf = '', cnpj = '' } = ie?.parametros ?? {}
  const comandos = [
    'config exemplo',
    'fontes',
    'fontes --markdown',
    'tabelas',
    'esquemas',
    'rejeicao 539',
    'rejeicao 0',
    'sefaz',
    'trabalhos',
    'cnpj listar',
    'contas listar',
    `contas mostrar ${EMAIL}`,
    `contas extrato ${EMAIL}`,
    'simulador documentos --markdown',
    'nada',
    `consultar ie ${uf} ${cnpj}`,
  ]
  for (const comando of comandos) await rodar('comando', ['bin/fiscal.js', ...comando.split(' ')], cliente)
  await rodar('comando', ['simulator/main.ts', 'documentos', '--markdown'])
  await rodar('comando', ['simulator/main.ts', '--ajuda'])
  await rodar('comando', ['simulator/main.ts', '--nada'])
  const cliente1 = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'comparar', version: '1' },
  }
  const conversa = [
    { jsonrpc: '2.0', id: 1, method: 'initialize', params: cliente1 },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 2, method: 'tools/list' },
  ]
  await rodar(
    'mcp',
    ['bin/fiscal.js', 'mcp'],
    cliente,
    conversa.map((um) => `${JSON.stringify(um)}\n`).join(''),
  )
  for (const nome of ['.env.example', 'docs/simulator.md', 'docs/states.md'])
    if (existsSync(join(projeto, nome))) achar('comando', nome, readFileSync(join(projeto, nome), 'utf8'))
}

/** The names, help and labels of the metrics, without what they count. */
function numerosSemValores(texto: string): string {
  const linhas = texto
    .split('\n')
    // What Node has under way at that moment.
    .filter((linha) => !/^nodejs_active_\w+\{/.test(linha))
    .map((linha) => (linha.startsWith('#') ? linha : linha.replace(/ \S+$/, '')))
  return [...new Set(linhas.map((linha) => linha.replace(/,?\ble="[^"]*",?/, '')))].toSorted().join('\n')
}

/** What the service got over the wire, each exchange once, whatever its order. */
function gravarTrocas({ achar }: Cena, arquivo: string): void {
  for (const linha of readFileSync(arquivo, 'utf8').trim().split('\n')) {
    const { pergunta, enviados, corpo, status, cabecalhos, resposta }: Troca = JSON.parse(linha)
    const ditos = (pares: [string, string][]): string[] =>
      pares.filter(([nome]) => !OMITIDOS.includes(nome.toLowerCase())).map((um) => um.join(': '))
    const cabeca = [
      pergunta,
      ...ditos(enviados),
      Buffer.from(corpo, 'base64').toString(),
      `HTTP ${status}`,
      ...ditos(cabecalhos),
    ]
    achar('autoridade', pergunta, Buffer.from(resposta, 'base64'), cabeca.join('\n'))
  }
}

/** The schema of every SQLite file that the first start made. */
function esquemas({ pasta, achar }: Cena): void {
  for (const nome of arquivosDe(join(pasta, 'dados')).filter((um) => um.endsWith('.db'))) {
    const banco = new DatabaseSync(join(pasta, 'dados', nome), { readOnly: true })
    const linhas = banco.prepare('select type, name, sql from sqlite_master order by type, name').all()
    achar('esquema', nome, linhas.map(({ type, name, sql }) => `${type} ${name}\n${sql}`).join('\n\n'))
    banco.close()
  }
}

/** The list of what to try, of one simulator. */
export async function lerLinhas(simulador: string): Promise<Linha[]> {
  return JSON.parse((await ask(simulador, '/documentos.json')).body.toString())
}
