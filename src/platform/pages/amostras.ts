import { operacoes } from '@consulta-fiscal/cliente'

// All languages stand in one file: what a call sends changes in all of them at once.

/** A piece of a text: written as it is, or a variable, a file, a new UUID in its place. */
export type PecaDaAmostra = string | { variavel: string } | { base64: string } | { novo: 'uuid' }

type Texto = readonly PecaDaAmostra[]
type Membro = readonly [nome: string, valor: Texto | boolean]

/** A call as it goes over the wire. A POST has a body: the members of a JSON object, or a file of XML. */
export type PedidoDaAmostra = {
  /** The whole address, with its query. */
  endereco: string
  cabecalhos: readonly (readonly [nome: string, valor: Texto])[]
  corpo?: readonly Membro[] | { arquivo: string }
}

/** A call to our own client, which knows addresses and headers by itself. */
export type ChamadaDoCliente = {
  /** The id of the call in the OpenAPI document. */
  id: string
  servico: string
  /** The expression of each parameter, by its name. */
  parametros: readonly (readonly [nome: string, valor: string])[]
  semGuardada: boolean
}

/** The languages of the samples by their short names. */
export const linguas = {
  sh: 'curl',
  ps1: 'PowerShell',
  ts: 'TypeScript',
  py: 'Python',
  cs: 'C#',
  java: 'Java',
  php: 'PHP',
  pas: 'Delphi',
} as const

export type Lingua = keyof typeof linguas

/** The order of their tabs. */
export const ORDEM: readonly Lingua[] = ['sh', 'ps1', 'ts', 'py', 'cs', 'java', 'php', 'pas']

/** As long as the slowest call takes: a program that waits less loses an answer that is charged. */
const PRAZO_S = 120

/** Writes a call in every language but TypeScript, each with the parameters of the wire. */
export const writeAmostras = (pedido: PedidoDaAmostra): Record<Exclude<Lingua, 'ts'>, string> => ({
  sh: writeCurl(pedido),
  ps1: writePowerShell(pedido),
  py: writePython(pedido),
  cs: writeCSharp(pedido),
  java: writeJava(pedido),
  php: writePhp(pedido),
  pas: writeDelphi(pedido),
})

const XML = 'application/xml'
const JSON_TYPE = 'application/json'

const isArquivo = (corpo: PedidoDaAmostra['corpo']): corpo is { arquivo: string } =>
  corpo !== undefined && 'arquivo' in corpo

const isTexto = (valor: Texto | boolean): valor is Texto => typeof valor === 'object'

/** The headers of a call with that of its body. */
const withType = ({ cabecalhos, corpo }: PedidoDaAmostra): PedidoDaAmostra['cabecalhos'] =>
  corpo ? [...cabecalhos, ['Content-Type', [isArquivo(corpo) ? XML : JSON_TYPE]]] : cabecalhos

/** How a language writes each kind of piece, and what joins them. */
type Pecas = {
  literal: (texto: string) => string
  variavel: (nome: string) => string
  base64: (arquivo: string) => string
  uuid: string
  junta: string
}

function writeTexto(texto: Texto, { literal, variavel, base64, uuid, junta }: Pecas): string {
  const pieces = texto.map((peca) => {
    if (typeof peca === 'string') return literal(peca)
    if ('variavel' in peca) return variavel(peca.variavel)
    return 'base64' in peca ? base64(peca.base64) : uuid
  })
  return pieces.length > 0 ? pieces.join(junta) : literal('')
}

const membersOf = (
  corpo: readonly Membro[],
  of: (nome: string, valor: Texto | boolean) => string,
): string[] => corpo.map(([nome, valor]) => of(nome, valor))

/** Writes what no code should hold as it is: control characters, and what ends a line in some language. */
const writeControles = (texto: string, write: (code: number) => string): string =>
  texto.replace(/[\p{Cc}\u2028\u2029]/gu, (char) => write(char.charCodeAt(0)))

const hasControles = (texto: string): boolean => writeControles(texto, () => '') !== texto

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0')

const emAspas = (texto: string): string => `'${texto.replaceAll("'", `'\\''`)}'`

/** Within double quotes, where a shell still reads variables. */
const noShell: Pecas = {
  literal: (texto) => texto.replace(/[\\"$`]/g, '\\$&'),
  variavel: (nome) => `$${nome}`,
  base64: (arquivo) => `$(base64 < ${/^[\w.-]+$/.test(arquivo) ? arquivo : emAspas(arquivo)} | tr -d '\\n')`,
  uuid: '$(uuidgen)',
  junta: '',
}

/** In a text of JSON a quote or a backslash of a password would be one of the text itself. */
const noJsonDoShell: Pecas = {
  ...noShell,
  variavel: (nome) => `$(printf %s "$${nome}" | sed 's/[\\\\"]/\\\\&/g')`,
}

const shellText = (texto: Texto): string =>
  texto.every((peca) => typeof peca === 'string')
    ? emAspas(texto.join(''))
    : `"${writeTexto(texto, noShell)}"`

function writeCurl(pedido: PedidoDaAmostra): string {
  const { endereco, corpo } = pedido
  const lines = [
    `curl -s ${emAspas(endereco)}`,
    ...withType(pedido).map(([nome, valor]) => `-H ${shellText([`${nome}: `, ...valor])}`),
  ]
  if (isArquivo(corpo)) lines.push(`--data-binary ${emAspas(`@${corpo.arquivo}`)}`)
  if (corpo === undefined || isArquivo(corpo)) return lines.join(' \\\n  ')
  const pieces = corpo.flatMap(([, valor]) => (isTexto(valor) ? valor : []))
  const read = pieces.filter((peca) => typeof peca !== 'string')
  if (read.length === 0) return [...lines, `-d ${emAspas(JSON.stringify(literalsOf(corpo)))}`].join(' \\\n  ')
  const format = `{${membersOf(corpo, (nome, valor) => `"${nome}":${inFormat(valor)}`).join(',')}}`
  const values = read.map((peca) => `"${writeTexto([peca], noJsonDoShell)}"`)
  const printed = `printf ${emAspas(format)} \\\n  ${values.join(' ')}`
  return `${printed} |\n${[...lines, '--data-binary @-'].join(' \\\n  ')}`
}

const literalsOf = (corpo: readonly Membro[]): Record<string, string | boolean> =>
  Object.fromEntries(corpo.map(([nome, valor]) => [nome, isTexto(valor) ? valor.join('') : valor]))

/** A value in a format of printf, in whose place each piece that is read comes. */
const inFormat = (valor: Texto | boolean): string =>
  isTexto(valor)
    ? `"${valor.map((peca) => (typeof peca === 'string' ? toFormat(peca) : '%s')).join('')}"`
    : String(valor)

const toFormat = (texto: string): string =>
  JSON.stringify(texto).slice(1, -1).replaceAll('\\', '\\\\').replaceAll('%', '%%')

const noPowerShell: Pecas = {
  // PowerShell also takes the quotes of typography for its own.
  literal: (texto) =>
    hasControles(texto)
      ? `"${writeControles(texto.replace(/["`$\u201c-\u201e]/g, '`$&'), (code) => `$([char]${code})`)}"`
      : `'${texto.replace(/['\u2018-\u201b]/g, '$&$&')}'`,
  variavel: (nome) => `$env:${nome}`,
  base64: (arquivo) =>
    `[Convert]::ToBase64String([IO.File]::ReadAllBytes((Resolve-Path ${noPowerShell.literal(arquivo)})))`,
  uuid: '[guid]::NewGuid().ToString()',
  junta: ' + ',
}

function writePowerShell({ endereco, cabecalhos, corpo }: PedidoDaAmostra): string {
  const { literal } = noPowerShell
  const headers = cabecalhos.map(([nome, valor]) => `${literal(nome)} = ${writeTexto(valor, noPowerShell)}`)
  const options = [`-Uri ${literal(endereco)}`, `-TimeoutSec ${PRAZO_S}`]
  if (headers.length > 0) options.push(`-Headers @{ ${headers.join('; ')} }`)
  if (corpo) options.push('-Method Post', `-ContentType '${isArquivo(corpo) ? XML : JSON_TYPE}'`)
  if (isArquivo(corpo)) options.push(`-InFile ${literal(corpo.arquivo)}`)
  const lines: string[] = []
  if (corpo && !isArquivo(corpo)) {
    const value = (valor: Texto | boolean) => (isTexto(valor) ? writeTexto(valor, noPowerShell) : `$${valor}`)
    lines.push('$corpo = @{')
    lines.push(...membersOf(corpo, (nome, valor) => `  ${nome} = ${value(valor)}`))
    lines.push('} | ConvertTo-Json')
    options.push('-Body ([Text.Encoding]::UTF8.GetBytes($corpo))')
  }
  return [...lines, `Invoke-RestMethod ${options.join(' `\n  ')} |\n  ConvertTo-Json -Depth 20`].join('\n')
}

/** What Python and PHP have a letter for. */
const CURTOS: Readonly<Record<number, string>> = { 9: '\\t', 10: '\\n', 13: '\\r' }

const noPython: Pecas = {
  literal: (texto) =>
    `'${writeControles(texto.replace(/[\\']/g, '\\$&'), (code) => CURTOS[code] ?? `\\u${hex(code, 4)}`)}'`,
  variavel: (nome) => `os.environ['${nome}']`,
  base64: (arquivo) => `base64.b64encode(open(${noPython.literal(arquivo)}, 'rb').read()).decode()`,
  uuid: 'str(uuid.uuid4())',
  junta: ' + ',
}

function writePython(pedido: PedidoDaAmostra): string {
  const { endereco, corpo } = pedido
  const { literal } = noPython
  const headers = withType(pedido).map(([nome, valor]) => `${literal(nome)}: ${writeTexto(valor, noPython)}`)
  const options = [literal(endereco)]
  if (headers.length > 0) options.push(`headers={${headers.join(',\n                          ')}}`)
  if (isArquivo(corpo)) options.push(`data=open(${literal(corpo.arquivo)}, 'rb').read()`)
  if (corpo && !isArquivo(corpo)) options.push('data=json.dumps(corpo).encode()')
  const value = (valor: Texto | boolean) =>
    isTexto(valor) ? writeTexto(valor, noPython) : valor ? 'True' : 'False'
  const code = [
    ...(corpo && !isArquivo(corpo)
      ? ['corpo = {', ...membersOf(corpo, (nome, valor) => `    ${literal(nome)}: ${value(valor)},`), '}']
      : []),
    `pedido = Request(${options.join(',\n                 ')})`,
    `with urlopen(pedido, timeout=${PRAZO_S}) as resposta:`,
    '    print(resposta.read().decode())',
  ].join('\n')
  const used = ['base64', 'json', 'os', 'uuid'].filter((name) => code.includes(`${name}.`))
  const imports = used.length > 0 ? [`import ${used.join(', ')}`] : []
  return [...imports, 'from urllib.request import Request, urlopen', '', code].join('\n')
}

const noCSharp: Pecas = {
  literal: (texto) => writeControles(JSON.stringify(texto), (code) => `\\u${hex(code, 4)}`),
  variavel: (nome) => `Environment.GetEnvironmentVariable("${nome}")`,
  base64: (arquivo) => `Convert.ToBase64String(File.ReadAllBytes(${noCSharp.literal(arquivo)}))`,
  uuid: 'Guid.NewGuid().ToString()',
  junta: ' + ',
}

function writeCSharp({ endereco, cabecalhos, corpo }: PedidoDaAmostra): string {
  const { literal } = noCSharp
  const lines = [
    `using var http = new HttpClient { Timeout = TimeSpan.FromSeconds(${PRAZO_S}) };`,
    `using var pedido = new HttpRequestMessage(HttpMethod.${corpo ? 'Post' : 'Get'},`,
    `    ${literal(endereco)});`,
    ...cabecalhos.map(
      ([nome, valor]) => `pedido.Headers.Add(${literal(nome)}, ${writeTexto(valor, noCSharp)});`,
    ),
  ]
  if (isArquivo(corpo)) {
    lines.push(`pedido.Content = new StreamContent(File.OpenRead(${literal(corpo.arquivo)}));`)
    lines.push(`pedido.Content.Headers.ContentType = new("${XML}");`)
  }
  if (corpo && !isArquivo(corpo)) {
    lines.unshift('using System.Net.Http.Json;', '')
    lines.push('pedido.Content = JsonContent.Create(new', '{')
    const value = (valor: Texto | boolean) => (isTexto(valor) ? writeTexto(valor, noCSharp) : String(valor))
    lines.push(...membersOf(corpo, (nome, valor) => `    ${nome} = ${value(valor)},`), '});')
  }
  lines.push('using var resposta = await http.SendAsync(pedido);')
  lines.push('Console.WriteLine(await resposta.Content.ReadAsStringAsync());')
  return lines.join('\n')
}

/** Java 17 reads a file in the machine's own code page, so its literals are ASCII alone. */
const toAscii = (texto: string): string =>
  texto.replace(/[^\0-\x7e]/g, (char) => `\\u${hex(char.charCodeAt(0), 4)}`)

const noJava: Pecas = {
  literal: (texto) => toAscii(JSON.stringify(texto)),
  variavel: (nome) => `System.getenv("${nome}")`,
  base64: (arquivo) =>
    `Base64.getEncoder().encodeToString(Files.readAllBytes(Path.of(${noJava.literal(arquivo)})))`,
  uuid: 'UUID.randomUUID().toString()',
  junta: ' + ',
}

function writeJava(pedido: PedidoDaAmostra): string {
  const { endereco, corpo } = pedido
  const { literal } = noJava
  const isJson = corpo !== undefined && !isArquivo(corpo)
  const steps = [
    `.timeout(Duration.ofSeconds(${PRAZO_S}))`,
    ...withType(pedido).map(([nome, valor]) => `.header(${literal(nome)}, ${writeTexto(valor, noJava)})`),
    ...(isJson ? ['.POST(HttpRequest.BodyPublishers.ofString(corpo))'] : []),
    ...(isArquivo(corpo)
      ? [`.POST(HttpRequest.BodyPublishers.ofFile(Path.of(${literal(corpo.arquivo)})))`]
      : []),
    '.build();',
  ]
  const code = [
    ...(isJson ? javaBody(corpo) : []),
    `var pedido = HttpRequest.newBuilder(URI.create(${literal(endereco)}))`,
    ...steps.map((step) => `    ${step}`),
    'var resposta = HttpClient.newHttpClient().send(pedido, HttpResponse.BodyHandlers.ofString());',
    'System.out.println(resposta.body());',
  ]
  const whole = code.join('\n')
  const imports = [
    'java.net.URI',
    'java.net.http.*',
    ...(/\b(?:Files|Path)\./.test(whole) ? ['java.nio.file.*'] : []),
    'java.time.Duration',
    ...(/\b(?:Base64|UUID)\./.test(whole) ? ['java.util.*'] : []),
  ]
  return [
    ...imports.map((name) => `import ${name};`),
    '',
    'public class Consulta {',
    '    public static void main(String[] args) throws Exception {',
    ...code.map((line) => `        ${line}`),
    '    }',
    ...(whole.includes(' json(') ? JAVA_JSON : []),
    '}',
  ].join('\n')
}

const JAVA_JSON = [
  '',
  '    static String json(String texto) {',
  '        return \'"\' + texto.replace("\\\\", "\\\\\\\\").replace("\\"", "\\\\\\"") + \'"\';',
  '    }',
]

/** The JDK has no JSON: the text is put together here, a member a line. */
const javaBody = (corpo: readonly Membro[]): string[] => [
  'var corpo = "{"',
  ...corpo.map(([nome, valor], at) => {
    const comma = at < corpo.length - 1 ? ',' : ''
    if (isTexto(valor) && valor.some((peca) => typeof peca !== 'string'))
      return `    + ${noJava.literal(`"${nome}":`)} + json(${writeTexto(valor, noJava)})${comma && ' + ","'}`
    const literal = JSON.stringify(isTexto(valor) ? valor.join('') : valor)
    return `    + ${noJava.literal(`"${nome}":${literal}${comma}`)}`
  }),
  '    + "}";',
]

const noPhp: Pecas = {
  literal: (texto) =>
    hasControles(texto)
      ? `"${writeControles(texto.replace(/[\\"$]/g, '\\$&'), (code) => CURTOS[code] ?? `\\u{${hex(code, 1)}}`)}"`
      : `'${texto.replace(/[\\']/g, '\\$&')}'`,
  variavel: (nome) => `getenv('${nome}')`,
  base64: (arquivo) => `base64_encode(file_get_contents(${noPhp.literal(arquivo)}))`,
  uuid: 'bin2hex(random_bytes(16))',
  junta: ' . ',
}

function writePhp(pedido: PedidoDaAmostra): string {
  const { endereco, corpo } = pedido
  const { literal } = noPhp
  const headers = withType(pedido).map(([nome, [first = '', ...rest]]) =>
    writeTexto(
      typeof first === 'string' ? [`${nome}: ${first}`, ...rest] : [`${nome}: `, first, ...rest],
      noPhp,
    ),
  )
  const value = (valor: Texto | boolean) => (isTexto(valor) ? writeTexto(valor, noPhp) : String(valor))
  return [
    '<?php',
    `$curl = curl_init(${literal(endereco)});`,
    'curl_setopt_array($curl, [',
    ...(headers.length > 0
      ? ['    CURLOPT_HTTPHEADER => [', ...headers.map((header) => `        ${header},`), '    ],']
      : []),
    ...(isArquivo(corpo) ? [`    CURLOPT_POSTFIELDS => file_get_contents(${literal(corpo.arquivo)}),`] : []),
    ...(corpo && !isArquivo(corpo)
      ? [
          '    CURLOPT_POSTFIELDS => json_encode([',
          ...membersOf(corpo, (nome, valor) => `        ${literal(nome)} => ${value(valor)},`),
          '    ]),',
        ]
      : []),
    '    CURLOPT_RETURNTRANSFER => true,',
    `    CURLOPT_TIMEOUT => ${PRAZO_S},`,
    ']);',
    '$resposta = curl_exec($curl);',
    'if ($resposta === false) throw new RuntimeException(curl_error($curl));',
    'echo $resposta, PHP_EOL;',
  ].join('\n')
}

/** A literal of Delphi 11 and older has at most 255 characters. A pair of surrogates stays together. */
const DE_UM_LITERAL = /.{1,250}(?![\udc00-\udfff])/gs

const noDelphi: Pecas = {
  literal: (texto) => {
    const marked = writeControles(texto, (code) => `\0#${code}\0`).split('\0')
    const pieces = marked.flatMap((piece, at) =>
      at % 2 === 1
        ? piece
        : (piece.match(DE_UM_LITERAL) ?? []).map((part) => `'${part.replaceAll("'", "''")}'`),
    )
    return pieces.length > 0 ? pieces.join(' + ') : "''"
  },
  variavel: (nome) => `GetEnvironmentVariable('${nome}')`,
  base64: (arquivo) =>
    `TNetEncoding.Base64String.EncodeBytesToString(TFile.ReadAllBytes(${noDelphi.literal(arquivo)}))`,
  uuid: "TGUID.NewGuid.ToString.Trim(['{', '}'])",
  junta: ' + ',
}

function writeDelphi(pedido: PedidoDaAmostra): string {
  const { endereco, corpo } = pedido
  const { literal } = noDelphi
  const isJson = corpo !== undefined && !isArquivo(corpo)
  const headers = withType(pedido).map(
    ([nome, valor]) => `TNameValuePair.Create(${literal(nome)}, ${writeTexto(valor, noDelphi)})`,
  )
  const list = headers.length > 0 ? `, [\n${headers.map((one) => `  ${one}`).join(',\n')}]` : ''
  const call = corpo ? `Post(${literal(endereco)}, Corpo, nil` : `Get(${literal(endereco)}, nil`
  const ask = [
    `var Resposta := Http.${call}${list});`,
    'Writeln(Resposta.ContentAsString(TEncoding.UTF8));',
  ].flatMap((text) => text.split('\n'))
  const value = (valor: Texto | boolean) =>
    isTexto(valor) ? writeTexto(valor, noDelphi) : `TJSONBool.Create(${valor ? 'True' : 'False'})`
  const body = isJson
    ? [
        ...membersOf(corpo, (nome, valor) => `Json.AddPair(${literal(nome)}, ${value(valor)});`),
        'var Corpo := TStringStream.Create(Json.ToJSON, TEncoding.UTF8);',
        ...tried(ask, ['Corpo']),
      ]
    : isArquivo(corpo)
      ? [
          `var Corpo := TFileStream.Create(${literal(corpo.arquivo)}, fmOpenRead or fmShareDenyWrite);`,
          ...tried(ask, ['Corpo']),
        ]
      : ask
  const code = [
    'var Http := THTTPClient.Create;',
    ...(isJson ? ['var Json := TJSONObject.Create;'] : []),
    ...tried([`Http.ResponseTimeout := ${PRAZO_S * 1000};`, ...body], isJson ? ['Json', 'Http'] : ['Http']),
  ]
  const whole = code.join('\n')
  const units = [
    'System.SysUtils',
    ...(corpo ? ['System.Classes'] : []),
    ...(whole.includes('TFile.') ? ['System.IOUtils'] : []),
    ...(isJson ? ['System.JSON'] : []),
    ...(whole.includes('TNetEncoding') ? ['System.NetEncoding'] : []),
    'System.Net.URLClient',
    'System.Net.HttpClient',
  ]
  return [
    'program Consulta;',
    '',
    '{$APPTYPE CONSOLE}',
    '',
    'uses',
    `  ${units.join(', ')};`,
    '',
    'begin',
    ...code.map((line) => `  ${line}`),
    'end.',
  ].join('\n')
}

/** Statements after which some objects are freed, whatever comes. */
const tried = (lines: readonly string[], freed: readonly string[]): string[] => [
  'try',
  ...lines.map((line) => `  ${line}`),
  'finally',
  ...freed.map((name) => `  ${name}.Free;`),
  'end;',
]

const metodos: ReadonlyMap<string, string> = new Map(
  Object.entries(operacoes).map(([metodo, { id }]) => [id, metodo]),
)

/** Writes a call to our client for TypeScript; undefined for one that it does not have. */
export function writeTypescript({
  id,
  servico,
  parametros,
  semGuardada,
}: ChamadaDoCliente): string | undefined {
  const metodo = metodos.get(id)
  if (metodo === undefined) return undefined
  const cache = semGuardada && "{ cacheControl: 'no-cache' }"
  const asked = parametros.map(([nome, valor]) => `${nome}: ${valor}`)
  const first = asked.length > 0 ? `{ ${asked.join(', ')} }` : cache && '{}'
  const call = `fiscal.${metodo}(${[first, cache].filter(Boolean).join(', ')})`
  return [
    ...(call.includes('readFileSync(') ? ["import { readFileSync } from 'node:fs'"] : []),
    "import { criarCliente } from '@consulta-fiscal/cliente'",
    '',
    `const fiscal = criarCliente({ endereco: ${JSON.stringify(servico)}, chave: process.env.CHAVE ?? '' })`,
    `const resposta = await ${call}`,
  ].join('\n')
}
