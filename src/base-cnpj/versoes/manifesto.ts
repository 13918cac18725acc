/** Version of the file format: another one is refused, never guessed. */
export const FORMATO = 1

/** One gate: what was seen, what is expected, whether it held; `dispensado` when the import did not ask for it. */
export type Portao = { nome: string; visto: string; esperado: string; ok: boolean; dispensado: boolean }

/** A file of the vintage, or a member of the zips that it came from. */
export type ArquivoConferido = { nome: string; bytes: number; crc32: number }

/** What a vintage says of itself (`manifesto.json`). */
export type Manifesto = {
  formato: number
  /** Month of the dump, `YYYY-MM`, and the token of its member names (`D61010`), empty when they had none. */
  versao: string
  token: string
  /** A partial base: the gates that assume the national one were not asked for. */
  amostra: boolean
  iniciado: string
  concluido: string
  estabelecimentos: number
  empresas: number
  socios: number
  simples: number
  /** Smallest and largest root, empty in an empty base. */
  raiz_min: string
  raiz_max: string
  /** Lines read, orphans, duplicates, repairs: by name. */
  contagens: Record<string, number>
  /** Lines sent to quarentena.ndjson, by reason. */
  quarentena: Record<string, number>
  /** Codes that their table lacks: how often, by `table code`. */
  codigos_desconhecidos: Record<string, number>
  bytes: number
  arquivos: ArquivoConferido[]
  entradas: ArquivoConferido[]
  portoes: Portao[]
}

const member = (value: object, name: string): unknown => Reflect.get(value, name)

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const isCounts = (value: unknown): value is Record<string, number> =>
  isObject(value) && Object.values(value).every((count) => typeof count === 'number')

const isArquivo = (value: unknown): value is ArquivoConferido =>
  isObject(value) &&
  typeof member(value, 'nome') === 'string' &&
  typeof member(value, 'bytes') === 'number' &&
  typeof member(value, 'crc32') === 'number'

const isPortao = (value: unknown): value is Portao =>
  isObject(value) &&
  ['nome', 'visto', 'esperado'].every((name) => typeof member(value, name) === 'string') &&
  ['ok', 'dispensado'].every((name) => typeof member(value, name) === 'boolean')

const TEXTOS = ['versao', 'token', 'iniciado', 'concluido', 'raiz_min', 'raiz_max']
const NUMEROS = ['formato', 'estabelecimentos', 'empresas', 'socios', 'simples', 'bytes']
const CONTAGENS = ['contagens', 'quarentena', 'codigos_desconhecidos']

const isListOf = (value: unknown, is: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(is)

const isManifesto = (value: unknown): value is Manifesto =>
  isObject(value) &&
  TEXTOS.every((name) => typeof member(value, name) === 'string') &&
  NUMEROS.every((name) => typeof member(value, name) === 'number') &&
  CONTAGENS.every((name) => isCounts(member(value, name))) &&
  typeof member(value, 'amostra') === 'boolean' &&
  isListOf(member(value, 'arquivos'), isArquivo) &&
  isListOf(member(value, 'entradas'), isArquivo) &&
  isListOf(member(value, 'portoes'), isPortao)

/** Reads `manifesto.json`; throws (in Portuguese) when it is not a manifest or is of another format. */
export function parseManifesto(json: string): Manifesto {
  const value: unknown = JSON.parse(json)
  if (!isManifesto(value)) throw new Error('manifesto.json inválido')
  if (value.formato !== FORMATO) {
    throw new Error(`versão ${value.versao} está no formato ${value.formato}; este programa lê o ${FORMATO}`)
  }
  return value
}
