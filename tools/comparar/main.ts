import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { deserialize, serialize } from 'node:v8'
import { brotliDecompressSync, constants, gunzipSync, inflateSync } from 'node:zlib'
import { type Achado, type Linha, lerLinhas, retratar } from './retrato.ts'

const AJUDA = `Compares what users see of two checkouts: same pages, answers, commands, schema.

Usage: node tools/comparar/main.ts <before checkout> <after checkout> [--keep DIR] [--lines N]

  --keep DIR   writes all that was seen, without what is volatile, to DIR/before and DIR/after
  --kept DIR   compares what --keep wrote, and starts nothing
  --lines N    how many lines of differences to print (default: 400)

Exit code: 0 without a difference, 1 with one, 2 if it could not be told.
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    keep: { type: 'string' },
    kept: { type: 'string' },
    lines: { type: 'string', default: '400' },
    help: { type: 'boolean', default: false },
  },
})
/** By kind and name, the texts that were seen: a name has several where it was met several times. */
type Visto = Map<string, Map<string, Set<string>>>

function ver(achados: Achado[]): Visto {
  const visto: Visto = new Map()
  for (const { tipo, nome, cabeca = '', corpo } of achados) {
    const doTipo = visto.get(tipo) ?? new Map<string, Set<string>>()
    const estavel = semVolateis(nome, tipo)
    const textos = doTipo.get(estavel) ?? new Set()
    textos.add(semVolateis(`${cabeca}\n\n${lerCorpo(corpo, cabeca, tipo)}`, tipo))
    visto.set(tipo, doTipo.set(estavel, textos))
  }
  return visto
}

/** A body as text: unpacked, and JSON with a member a line. */
function lerCorpo(corpo: Buffer | string, cabeca: string, tipo: string): string {
  if (typeof corpo === 'string') return tipo === 'eventos' ? emOrdem(corpo) : espalhar(corpo)
  const octetos = /content-encoding: gzip/i.test(cabeca)
    ? gunzipSync(corpo)
    : /content-encoding: br/i.test(cabeca)
      ? brotliDecompressSync(corpo)
      : corpo
  if (octetos.subarray(0, 5).toString() === '%PDF-') return lerPdf(octetos)
  if (/^content-type: (image|audio)\/(?!svg)/im.test(cabeca) && tipo === 'autoridade') return '<image>'
  // Made anew for each that asks: its key and its salt.
  if (/^content-type: application\/x-pkcs12/im.test(cabeca)) return '<A1>'
  const texto = octetos.toString('utf8')
  return Buffer.from(texto).equals(octetos) ? espalhar(texto) : octetos.toString('latin1')
}

/** The events of a stream come in the order in which the states answer. */
const emOrdem = (texto: string): string => texto.split('\n\n').toSorted().join('\n\n')

function espalhar(texto: string): string {
  if (!/^\s*[[{]/.test(texto)) return texto
  try {
    return JSON.stringify(JSON.parse(texto), null, 1)
  } catch {
    return texto
  }
}

/**
 * What a PDF draws: its streams unpacked, strings of hexadecimal digits read, what lies between letters
 * left out.
 */
function lerPdf(octetos: Buffer): string {
  const texto = octetos.toString('latin1')
  return texto
    .replace(/stream\r?\n([\s\S]*?)(\r?\nendstream|$)/g, (tudo, dentro: string, fim: string) => {
      if (fim === '') return '<cut>'
      try {
        return inflateSync(Buffer.from(dentro, 'latin1'), { finishFlush: constants.Z_SYNC_FLUSH }).toString(
          'latin1',
        )
      } catch {
        return tudo
      }
    })
    .replace(/\[((?:<[0-9a-f]*>|[\d. -])+)\] TJ/gi, (_, dentro: string) => {
      const digitos = [...dentro.matchAll(/<([0-9a-f]*)>/gi)].map(([, um = '']) => um).join('')
      return `(${Buffer.from(digitos, 'hex').toString('latin1')}) TJ`
    })
    .replace(/\/Length \d+/g, '/Length')
    .replace(/^\d{10} \d{5} [nf]/gm, '<xref>')
    .replace(/startxref\s+\d+/g, 'startxref')
}

/** PDFs and packed documents in base64, wherever an answer or a page has them, as what they hold. */
const lerBase64 = (texto: string): string =>
  texto
    .replace(/JVBERi0[A-Za-z0-9+/=]{99,}/g, (base64) => lerPdf(Buffer.from(base64, 'base64')))
    .replace(/H4sI[A-Za-z0-9+/=]{40,}/g, (base64) => {
      try {
        return gunzipSync(Buffer.from(base64, 'base64')).toString('utf8')
      } catch {
        return base64
      }
    })

/**
 * Words have a pattern of small and capital letters; tokens, keys and hashes have none, and nobody reads
 * them.
 */
const semSegredos = (texto: string): string => {
  // The times of the past, packed, are the same for all who ask on a day.
  const mascarar = (um: string, tempos?: string): string => (!tempos && aleatorio(um) ? '<token>' : um)
  return texto
    .replace(/("tempos": ?"[^"]*")|[A-Za-z0-9+/]{60,}=*/g, mascarar)
    .replace(/("tempos": ?"[^"]*")|(?:[A-Za-z0-9_+-]|%2[BF]|%3D){18,}=*/gi, mascarar)
}

function aleatorio(texto: string): boolean {
  // Names of services; the path of a drawing.
  if (/Status|Servico|Consulta/.test(texto) || /^[\d+\-vhlcsqtazm]+$/i.test(texto)) return false
  const classes = [...texto].map((letra) => (/\d/.test(letra) ? 1 : /[a-z]/.test(letra) ? 2 : 3))
  return classes.filter((um, i) => i > 0 && um !== classes[i - 1]).length > 0.38 * texto.length
}

/** What differs from one run to the next, and what stands for it. */
const VOLATEIS: [RegExp, string][] = [
  [/^(etag|age|set-cookie|cookie|location-id|x-request-id|server-timing): .*$/gim, '$1: <volatile>'],
  [
    /^(retry-after|ratelimit|x-ratelimit-reset|x-ratelimit-remaining|x-credits-remaining|x-sefaz-consultas-renova): .*$/gim,
    '$1: <volatile>',
  ],
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z| ?[+-]\d\d:?\d\d)?/g, '<instant>'],
  [/(\d\d\/\d\d(\/\d{4})?,?( às)?|<date>) \d\d:\d\d(:\d\d)?/g, '<instant>'],
  [/\b\d\d:\d\d:\d\d\b/g, '<time>'],
  [/\b\d\d:\d\d(?= \(horário)/g, '<time>'],
  [/\b\d\dh\d\d\b/g, '<time>'],
  [/\b1[78]\d{11}\b/g, '<millis>'],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, '<uuid>'],
  [/\b(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{16,}\b/gi, '<hex>'],
  [/\b[0-9A-F]{4}(\.[0-9A-F]{4}){3}\b/g, '<protocol>'],
  [/(name="papel" value=")[^"]*/g, '$1<sealed>'],
  [/^(cache-control: private, max-age=)\d+/gim, '$1<n>'],
  [/-----BEGIN [\s\S]*?-----END/g, '<pem>'],
  [/fk_[A-Za-z0-9]{20,}/g, 'fk_<key>'],
  [/ *\b\d[\d.]* ms\b/g, ' <n> ms'],
  [/\b\d+,\d+ s\b/g, '<n> s'],
  [/\(mais [\d.]+ caracteres\)/g, '(mais <n> caracteres)'],
  [/\b10\.\d+\.\d+\.\d+\b/g, '<address>'],
  [/(•+<\/span>)\w{4}/g, '$1<end>'],
  [/(class="linha p\d+" d="[^"]*)L\d+ [\d.]+"/g, '$1<today>"'],
  [/(<dt>[^<]*(?:ms|\(s\))<\/dt><dd>)[\d.,]+/g, '$1<n>'],
  [/infEvento Id="ID\d+"/g, 'infEvento Id=<n>'],
  [/\(D:\d+Z\)/g, '(D:)'],
  [/\/ID \[[^\]]*\]/g, '/ID'],
  [/<(SignatureValue|DigestValue|X509Certificate)>[^<]+/g, '<$1>'],
  [
    /((?:\w*_?ms|status_avg|taxa_sucesso|consultas|restantes|creditos_\w+)(?:"|&quot;<\/span>): ?(?:<span class="j-valor">)?)[\d.]+/g,
    '$1<n>',
  ],
]

/**
 * What the portals make up for each session, the answers to their captchas, and the notes' keys: they hold
 * an instant.
 */
const DE_SESSAO: [RegExp, string][] = [
  [/^(x-consulta-(?:timestamp|deadline-ms)): .*$/gim, '$1: <n>'],
  [/^(x-captcha-token): .*(\n[\w.+/=-]{40,}$)*/gim, '$1: <n>'],
  [
    /([\w.%:$-]*(?:captcha|imagem|state|token|validation|cfield|altcha|response)[\w.%:$-]*)=(?!")[^&\s"]*/gi,
    '$1=<n>',
  ],
  [/(name="[^"]*(?:state|validation|token|captcha)[^"]*"[^>]* value=")[^"]*/gi, '$1<n>'],
  [/"resposta": "[^"]*"/g, '"resposta": <n>'],
  [/\b0\w{5,8}?0{4,}[0-9a-f]{16,}/g, '<token>'],
  [/(formulario%3Acap)=\w+/g, '$1=<n>'],
  [/cacheBuster=\d+/g, 'cacheBuster=<n>'],
  [/Resource\/DATA\/[\w-]+/g, 'Resource/DATA/<n>'],
  [/-?\b\d{15,}\b/g, '<number>'],
  [/\b\d{6}[0-9A-Z]{14}\d{24}\b/g, '<key>'],
  [/j_idt?\d+/g, '<j_id>'],
  [
    /\b(cdImagem|id_contexto_sessao|hora|expires|captcha|dsImagem|_cfield|TransId|<j_id>)(=|" value=")[^&"\s]+/g,
    '$1$2<n>',
  ],
  [/("(?:idCertidao|port)": )"?\w+"?/g, '$1<n>'],
  [/seg-via\/\d+/g, 'seg-via/<n>'],
  [/<idLote>\d+/g, '<idLote>'],
  [/127\.0\.0\.1:\d+/g, '<local>'],
  [/<hex>|<number>/g, '<token>'],
]

function semVolateis(texto: string, tipo: string): string {
  const dito = VOLATEIS.reduce((um, [de, por]) => um.replace(de, por), lerBase64(texto))
  if (tipo === 'simulador' || tipo === 'autoridade' || tipo === 'soap')
    return semSegredos(DE_SESSAO.reduce((um, [de, por]) => um.replace(de, por), dito))
  if (tipo === 'esquema') return dito
  return semSegredos(tipo === 'api' ? dito : dito.replace(/\b\d{44}\b/g, '<key>'))
}

function guardar(pasta: string, visto: Visto): void {
  mkdirSync(pasta, { recursive: true })
  for (const [tipo, nomes] of visto) writeFileSync(join(pasta, `${tipo}.txt`), escrito(nomes))
}

const escrito = (nomes: Map<string, Set<string>>): string =>
  [...nomes]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([nome, textos]) => `##### ${nome}\n${junto(textos)}\n`)
    .join('\n')

const junto = (textos: Set<string> | undefined): string => [...(textos ?? [])].toSorted().join('\n-----\n')

/** Prints where the two differ; gives the kinds and how many names of each. */
function escreverDiferencas(antes: Visto, depois: Visto): Map<string, number> {
  const diferencas = new Map<string, number>()
  const pasta = mkdtempSync(join(tmpdir(), 'comparar-'))
  let sobra = Number(values.lines)
  for (const tipo of new Set([...antes.keys(), ...depois.keys()])) {
    const [a, b] = [antes.get(tipo) ?? new Map(), depois.get(tipo) ?? new Map()]
    for (const nome of new Set<string>([...a.keys(), ...b.keys()])) {
      const [umA, umB] = [junto(a.get(nome)), junto(b.get(nome))]
      if (a.has(nome) && b.has(nome) && umA === umB) continue
      diferencas.set(tipo, (diferencas.get(tipo) ?? 0) + 1)
      if (sobra <= 0) continue
      const linhas =
        a.has(nome) && b.has(nome) ? unificado(pasta, umA, umB) : [`only ${a.has(nome) ? 'before' : 'after'}`]
      const ditas = linhas.slice(0, Math.min(40, sobra))
      sobra -= ditas.length + 1
      console.log(`=== ${tipo}: ${nome.slice(0, 200)}`)
      for (const linha of ditas) console.log(linha.slice(0, 300))
      if (ditas.length < linhas.length) console.log(`… ${linhas.length - ditas.length} lines more`)
    }
  }
  rmSync(pasta, { recursive: true })
  return diferencas
}

function unificado(pasta: string, a: string, b: string): string[] {
  const [nomeA, nomeB] = [join(pasta, 'before'), join(pasta, 'after')]
  for (const [nome, texto] of [
    [nomeA, a],
    [nomeB, b],
  ] as const)
    writeFileSync(nome, `${texto.replaceAll('><', '>\n<')}\n`)
  const args = ['diff', '--no-index', '--no-color', '--text', '-U1', nomeA, nomeB]
  const { stdout } = spawnSync('git', args, { encoding: 'utf8', maxBuffer: 2 ** 28 })
  return stdout.slice(stdout.indexOf('@@')).split('\n')
}

function escreverTotais(achados: Achado[], a: Visto, b: Visto, diferencas: Map<string, number>): void {
  console.log('kind            names before   after     raw bytes  normalised  differ')
  for (const [tipo, nomes] of a) {
    const crus = achados
      .filter((um) => um.tipo === tipo)
      .reduce((soma, { corpo }) => soma + Buffer.byteLength(corpo), 0)
    const estaveis = Buffer.byteLength(escrito(nomes))
    const numeros = [nomes.size, b.get(tipo)?.size ?? 0, crus, estaveis, diferencas.get(tipo) ?? 0]
    const [n1, n2, n3, n4, n5] = numeros.map(String)
    console.log(
      `${tipo.padEnd(16)}${n1?.padStart(12)}${n2?.padStart(8)}${n3?.padStart(14)}${n4?.padStart(12)}${n5?.padStart(8)}`,
    )
  }
  const total = [...diferencas.values()].reduce((soma, um) => soma + um, 0)
  console.log(total === 0 ? 'No difference.' : `${total} differences.`)
}

/** Captures both checkouts at once, or reads what `--keep` wrote, and compares. */
async function comparar(projetos: string[]): Promise<number> {
  const [a = [], b = []] = values.kept ? lerGuardados(values.kept) : await retratarAmbos(projetos)
  if (values.keep) {
    mkdirSync(values.keep, { recursive: true })
    writeFileSync(join(values.keep, 'raw'), serialize([a, b]))
  }
  const [antes, depois] = [ver(a), ver(b)]
  if (values.keep) {
    guardar(join(values.keep, 'before'), antes)
    guardar(join(values.keep, 'after'), depois)
  }
  const diferencas = escreverDiferencas(antes, depois)
  escreverTotais(a, antes, depois, diferencas)
  return diferencas.size > 0 ? 1 : 0
}

const lerGuardados = (pasta: string): Achado[][] =>
  (deserialize(readFileSync(join(pasta, 'raw'))) as Achado[][]).map((achados) =>
    achados.map((um) => ({ ...um, corpo: typeof um.corpo === 'string' ? um.corpo : Buffer.from(um.corpo) })),
  )

async function retratarAmbos([antes = '', depois = '']: string[]): Promise<Achado[][]> {
  const { promise: linhas, resolve: comLinhas } = Promise.withResolvers<Linha[]>()
  const inicio = performance.now()
  const lado = (projeto: string, nome: string): Promise<Achado[]> =>
    retratar(projeto, linhas, {
      simulador: (endereco) => {
        if (nome === 'before') void lerLinhas(endereco).then(comLinhas)
      },
      passo: (texto) => {
        console.error(`${((performance.now() - inicio) / 1000).toFixed(0).padStart(4)} s  ${nome}: ${texto}`)
      },
    })
  return Promise.all([lado(antes, 'before'), lado(depois, 'after')])
}

if (values.help || (positionals.length !== 2 && !values.kept)) {
  process.stdout.write(AJUDA)
  process.exit(values.help ? 0 : 2)
}
process.once('SIGTERM', () => process.exit(2)).once('SIGINT', () => process.exit(2))
try {
  process.exitCode = await comparar(positionals.map((one) => realpathSync(resolve(one))))
} catch (error) {
  console.error(error)
  process.exitCode = 2
}
