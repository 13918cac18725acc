import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, type TestContext } from 'node:test'
import { crc32, inflateRawSync } from 'node:zlib'
import { generateDump } from '../../simulator/dados-abertos/dump.ts'
import { writeZip } from '../../simulator/dados-abertos/zip.ts'
import { digitsMatch } from '../../src/cnpj/base/bytes.ts'
import type { RegistroCnpj } from '../../src/cnpj/base/registro.ts'
import { ARQUIVOS, type Manifesto } from '../../src/cnpj/base/versao.ts'
import { type BaseAtiva, openBaseAtiva, readPointer, versoesFolder } from '../../src/cnpj/base/versoes.ts'
import { importCnpj } from '../../src/cnpj/importacao/importacao.ts'
import type { ImportProgress } from '../../src/cnpj/importacao/publish.ts'
import { root } from './deploy.ts'
import { fiscalHere } from './processes.ts'

/** A new folder that is removed with the test. */
export function tempFolder(t: { after: (done: () => void) => void }): string {
  const dir = mkdtempSync(join(tmpdir(), 'importar-cnpj-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

/** The root and order, followed by their check digits. */
export function withDigits(doze: string): string {
  const bytes = Buffer.from(`${doze}00`, 'latin1')
  for (let dv = 0; dv < 100; dv++) {
    bytes.write(String(dv).padStart(2, '0'), 12, 'latin1')
    if (digitsMatch(bytes, 0, 12)) return bytes.toString('latin1')
  }
  throw new Error(`${doze} has no check digits`)
}

export type Campos = Record<number, string>

const quoted = (fields: string[]): string => `${fields.map((field) => `"${field}"`).join(';')}\n`

const fill = (base: string[], campos: Campos): string => quoted(base.map((field, i) => campos[i] ?? field))

/** A line of Estabelecimentos; `campos` replaces columns by number. */
export function estabelecimento(doze: string, campos: Campos = {}): string {
  const cnpj = withDigits(doze)
  const base = [
    cnpj.slice(0, 8),
    cnpj.slice(8, 12),
    cnpj.slice(12),
    doze.endsWith('0001') ? '1' : '2',
    'LOJA',
  ]
  const rest = ['02', '20200115', '00', '', '', '20200115', '6204000', '6201501,6202300', 'RUA', 'DAS FLORES']
  const local = ['10', 'SALA 2', 'CENTRO', '01310100', 'SP', '7107']
  return fill([...base, ...rest, ...local, ...Array.from({ length: 9 }, () => '')], campos)
}

/** A line of Empresas. */
export const empresa = (raiz: string, campos: Campos = {}): string =>
  fill([raiz, `EMPRESA ${raiz} LTDA`, '2062', '49', '1000,00', '01', ''], campos)

/** A line of Socios. */
export const socio = (raiz: string, campos: Campos = {}): string =>
  fill(
    [raiz, '2', 'MARIA DA SILVA', '***123456**', '49', '20200115', '', '***000000**', '', '00', '4'],
    campos,
  )

const TABELAS = {
  Cnaes: [
    'CNAECSV',
    '"6204000";"Consultoria em TI"\n"6201501";"Desenvolvimento"\n"6202300";"Licenciamento"\n',
  ],
  Motivos: ['MOTICSV', '"00";"SEM  MOTIVO"\n"01";"EXTINCAO"\n'],
  Municipios: ['MUNICCSV', '"7107";"SAO PAULO"\n"9707";"EXTERIOR"\n'],
  Naturezas: ['NATJUCSV', '"2062";"Sociedade Empresária Limitada"\n"2135";"Empresário (Individual)"\n'],
  Qualificacoes: ['QUALSCSV', '"49";"Sócio-Administrador"\n'],
} as const

export type Pasta = {
  empresas?: string[]
  estabelecimentos?: string[]
  socios?: string[]
  simples?: string[]
  token?: string
  partes?: number
  zip64?: boolean
}

const BASES = [
  ['Empresas', 'EMPRECSV', 'empresas'],
  ['Estabelecimentos', 'ESTABELE', 'estabelecimentos'],
  ['Socios', 'SOCIOCSV', 'socios'],
] as const

/** Writes a folder in the official layout; lines go to the parts in turn. */
export async function writePasta(dir: string, pasta: Pasta): Promise<string> {
  const { token = 'D61010', partes = 1, zip64 = false } = pasta
  const zip = (arquivo: string, nome: string, texto: string) =>
    writeZip(join(dir, arquivo), [{ nome, conteudo: Buffer.from(texto, 'latin1') }], { zip64 })
  for (const [set, suffix, key] of BASES) {
    const lines = pasta[key] ?? []
    for (let parte = 0; parte < partes; parte++) {
      const mine = lines.filter((_, i) => i % partes === parte).join('')
      await zip(
        `${set}${parte}.zip`,
        token === '' ? `${set}${parte}` : `K3241.K03200Y${parte}.${token}.${suffix}`,
        mine,
      )
    }
  }
  for (const [set, [suffix, texto]] of Object.entries(TABELAS)) {
    await zip(`${set}.zip`, token === '' ? set : `F.K03200$Z.${token}.${suffix}`, texto)
  }
  if (pasta.simples) await zip('Simples.zip', `F.K03200$W.SIMPLES.CSV.${token}`, pasta.simples.join(''))
  return dir
}

export const now = () => new Date('2026-11-21T12:00:00Z')

/** An imported base, its manifest, and its records by the first twelve characters of the CNPJ. */
export type Importada = {
  manifesto: Manifesto
  find: (doze: string) => RegistroCnpj | undefined
  base: BaseAtiva
  raiz: string
}

/** Imports the base of a folder, and opens it until the test ends. */
export async function importPasta(t: TestContext, pasta: Pasta, mascararCpf = true): Promise<Importada> {
  const raiz = tempFolder(t)
  const manifesto = await importCnpj({
    pasta: await writePasta(tempFolder(t), pasta),
    raiz,
    amostra: true,
    now,
    aceitar: ['codigos_desconhecidos', 'razao_vazia'],
  })
  const base = openBaseAtiva(raiz, { mascararCpf })
  t.after(() => base.close())
  return { manifesto, base, raiz, find: (doze) => base.current()?.find(withDigits(doze)) }
}

/** A folder with one establishment and its company. */
export const uma = (est: string, emp: string[] = [empresa('11222333')]): Pasta => ({
  empresas: emp,
  estabelecimentos: [est],
})

let folder = ''
const zips = (): string => join(folder, 'zips')
/** The base of an import that nothing interrupted. */
export const inteira = (): string => join(folder, 'inteira')
export const SERPRO = '33683111000280'

export const importDump = (
  raiz: string,
  onProgress: (progress: ImportProgress) => void = () => {},
  signal?: AbortSignal,
) =>
  importCnpj({
    pasta: zips(),
    raiz,
    amostra: true,
    threads: 0,
    now,
    onProgress,
    ...(signal ? { signal } : {}),
  })

/** Makes the zips that the tests of a file import, and the whole base of them. They go with the file. */
export function useDump(): void {
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'retomada-'))
    await generateDump({ pasta: zips(), estabelecimentos: 20_000, partes: 3, simples: false, nivel: 1 })
    await importDump(inteira())
  })
  after(() => rmSync(folder, { recursive: true }))
}

/** Runs an import up to a point and kills it there, as a power cut would. */
export async function killAt(raiz: string, etapa: string, times: number, threads: number): Promise<void> {
  const program = join(import.meta.dirname, 'children.ts')
  const args = [program, 'import', zips(), raiz, etapa, String(times), String(threads)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const gone = new Promise<string | null>((done) => child.once('exit', (_code, signal) => done(signal)))
  child.stdout.once('data', () => child.kill('SIGKILL'))
  assert.equal(await gone, 'SIGKILL', `the import ended before ${etapa} ${times}`)
}

export const contentOf = (raiz: string): Buffer[] =>
  Object.values(ARQUIVOS)
    .filter((nome) => nome !== ARQUIVOS.manifesto)
    .map((nome) => readFileSync(join(versoesFolder(raiz), readPointer(raiz) ?? '', nome)))

export function finishedRuns(raiz: string): Map<string, number> {
  const dir = join(raiz, 'importando', '2026-10', 'leituras')
  const done = readdirSync(dir).filter((nome) => nome.endsWith('.json'))
  return new Map(done.map((nome) => [nome, statSync(join(dir, nome)).mtimeMs]))
}

/** Goes on after a kill. Gives how many zips and stretches were done before. */
export async function resume(raiz: string): Promise<{ zips: number; stretches: number }> {
  const before = finishedRuns(raiz)
  let stretches = -1
  await importDump(raiz, ({ etapa, feito }) => {
    if (etapa === 'gravacao' && stretches < 0) stretches = feito
    if (etapa !== 'conferencia') return
    const runs = finishedRuns(raiz)
    for (const [nome, mtime] of before) assert.equal(runs.get(nome), mtime, `${nome} was read again`)
  })
  assert.deepEqual(contentOf(raiz), contentOf(inteira()))
  assert.deepEqual(readdirSync(raiz).toSorted(), ['ativa', 'importando', 'versoes'])
  assert.deepEqual(readdirSync(join(raiz, 'importando')), [])
  return { zips: before.size, stretches }
}

export async function killAndResume(t: TestContext, etapa: string, times: number, threads = 0) {
  const raiz = tempFolder(t)
  await killAt(raiz, etapa, times, threads)
  assert.equal(readPointer(raiz), undefined)
  return resume(raiz)
}

/** What a GET of a file should do once, in the place of a good answer. */
export type Falha =
  | { tipo: 'status'; status: number }
  /** Sends this many of the requested bytes and breaks the connection. */
  | { tipo: 'corta'; depois: number }
  /** Sends this many bytes and then nothing more, without closing. */
  | { tipo: 'para'; depois: number }
  /** Sends this many bytes without announcing their number, and ends as if that were all. */
  | { tipo: 'encurta'; depois: number }
  /** Answers 200 with the whole file, whatever range the client asked for. */
  | { tipo: 'ignora-range' }
  /** Sends other bytes in the place of the file's last ones. */
  | { tipo: 'corrompe' }

/**
 * A share with the WebDAV subset of the authority's server (Nextcloud), for tests. It listens on a free port
 * of the loopback.
 */
export type Servidor = {
  url: string
  token: string
  /** Files by path, `2026-10/Cnaes.zip`. */
  arquivos: Map<string, Buffer>
  /** The faults of a file's next open-ended GETs, first to last. After them it answers well. */
  falhas: Map<string, Falha[]>
  /** Status of every PROPFIND instead of 207. */
  propfind: { status: number } | undefined
  /** Every request as `GET 2026-10/Cnaes.zip bytes=0-`. */
  pedidos: string[]
  close: () => Promise<void>
}

/** Starts the server. Its XML has a prefix of its own (`x:`), since readers must go by local names. */
export async function openServidor(): Promise<Servidor> {
  const token = 'TokenDeTeste123'
  const server = createServer((request, response) => answer(servidor, request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const servidor: Servidor = {
    url: `http://127.0.0.1:${port}/public.php/webdav/`,
    token,
    arquivos: new Map(),
    falhas: new Map(),
    propfind: undefined,
    pedidos: [],
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return servidor
}

function answer(servidor: Servidor, request: IncomingMessage, response: ServerResponse): void {
  request.resume()
  const path = decodeURIComponent(request.url ?? '').replace('/public.php/webdav/', '')
  servidor.pedidos.push(`${request.method} ${path} ${request.headers.range ?? ''}`.trim())
  const expected = `Basic ${Buffer.from(`${servidor.token}:`).toString('base64')}`
  if (request.headers.authorization !== expected) response.writeHead(401).end()
  else if (request.method === 'PROPFIND') propfind(servidor, path, response)
  else get(servidor, path, request.headers.range ?? '', response)
}

function propfind({ arquivos, propfind: forced }: Servidor, path: string, response: ServerResponse): void {
  const inside = [...arquivos].filter(([name]) => name.startsWith(path))
  if (forced || (inside.length === 0 && path !== '')) {
    response.writeHead(forced?.status ?? 404).end('<html>não é WebDAV</html>')
    return
  }
  const folders = new Set(path === '' ? inside.map(([name]) => name.split('/')[0] ?? '') : [])
  const entries = [
    entry(path, '<x:resourcetype><x:collection/></x:resourcetype>'),
    ...[...folders].map((name) => entry(`${name}/`, '<x:resourcetype><x:collection/></x:resourcetype>')),
    ...(path === ''
      ? []
      : inside.map(([name, { length }]) =>
          entry(name, `<x:getcontentlength>${length}</x:getcontentlength>`),
        )),
  ]
  response.writeHead(207, { 'content-type': 'application/xml' })
  response.end(`<?xml version="1.0"?><x:multistatus xmlns:x="DAV:">${entries.join('')}</x:multistatus>`)
}

function entry(path: string, prop: string): string {
  const good = `<x:propstat><x:prop>${prop}</x:prop><x:status>HTTP/1.1 200 OK</x:status></x:propstat>`
  const missing =
    '<x:propstat><x:prop><x:quota/></x:prop><x:status>HTTP/1.1 404 Not Found</x:status></x:propstat>'
  return `<x:response><x:href>/public.php/webdav/${path}</x:href>${missing}${good}</x:response>`
}

function get(servidor: Servidor, path: string, range: string, response: ServerResponse): void {
  const content = servidor.arquivos.get(path)
  const [, first = '0', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(range) ?? []
  const falha = last === '' ? servidor.falhas.get(path)?.shift() : undefined
  if (!content || falha?.tipo === 'status') {
    response.writeHead(falha?.tipo === 'status' ? falha.status : 404).end()
    return
  }
  if (falha?.tipo === 'ignora-range') {
    response.writeHead(200, { 'content-length': content.length }).end(content)
    return
  }
  const end = last === '' ? content.length - 1 : Number(last)
  const body = Buffer.from(content.subarray(Number(first), end + 1))
  if (falha?.tipo === 'corrompe') body.fill(0x58, Math.max(0, body.length - 200))
  response.writeHead(206, {
    ...(falha?.tipo === 'encurta' ? {} : { 'content-length': body.length }),
    'content-range': `bytes ${first}-${end}/${content.length}`,
  })
  if (falha?.tipo === 'corta') response.write(body.subarray(0, falha.depois), () => response.destroy())
  else if (falha?.tipo === 'encurta') response.end(body.subarray(0, falha.depois))
  else if (falha?.tipo === 'para') response.write(body.subarray(0, falha.depois))
  else response.end(body)
}

/** Puts a small generated vintage in the share. Gives its zips by name. */
export async function publish(
  servidor: Servidor,
  pasta: string,
  versao: string,
): Promise<Map<string, Buffer>> {
  const destino = join(pasta, `publicada-${versao}`)
  await generateDump({ pasta: destino, estabelecimentos: 300, versao, nivel: 1 })
  const zips = new Map(readdirSync(destino).map((nome) => [nome, readFileSync(join(destino, nome))]))
  for (const [nome, conteudo] of zips) servidor.arquivos.set(`${versao}/${nome}`, conteudo)
  return zips
}

/**
 * Gives the members of a small zip, whole in memory. Checks CRC-32, sizes, and that local and central names
 * agree.
 */
export function unzip(arquivo: string | URL): { nome: string; conteudo: Buffer }[] {
  const zip = readFileSync(arquivo)
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  if (end < 0) throw new Error(`${arquivo}: no end of central directory`)
  const zip64 = zip.lastIndexOf(Buffer.from('PK\x06\x06', 'latin1'))
  let at = zip64 < 0 ? zip.readUInt32LE(end + 16) : Number(zip.readBigUInt64LE(zip64 + 48))
  return Array.from({ length: zip.readUInt16LE(end + 10) }, () => {
    const nameLength = zip.readUInt16LE(at + 28)
    const extraLength = zip.readUInt16LE(at + 30)
    const nome = zip.toString('latin1', at + 46, at + 46 + nameLength)
    const extra = zip.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength)
    const wide = extra.length > 0
    const size = wide ? Number(extra.readBigUInt64LE(4)) : zip.readUInt32LE(at + 24)
    const packed = wide ? Number(extra.readBigUInt64LE(12)) : zip.readUInt32LE(at + 20)
    const local = wide ? Number(extra.readBigUInt64LE(20)) : zip.readUInt32LE(at + 42)
    const data = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const conteudo = inflateRawSync(zip.subarray(data, data + packed))
    const same = zip.toString('latin1', local + 30, local + 30 + nameLength) === nome
    if (!same || conteudo.length !== size || crc32(conteudo) !== zip.readUInt32LE(at + 16))
      throw new Error(`${arquivo}: ${nome} is corrupt`)
    at += 46 + nameLength + extraLength
    return { nome, conteudo }
  })
}

export type Fim = { code: number | null; said: string }

/** The Receita Federal's share with a month, and an empty data folder. */
export async function openMonth(t: TestContext) {
  const pasta = mkdtempSync(join(tmpdir(), 'base-do-mes-'))
  const servidor = await openServidor()
  t.after(async () => {
    await servidor.close()
    rmSync(pasta, { recursive: true, force: true })
  })
  const env = {
    DATA_DIR: join(pasta, 'dados'),
    CNPJ_WEBDAV_URL: servidor.url,
    CNPJ_WEBDAV_TOKEN: servidor.token,
  }
  /** Runs the script; `meanwhile` may stop it, as systemd does it. */
  const run = (meanwhile: (kill: () => void) => void = () => {}): Promise<Fim> =>
    new Promise((resolve) => {
      const child = spawn('sh', [join(root, 'deploy/base-do-mes.sh'), '--amostra'], {
        cwd: pasta,
        detached: true,
        env: { PATH: process.env.PATH, NODE: process.execPath, ...env },
      })
      let said = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => {
          said += chunk
        })
      child.once('close', (code) => resolve({ code, said }))
      meanwhile(() => process.kill(-(child.pid ?? 0), 'SIGTERM'))
    })
  const versoes = async () => {
    const { code, stdout, stderr } = await fiscalHere({ env }, 'cnpj', 'versoes', '--json')
    assert.equal(code, 0, stderr)
    const lines = stdout.split('\n').filter(Boolean)
    return lines.map((line) => JSON.parse(line)).map(({ pasta, ativa }) => `${pasta}${ativa ? ' *' : ''}`)
  }
  return { pasta, servidor, zips: join(env.DATA_DIR, 'cnpj/zips'), run, versoes }
}
