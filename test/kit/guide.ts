import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { lexer } from 'marked'
import { type Capitulo, readCapitulos } from '../../src/site/guia-capitulos.ts'
import { NOW } from './basics.ts'
import { type House, start } from './house.ts'
import { feita } from './sefaz.ts'
import { sharedSimulator } from './simulator.ts'

/** An operation of the document with its example: what is sent, and the answer. */
export type Exemplo = {
  path: string
  parameters: [name: string, value: string][]
  body: Record<string, string> | undefined
  answer: unknown
  /** The names of the examples of its failures, and the codes that it may fail with. */
  failures: string[]
  codes: string[]
}

/** The examples of the document that a service shows, by their operations. */
export async function listExemplos(house: House): Promise<Exemplo[]> {
  const { body } = await house.ask('/openapi.json', { key: null })
  return Object.entries(Object(body.paths)).flatMap(([path, operations]) =>
    Object.values(Object(operations)).map((operation) => {
      const { parameters = [], requestBody, responses } = Object(operation)
      return {
        path,
        parameters: parameters.flatMap(({ in: place, name, example }: Record<string, string>) =>
          place !== 'header' && example !== undefined ? [[name, String(example)]] : [],
        ),
        body: requestBody?.content['application/json'].example,
        answer: responses[200].content['application/json'].example,
        ...failuresIn(responses),
      }
    }),
  )
}

type Failure = { description: string; content?: Record<string, { examples?: object }> }

const failuresIn = (responses: Record<string, Failure>): Pick<Exemplo, 'failures' | 'codes'> => ({
  failures: Object.values(responses).flatMap(({ content }) =>
    Object.keys(content?.['application/problem+json']?.examples ?? {}),
  ),
  codes: Object.entries(responses).flatMap(([status, { description }]) =>
    Number(status) < 400 ? [] : description.split(', '),
  ),
})

/** The path with the parameters that stand in it, and the others. */
export function placed(path: string, parameters: readonly (readonly [string, string])[]) {
  const filled = parameters.reduce((text, [name, value]) => text.replace(`{${name}}`, value), path)
  return { filled, rest: parameters.filter(([name]) => !path.includes(`{${name}}`)) }
}

const run = promisify(execFile)

/** Sends an example as a person does in a terminal, with curl; where there is none, as a program does. */
export async function curl(
  house: House,
  { path, parameters, body }: Exemplo,
): Promise<{ status: number; creditos: number; body: unknown }> {
  const written = '\n%{http_code} %header{x-credits-charged}'
  const { filled, rest } = placed(path, parameters)
  const args = ['-sS', '-H', `X-API-Key: ${house.apiKey}`, '-w', written, house.address + filled]
  const sent = body
    ? ['-H', 'Content-Type: application/json', '--data', JSON.stringify(body)]
    : ['--get', ...rest.flatMap(([name, value]) => ['--data-urlencode', `${name}=${value}`])]
  const found = await run('curl', [...args, ...sent]).catch((error) => {
    if (error.code !== 'ENOENT') throw error
  })
  if (!found) return ask(house, { path, parameters, body })
  const [text = '', status, creditos] = /^(.*)\n(\d+) (\d*)$/s.exec(found.stdout)?.slice(1) ?? []
  return { status: Number(status), creditos: Number(creditos), body: JSON.parse(text) }
}

async function ask(house: House, { path, parameters, body }: Pick<Exemplo, 'path' | 'parameters' | 'body'>) {
  const { filled, rest } = placed(path, parameters)
  const query = rest.length > 0 ? `?${new URLSearchParams(rest.map(([...pair]) => pair))}` : ''
  const headers = { 'content-type': 'application/json' }
  const answer = await house.ask(
    filled + query,
    body ? { method: 'POST', headers, body: JSON.stringify(body) } : {},
  )
  return { ...answer, creditos: Number(answer.headers.get('x-credits-charged')) }
}

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Members that no example has whole: how much of them it shows, and what stands for the rest. */
const SHORTENED: Record<string, [shown: number, rest: string]> = {
  pdf_base64: [10, '… (o PDF inteiro, em base64)'],
  impressao_base64: [10, '… (o PDF inteiro, em base64)'],
  xml: [104, '… (o nfeProc inteiro, assinado)'],
  // The header alone is the same each time.
  access_token: [20, '… (o token inteiro)'],
}

/** The key of the note in every kept answer. */
const CHAVE = '35261198763001000192550010000000021191112343'

/** An answer as examples keep it: without what differs each time, and with its large members shortened. */
export function toExemplo(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer), (name, value) => {
    // Of 90 days.
    if (name === 'dias' && Array.isArray(value)) return value.slice(-2)
    // Of all checks of the catalogue.
    if (name === 'verificacoes' && Array.isArray(value)) return value.slice(0, 2)
    if (typeof value !== 'string' || value === '') return value
    const [shown, rest] = SHORTENED[name] ?? []
    if (rest !== undefined) return value.slice(0, shown) + rest
    if (name === 'chave') return CHAVE
    // Of the call with a certificate, which is asked on today's date.
    if (name === 'consultado_em') return NOW.toISOString()
    if (name === 'resets_at') return '2026-12-01T03:00:00.000Z'
    return value.replace(UUID, '01a1e6d5-3f00-7000-8000-000000000000')
  })
}

/**
 * Whether an answer is as a page shows it: "…" stands for any text, number or list, and a member of that name
 * for more members. A text or a longer list that ends in it shows how the real one begins.
 */
export function isAsShown(shown: unknown, real: unknown): boolean {
  if (shown === '…') return real !== '' && real !== undefined
  if (typeof shown === 'string' && shown.endsWith('…')) return String(real).startsWith(shown.slice(0, -1))
  if (typeof shown !== 'object' || shown === null) return shown === real
  if (Array.isArray(shown) && shown.length > 1 && shown.at(-1) === '…') {
    const first = shown.slice(0, -1)
    return Array.isArray(real) && real.length > first.length && isAsShown(first, real.slice(0, first.length))
  }
  const { '…': more, ...members } = Object(shown)
  const names = Object.keys(members)
  const isWhole = more !== undefined || names.length === Object.keys(Object(real)).length
  return isWhole && names.every((name) => isAsShown(members[name], Object(real)[name]))
}

/** Whether a program's output is as a page shows it: "…" stands for any text within a line. */
export function isPrintedAsShown(shown: string, real: string): boolean {
  const [lines, printed] = [shown, real].map((text) => text.trim().split(/\r?\n/))
  if (!lines || !printed || lines.length !== printed.length) return false
  return lines.every((line, at) => {
    const parts = line.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    return new RegExp(`^${parts.join('.*')}$`).test(printed[at] ?? '')
  })
}

/** Whether something in an answer is as a page shows it. */
export const isShownIn = (shown: unknown, real: unknown): boolean =>
  isAsShown(shown, real) ||
  (typeof real === 'object' && real !== null && Object.values(real).some((one) => isShownIn(shown, one)))

const runCommand = promisify(execFile)
const root = join(import.meta.dirname, '../..')

/** The same call in the languages in which a page shows it, and what comes of it. */
export type ExemploDoGuia = {
  /** By the language of the block: sh, ts, py. */
  codigos: Map<string, string>
  /** The answer, and pieces of it. */
  json: unknown[]
  /** What curl prints beside a body, and what a program prints. */
  http: string | undefined
  text: string | undefined
}

const LINGUAS: ReadonlySet<string> = new Set(['sh', 'ts', 'py'])

/** The examples of a chapter in their order. */
export function exemplosEm(markdown: string): ExemploDoGuia[] {
  const exemplos: ExemploDoGuia[] = []
  let antes = ''
  for (const bloco of lexer(markdown)) {
    if (bloco.type === 'heading') antes = ''
    if (bloco.type !== 'code') continue
    const texto: string = bloco.text
    const [lingua = ''] = String(bloco.lang ?? '').split(' ')
    if (LINGUAS.has(lingua)) {
      if (!LINGUAS.has(antes))
        exemplos.push({ codigos: new Map(), json: [], http: undefined, text: undefined })
      exemplos.at(-1)?.codigos.set(lingua, texto)
    } else if (lingua === 'json') exemplos.at(-1)?.json.push(JSON.parse(texto))
    else if (lingua === 'http' || lingua === 'text') Object.assign(exemplos.at(-1) ?? {}, { [lingua]: texto })
    antes = lingua
  }
  return exemplos
}

/** A reader's folder: our client is installed, and the files that the examples read exist. */
export type Reader = {
  /** Runs blocks in their order, and gives what each prints. Throws if one fails. */
  run: (lingua: string, codigos: readonly string[]) => Promise<string[]>
  limpar: () => void
}

/** Sets the table for the examples: the note and its certificate are those of the simulator at this hour. */
export async function openReader(house: House): Promise<Reader> {
  const pasta = mkdtempSync(join(tmpdir(), 'guia-'))
  const simulador = await sharedSimulator()
  const exemplos = Object(await (await fetch(`${simulador}/exemplos.json`)).json())
  const { chave, certificado, senha } = exemplos['/api/consultar-nfe-xml']
  symlinkSync(join(root, 'node_modules'), join(pasta, 'node_modules'))
  writeFileSync(join(pasta, 'package.json'), '{"type":"module"}')
  writeFileSync(join(pasta, 'empresa.pfx'), certificado, 'base64')
  const nota = await readFile(join(root, 'data/rejeicoes/notas/venda-interna.xml'), 'utf8')
  writeFileSync(join(pasta, 'nota.xml'), nota.replace(/<vNF>[^<]*/, '<vNF>9999.99'))
  const env = {
    PATH: process.env.PATH,
    CHAVE: house.apiKey ?? '',
    NOTA: chave,
    SENHA: senha,
    SIMULADOR: simulador,
    PYTHONIOENCODING: 'utf-8',
  }
  const commands: Record<string, [file: string, ...args: string[]]> = {
    sh: ['sh', '-c'],
    ts: [process.execPath, 'exemplo.ts'],
    py: ['python3', '-c'],
  }
  return {
    run: async (lingua, codigos) => {
      const [file, ...args] = commands[lingua] ?? []
      if (file === undefined) return (corredores[lingua] ?? assert.fail(lingua)).run(codigos, pasta, env)
      const printed: string[] = []
      for (const codigo of codigos) {
        if (lingua === 'ts') writeFileSync(join(pasta, 'exemplo.ts'), codigo)
        const all = lingua === 'ts' ? args : [...args, codigo]
        printed.push((await runCommand(file, all, { cwd: pasta, env, maxBuffer: MAIS })).stdout)
      }
      return printed
    },
    limpar: () => rmSync(pasta, { recursive: true, force: true }),
  }
}

/** Whether this machine has a command. */
const hasCommand = (nome: string): Promise<boolean> =>
  runCommand('sh', ['-c', `command -v ${nome}`]).then(
    () => true,
    () => false,
  )

/** What a sample sends: all that may change what the service does. */
export type Enviado = {
  metodo: string
  endereco: string
  cabecalhos: Record<string, string>
  /** A JSON body as its value, an XML as its text. */
  corpo?: unknown
}

/** What stands round a sample: the variables of its process, and the files of its folder. */
export type Cercanias = {
  variaveis: Readonly<Record<string, string>>
  arquivos: Readonly<Record<string, Buffer>>
}

/** A new UUID, whichever. */
export const UM_UUID = '(uuid)'

/** How a language writes texts, and where its sample has what is sent. */
type Leitor = {
  texto: RegExp
  decode: (literal: string) => string
  junta: string
  endereco: RegExp
  isPost: RegExp
  /** Each name and expression of the headers, and of the members of a body. */
  cabecalhos: (codigo: string) => string[][]
  membros: (codigo: string) => string[][]
  arquivo: RegExp
  /** The type of the body, where it stands alone. */
  tipo?: RegExp
}

const DUPLAS = /"(?:\\.|[^"\\])*"/
const SIMPLES = /'(?:\\.|[^'\\])*'/
const DO_POWERSHELL = /'(?:[^']|'')*'|"(?:`"|[^"])*"/

const naJson = (literal: string): string => JSON.parse(literal)
const naPython = (literal: string): string =>
  literal
    .slice(1, -1)
    .replace(/\\(?:u\{?([\da-f]+)\}?|(.))/g, (_, code, c) =>
      code ? String.fromCharCode(Number.parseInt(code, 16)) : (Object({ n: '\n', r: '\r', t: '\t' })[c] ?? c),
    )
/** PowerShell reads variables and expressions in the second of its two kinds of quotes. */
const noPowerShell = (literal: string): string =>
  literal.startsWith('"')
    ? literal
        .slice(1, -1)
        .replace(/\$\(\[char\](\d+)\)|`(.)/gs, (_, code, c) => (code ? String.fromCharCode(Number(code)) : c))
    : semDobra(literal).replace(/([\u2018-\u201b])\1/g, '$1')
const semDobra = (literal: string): string => literal.slice(1, -1).replaceAll("''", "'")

const all = (codigo: string, padrao: RegExp): string[][] =>
  [...codigo.matchAll(padrao)].map(([, nome = '', valor = '']) => [nome, valor])

/** What stands between two marks; nothing where they are not there. */
const between = (codigo: string, from: string, to: string): string =>
  codigo.includes(from) ? (codigo.split(from)[1]?.split(to)[0] ?? '') : ''

const leitores: Readonly<Record<string, Leitor>> = {
  ps1: {
    texto: DO_POWERSHELL,
    decode: noPowerShell,
    junta: ' + ',
    endereco: /-Uri ('(?:[^']|'')*')/,
    isPost: /-Method Post/,
    cabecalhos: (codigo) =>
      splitTop(between(codigo, '-Headers @{ ', ' }'), '; ', DO_POWERSHELL).map((one) =>
        splitTop(one, ' = ', DO_POWERSHELL),
      ),
    membros: (codigo) =>
      splitTop(between(codigo, '$corpo = @{\n', '\n} | ConvertTo-Json'), '\n', DO_POWERSHELL).map((one) =>
        splitTop(one.trim(), ' = ', DO_POWERSHELL),
      ),
    arquivo: /-InFile ('[^']+')/,
    tipo: /-ContentType ('[^']+')/,
  },
  cs: {
    texto: DUPLAS,
    decode: naJson,
    junta: ' + ',
    endereco: /HttpMethod\.\w+,\s+("[^"]+")\)/,
    isPost: /HttpMethod\.Post/,
    cabecalhos: (codigo) => all(codigo, /^pedido\.Headers\.Add\(("[^"]+"), (.*)\);$/gm),
    membros: (codigo) => all(between(codigo, 'JsonContent.Create(new\n{', '\n});'), /^ {4}(\w+) = (.*),$/gm),
    arquivo: /new StreamContent\(File\.OpenRead\(("[^"]+")\)\)/,
    tipo: /ContentType = new\(("[^"]+")\)/,
  },
  java: {
    texto: DUPLAS,
    decode: naJson,
    junta: ' + ',
    endereco: /URI\.create\(("[^"]+")\)/,
    isPost: /\.POST\(/,
    cabecalhos: (codigo) => all(codigo, /^ +\.header\(("[^"]+"), (.*)\)$/gm),
    membros: () => [],
    arquivo: /BodyPublishers\.ofFile\(Path\.of\(("[^"]+")\)\)/,
  },
  php: {
    texto: new RegExp(`${SIMPLES.source}|${DUPLAS.source}`),
    decode: (literal) =>
      literal.startsWith("'") ? literal.slice(1, -1).replace(/\\([\\'])/g, '$1') : naPython(literal),
    junta: ' . ',
    endereco: /curl_init\(('[^']+')\)/,
    isPost: /CURLOPT_POSTFIELDS/,
    cabecalhos: (codigo) => all(between(codigo, 'CURLOPT_HTTPHEADER => [\n', '\n    ],'), /^ {8}()(.*),$/gm),
    membros: (codigo) => all(between(codigo, 'json_encode([\n', '\n    ]),'), /^ {8}('\w+') => (.*),$/gm),
    arquivo: /CURLOPT_POSTFIELDS => file_get_contents\(('[^']+')\)/,
  },
  pas: {
    texto: /'(?:[^']|'')*'|#\d+/,
    decode: (literal) =>
      literal.startsWith('#') ? String.fromCharCode(Number(literal.slice(1))) : semDobra(literal),
    junta: ' + ',
    endereco: /Http\.\w+\(((?:'[^']*'(?: \+ )?)+), /,
    isPost: /Http\.Post\(/,
    cabecalhos: (codigo) => all(codigo, /TNameValuePair\.Create\(('[^']+'), (.*)\)(?:,|\]\);)$/gm),
    membros: (codigo) => all(codigo, /Json\.AddPair\(('\w+'), (.*)\);$/gm),
    arquivo: /TFileStream\.Create\(('[^']+'), /,
  },
}

/** Reads what a sample sends by the rules of its language. Throws for what these do not know. */
export function readAmostra(lingua: string, codigo: string, cercanias: Cercanias): Enviado {
  const leitor = leitores[lingua] ?? assert.fail(`nobody reads ${lingua}`)
  const value = (expressao: string): unknown => evaluate(expressao, leitor, cercanias)
  const said = (padrao: RegExp | undefined): string => String(value(padrao?.exec(codigo)?.[1] ?? '""'))
  const pairs = leitor.cabecalhos(codigo).map(([nome = '', valor = '']) => {
    // A header of PHP is one text, with its name in it.
    if (nome !== '') return [String(value(nome)), String(value(valor))]
    const whole = String(value(valor))
    return [whole.slice(0, whole.indexOf(': ')), whole.slice(whole.indexOf(': ') + 2)]
  })
  const cabecalhos = Object.fromEntries(pairs)
  const isPost = leitor.isPost.test(codigo)
  if (leitor.tipo?.test(codigo)) cabecalhos['Content-Type'] = said(leitor.tipo)
  const arquivo = leitor.arquivo.test(codigo) ? cercanias.arquivos[said(leitor.arquivo)] : undefined
  const enviado = { metodo: isPost ? 'POST' : 'GET', endereco: said(leitor.endereco), cabecalhos }
  if (!isPost) return enviado
  if (arquivo) return { ...enviado, corpo: arquivo.toString('utf8') }
  // JsonContent tells its type by itself.
  if (lingua === 'cs') cabecalhos['Content-Type'] = 'application/json'
  if (lingua === 'java')
    return { ...enviado, corpo: JSON.parse(String(value(between(codigo, 'var corpo = ', ';')))) }
  const membros = leitor
    .membros(codigo)
    .map(([nome = '', valor = '']) => [/^\w+$/.test(nome) ? nome : value(nome), value(valor)])
  return { ...enviado, corpo: Object.fromEntries(membros) }
}

/** Splits at a separator that stands in no text and in no parentheses. */
function splitTop(text: string, separator: string, texto: RegExp): string[] {
  const parts = ['']
  const token = new RegExp(`${texto.source}|[^]`, 'g')
  let depth = 0
  let skip = 0
  for (const { 0: piece, index } of text.matchAll(token)) {
    if (index < skip) continue
    if (piece === '(') depth++
    if (piece === ')') depth--
    if (depth === 0 && text.startsWith(separator, index)) {
      parts.push('')
      skip = index + separator.length
    } else parts[parts.length - 1] += piece
  }
  return text === '' ? [] : parts
}

/** The value of an expression: texts, variables, files and what joins them. */
function evaluate(expressao: string, leitor: Leitor, cercanias: Cercanias): unknown {
  const { texto, decode, junta } = leitor
  const terms = splitTop(expressao.trim().replace(/\n\s*\+ /g, ' + '), junta, texto)
  const values = terms.map((term): unknown => {
    const one = term.trim()
    if (new RegExp(`^(?:${texto.source})$`).test(one)) return decode(one)
    if (/^(?:\$?|TJSONBool\.Create\()(?:true|false)\)?$/i.test(one)) return /true/i.test(one)
    const [, inner] = /^json\((.*)\)$/s.exec(one) ?? []
    if (inner !== undefined) return JSON.stringify(evaluate(inner, leitor, cercanias))
    if (/base64/i.test(one)) {
      const [literal = ''] = texto.exec(one) ?? []
      const arquivo = cercanias.arquivos[decode(literal)] ?? assert.fail(`no file in ${one}`)
      return arquivo.toString('base64')
    }
    if (/guid|uuid|random_bytes/i.test(one)) return UM_UUID
    const [, nome = ''] = /env(?:iron)?(?:\w*)?(?::|\[?\(?["'])(\w+)/i.exec(one) ?? []
    return cercanias.variaveis[nome] ?? assert.fail(`no value of ${one}`)
  })
  return values.length === 1 ? values[0] : values.join('')
}

type Corredor = {
  comando: string
  /** Runs samples in their order and in one go, and gives what each prints. Throws if one fails. */
  run: (samples: readonly string[], pasta: string, env: object) => Promise<string[]>
}

/** Stands between the outputs of two samples. */
const MARCA = '\x1e'
const splitOutputs = (stdout: string): string[] => stdout.split(MARCA).slice(0, -1)

/** What runs the samples of a language on this machine; where nothing does, why. */
export async function findCorredor(lingua: string): Promise<Corredor | string> {
  const found = corredores[lingua]
  if (!found) return 'Delphi has no free compiler: its samples are read by its rules'
  return (await hasCommand(found.comando)) ? found : `there is no ${found.comando}`
}

const corredores: Readonly<Record<string, Corredor>> = {
  sh: {
    comando: 'curl',
    run: async (samples, pasta, env) => {
      const all = samples.map((sample) => `${sample}\nprintf '\\036'`).join('\n')
      const line = `uuidgen() { cat /proc/sys/kernel/random/uuid; }\n${all}`
      const options = { cwd: pasta, env: { PATH: process.env.PATH, ...env }, maxBuffer: MAIS }
      return splitOutputs((await runCommand('sh', ['-c', line], options)).stdout)
    },
  },
  ts: { comando: 'sh', run: (samples, pasta, env) => runFiles(samples, pasta, env, 'ts', RUN_TS) },
  py: { comando: 'python3', run: (samples, pasta, env) => runFiles(samples, pasta, env, 'py', RUN_PY) },
  java: { comando: 'javac', run: (samples, pasta, env) => runFiles(samples, pasta, env, 'java', RUN_JAVA) },
  php: { comando: 'php', run: (samples, pasta, env) => runFiles(samples, pasta, env, 'php', RUN_PHP) },
  ps1: { comando: 'pwsh', run: (samples, pasta, env) => runFiles(samples, pasta, env, 'ps1', RUN_PS1) },
  cs: { comando: 'dotnet', run: (samples, pasta, env) => runFiles(samples, pasta, env, 'cs', RUN_CS) },
}

const MAIS = 64 * 1024 * 1024
const PRINT_MARCA = "printf '\\036'"

const RUN_TS = (count: number): string =>
  `cat > todas.ts <<'FIM'\n${each(count, (at) => `await import('./A${at}.ts'); process.stdout.write('${MARCA}')`)}\nFIM\n'${process.execPath}' todas.ts`
const RUN_PY = (count: number): string =>
  `python3 -c "import runpy\n${each(count, (at) => `runpy.run_path('A${at}.py'); print(end='${MARCA}')`)}"`
const RUN_JAVA = (count: number): string =>
  `cat > Todas.java <<'FIM'\npublic class Todas { public static void main(String[] a) throws Exception {\n${each(count, (at) => `A${at}.main(a); System.out.print("${MARCA}");`)}\n} }\nFIM\njavac -J-XX:TieredStopAtLevel=1 *.java && java -XX:TieredStopAtLevel=1 Todas`
const RUN_PHP = (count: number): string => each(count, (at) => `php A${at}.php || exit 1; ${PRINT_MARCA}`)
const RUN_PS1 = (count: number): string =>
  each(count, (at) => `pwsh -NoProfile -File A${at}.ps1 || exit 1; ${PRINT_MARCA}`)
const RUN_CS = (count: number): string =>
  each(
    count,
    (
      at,
    ) => `mkdir -p p${at} && cp A${at}.cs p${at}/Program.cs && cat > p${at}/p.csproj <<'FIM' && (dotnet build -v q --nologo p${at} -o p${at}/feito && dotnet p${at}/feito/p.dll) || exit 1
<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><OutputType>Exe</OutputType><TargetFramework>net8.0</TargetFramework><RollForward>Major</RollForward><ImplicitUsings>enable</ImplicitUsings><Nullable>enable</Nullable></PropertyGroup></Project>
FIM
${PRINT_MARCA}`,
  )

const each = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n')

/** Writes each sample to a file of its own, and runs them by one line of commands. */
async function runFiles(
  samples: readonly string[],
  pasta: string,
  env: object,
  extensao: string,
  command: (count: number) => string,
): Promise<string[]> {
  for (const [at, sample] of samples.entries())
    writeFileSync(
      join(pasta, `A${at}.${extensao}`),
      sample.replace('public class Consulta', `public class A${at}`),
    )
  const own = { PATH: process.env.PATH, HOME: process.env.HOME, LC_ALL: 'C.UTF-8', ...env }
  const { stdout } = await runCommand('sh', ['-c', command(samples.length)], {
    cwd: pasta,
    env: own,
    maxBuffer: MAIS,
  })
  return splitOutputs(stdout)
}

/** What the blocks of a language run in, and what they use besides. */
const nomes: Readonly<Record<string, string>> = { sh: 'curl', ts: 'TypeScript', py: 'Python' }
const comandos: Readonly<Record<string, RegExp>> = { curl: /\bcurl /, python3: /^import /m }

/** Declares that the examples of these chapters run, by language. */
export function testExemplos(isProved: (slug: string) => boolean): void {
  for (const [lingua, nome] of Object.entries(nomes))
    describe(`the examples in ${nome} run, and answer as shown`, { concurrency: false }, () => {
      for (const capitulo of readCapitulos().filter(({ slug }) => isProved(slug)))
        if (exemplosEm(capitulo.texto).some(({ codigos }) => codigos.has(lingua)))
          test(capitulo.slug, async (t) => {
            for (const comando of await faltamA(capitulo, lingua)) return t.skip(`there is no ${comando}`)
            await runAll(capitulo, lingua)
          })
    })
}

/** The commands that the examples of a chapter use, and this machine does not have. */
async function faltamA({ texto }: Capitulo, lingua: string): Promise<string[]> {
  const faltam = []
  if (lingua === 'ts') return []
  for (const { codigos } of exemplosEm(texto))
    for (const [comando, uso] of Object.entries(comandos))
      if (uso.test(codigos.get(lingua) ?? '') && !(await hasCommand(comando))) faltam.push(comando)
  return faltam
}

/** As a reader has it: a service that has answered nothing yet, of today, since notes are. */
export async function runAll(
  { slug }: Capitulo,
  lingua: string,
  codigoDe: (exemplo: ExemploDoGuia) => string | undefined = ({ codigos }) => codigos.get(lingua),
): Promise<void> {
  const house = await start({}, () => new Date())
  const mesa = await openReader(house)
  try {
    await house.rooms.sefaz.monitor.keep(feita(Date.now()))
    const { text } = await house.ask(`/docs/${slug}.md`, { key: null })
    const exemplos = exemplosEm(text).flatMap((exemplo) => {
      const codigo = codigoDe(exemplo)
      return codigo === undefined ? [] : { exemplo, codigo }
    })
    const printed = await mesa.run(
      lingua,
      exemplos.map(({ codigo }) => codigo),
    )
    for (const [at, { exemplo }] of exemplos.entries()) assertShown(exemplo, lingua, printed[at] ?? '')
  } finally {
    mesa.limpar()
    await house.close()
  }
}

const membersOf = (answer: unknown): string[][] =>
  [answer, Object(answer).result].map((one) => Object.keys(Object(one)).toSorted())

/** The programs of a chapter print what the page says. */
const PROGRAMAS: ReadonlySet<string> = new Set(['ts', 'py'])

/** A curl, and what is made of it, prints the answer, in which the pieces are that the page shows. */
function assertShown({ json, http, text }: ExemploDoGuia, lingua: string, printed: string): void {
  const [answer, ...pieces] = json
  const isAnswer = !PROGRAMAS.has(lingua)
  const shown = isAnswer ? (http ?? (answer === undefined ? text : undefined)) : text
  if (shown !== undefined) {
    assert.ok(isPrintedAsShown(shown, printed), printed)
    return
  }
  assert.ok(isAnswer && answer !== undefined, 'the page shows nothing of it')
  const real: unknown = JSON.parse(printed)
  // The simulator is one for all languages, and finds what it issued to an earlier one.
  const isFound = lingua !== 'sh' && Object(real).result?.modo === 'consulta'
  if (isFound) assert.deepEqual(membersOf(real), membersOf(answer))
  else assert.ok(isAsShown(answer, real), printed.slice(0, 3_000))
  for (const piece of pieces) assert.ok(isShownIn(piece, real), JSON.stringify(piece))
}

/**
 * The codes of each path in the specification's "HTTP errors by endpoint" and "Errors reported inside
 * `source_status` with HTTP 200". Besides, any path answers 401.
 */
export const especificacao: Readonly<Record<string, string>> = {
  '/api/consultar':
    'PARAMETRO_AUSENTE PARAMETRO_CONFLITANTE DOCUMENTO_INVALIDO UF_NAO_SUPORTADA PROCESSAMENTO_FALHOU SITE_INDISPONIVEL ERRO_INTERNO',
  '/api/consultar-ie-todos': 'PARAMETRO_AUSENTE IE_NAO_SUPORTADO ERRO_INTERNO',
  '/api/consultar-cnd':
    'PARAMETRO_AUSENTE PARAMETRO_CONFLITANTE UF_NAO_SUPORTADA SITE_INDISPONIVEL ERRO_INTERNO',
  '/api/consultar-cnd-todos': 'PARAMETRO_AUSENTE ERRO_INTERNO',
  '/api/consultar-cnd-federal':
    'PARAMETRO_AUSENTE LIMITE_ATINGIDO RATE_LIMIT_EXCEEDED ERRO_INTERNO EM_PROCESSAMENTO PROVIDER_ERROR CNPJ_INVALIDO CPF_INVALIDO',
  '/api/consultar-cnpj':
    'PARAMETRO_AUSENTE DOCUMENTO_INVALIDO CNPJ_NAO_ENCONTRADO SITE_INDISPONIVEL RF_LIVE_ERROR LIMITE_ATINGIDO ERRO_INTERNO',
  '/api/consultar-cnir': 'PARAMETRO_AUSENTE PARAMETRO_CONFLITANTE ERRO_INTERNO',
  '/api/consultar-sigef':
    'PARAMETRO_AUSENTE PARAMETRO_CONFLITANTE ERRO_INTERNO SIGEF_DISABLED SIGEF_NO_SESSION SIGEF_HTTP_ERROR SIGEF_NETWORK_ERROR SIGEF_PARSE_FAILED',
  '/api/perfil-produtor': 'PARAMETRO_AUSENTE TODAS_FONTES_FALHARAM',
  '/api/v1/sefaz/status': 'PARAMETRO_INVALIDO MONITOR_INDISPONIVEL',
  '/api/v1/rejeicoes': 'REJEICOES_INDISPONIVEL',
  '/api/v1/rejeicoes/{codigo}': 'REJEICAO_NAO_ENCONTRADA REJEICOES_INDISPONIVEL',
  '/api/consultar-nfe-xml':
    'PARAMETRO_AUSENTE CHAVE_INVALIDA CERTIFICADO_INVALIDO LIMITE_PLANO RATE_LIMIT ERRO_INTERNO',
}
