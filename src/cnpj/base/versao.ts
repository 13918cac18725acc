import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { type Static, Type } from 'typebox'
import { isCnpj } from '../../documento/documento.ts'
import { decodeIndex, findBlock, findInBlock } from './block.ts'
import { type Cursor, ordemKey, raizKey } from './bytes.ts'
import { type Decoding, type Dominios, parseDominios, parseStored, type Tabela } from './coding.ts'
import { type Empresa, getParteEmpresa, getRegistro, type RegistroCnpj } from './registro.ts'

const PLACES = 256
const PLACE_BYTES = 8 * 1024

/** The bytes are good until the next read. */
type ReadBlock = (block: number, start: number, length: number) => Buffer

/** Remembers the last block of each of 256 places, 2 MiB in all. Throws when the file ends too early. */
function createReadBlock(fd: number): ReadBlock {
  const places = Array.from({ length: PLACES }, () => ({ block: -1, bytes: Buffer.alloc(0) }))
  return (block, start, length) => {
    const place = places[block % PLACES]
    if (place?.block === block) return place.bytes
    const room =
      place && place.bytes.length >= length ? place.bytes : Buffer.allocUnsafe(Math.max(length, PLACE_BYTES))
    if (place) place.block = -1
    if (readSync(fd, room, 0, length, start) !== length) throw new Error(`bloco ${block}: leitura incompleta`)
    if (place && room.length === PLACE_BYTES) Object.assign(place, { block, bytes: room })
    return room
  }
}

/** Another version of the file format is refused, never guessed. */
export const FORMATO = 1

const Portao = Type.Object({
  nome: Type.String(),
  visto: Type.String(),
  esperado: Type.String(),
  ok: Type.Boolean(),
  dispensado: Type.Boolean(),
})

/** `dispensado`: it failed and was waived. */
export type Portao = Static<typeof Portao>

const ArquivoConferido = Type.Object({ nome: Type.String(), bytes: Type.Number(), crc32: Type.Number() })

/** A file of the vintage, or a member of the zips that it came from. */
export type ArquivoConferido = Static<typeof ArquivoConferido>

const Counts = Type.Record(Type.String(), Type.Number())

const Manifesto = Type.Object({
  formato: Type.Number(),
  /** Month, `YYYY-MM`. The token of the member names (`D61010`) is empty when they had none. */
  versao: Type.String(),
  token: Type.String(),
  /** A partial base: the gates that assume the national one were waived. */
  amostra: Type.Boolean(),
  /** ISO 8601 in UTC. */
  iniciado: Type.String(),
  concluido: Type.String(),
  estabelecimentos: Type.Number(),
  empresas: Type.Number(),
  socios: Type.Number(),
  simples: Type.Number(),
  /** Empty in an empty base. */
  raiz_min: Type.String(),
  raiz_max: Type.String(),
  /** Lines read, orphans, duplicates, repairs: by name. */
  contagens: Counts,
  /** Lines sent to quarentena.ndjson, by reason. */
  quarentena: Counts,
  /** Codes that their table lacks: how often, by `table code`. */
  codigos_desconhecidos: Counts,
  /** Bytes of all files but the manifest. */
  bytes: Type.Number(),
  arquivos: Type.Array(ArquivoConferido),
  entradas: Type.Array(ArquivoConferido),
  portoes: Type.Array(Portao),
})

export type Manifesto = Static<typeof Manifesto>

/** Throws (in Portuguese) when it is not a manifest or is of another format. */
export function parseManifesto(json: string): Manifesto {
  const manifesto = parseStored(Manifesto, json)
  if (manifesto === undefined) throw new Error('manifesto.json inválido')
  const { formato, versao } = manifesto
  if (formato === FORMATO) return manifesto
  throw new Error(`versão ${versao} está no formato ${formato}; este programa lê o ${FORMATO}`)
}

/** Undefined for a code that the table lacks. */
export type Tabelas = {
  cnae: (codigo: string) => string | undefined
  natureza: (codigo: string) => string | undefined
  qualificacao: (codigo: string) => string | undefined
  /** A municipality by the Receita Federal's code (TOM). `ibge` is empty abroad. */
  municipio: (tom: string) => { nome: string; ibge: string } | undefined
}

type Usados = Pick<Dominios, 'cnaes' | 'naturezas' | 'qualificacoes'> & {
  municipios: Pick<Dominios['municipios'], 'codigos' | 'descricoes' | 'ibge'>
}

export function openTabelas({ cnaes, naturezas, qualificacoes, municipios }: Usados): Tabelas {
  const places = new Map(municipios.codigos.map((tom, place) => [tom, place]))
  return {
    cnae: wordsOf(cnaes),
    natureza: wordsOf(naturezas),
    qualificacao: wordsOf(qualificacoes),
    municipio: (tom) => {
      const place = places.get(tom)
      if (place === undefined) return undefined
      return { nome: municipios.descricoes[place] ?? '', ibge: municipios.ibge[place] ?? '' }
    },
  }
}

function wordsOf({ codigos, descricoes }: Tabela): (codigo: string) => string | undefined {
  const words = new Map(codigos.map((codigo, place) => [codigo, descricoes[place] ?? '']))
  return (codigo) => words.get(codigo)
}

export const ARQUIVOS = {
  manifesto: 'manifesto.json',
  dados: 'dados.bin',
  indice: 'indice.bin',
  palavras: 'palavras.txt',
  dominios: 'dominios.json',
  quarentena: 'quarentena.ndjson',
} as const

/** A look-up is synchronous: one search in memory and one read of a block of about 4 KiB. */
export type CnpjBase = {
  manifesto: Manifesto
  /** The record of a CNPJ (14 characters, upper case). Undefined when it is not valid or not in the base. */
  find(cnpj: string): RegistroCnpj | undefined
  /** By a root of 8 characters, upper case. Undefined when it has no establishment here. */
  findEmpresa(raiz: string): Empresa | undefined
  /** Empty for a code that the table lacks. */
  descricaoDoCnae(codigo: string): string
  tabelas: Tabelas
  close(): void
}

/** Masks a CPF in the name of a sole trader as the Receita Federal masks it in the QSA. */
export type ReadOptions = { mascararCpf: boolean }

function readChecked(dir: string, name: string, manifesto: Manifesto): Buffer {
  const bytes = readFileSync(join(dir, name))
  const known = manifesto.arquivos.find((arquivo) => arquivo.nome === name)
  if (known?.bytes !== bytes.length || known.crc32 !== crc32(bytes)) {
    throw new Error(`${join(dir, name)} não confere com o manifesto`)
  }
  return bytes
}

function openDecoding(dir: string, manifesto: Manifesto): Decoding {
  const palavras = readChecked(dir, ARQUIVOS.palavras, manifesto).toString('latin1')
  const dominios = parseDominios(readChecked(dir, ARQUIVOS.dominios, manifesto).toString('utf8'))
  const place = dominios.motivos.codigos.indexOf('00')
  const semMotivo = { codigo: '00', descricao: dominios.motivos.descricoes[place] ?? '' }
  return { palavras: palavras === '' ? [] : palavras.split('\n'), dominios, semMotivo }
}

function openData(dir: string, manifesto: Manifesto): number {
  const path = join(dir, ARQUIVOS.dados)
  const fd = openSync(path, 'r')
  const known = manifesto.arquivos.find((arquivo) => arquivo.nome === ARQUIVOS.dados)
  if (fstatSync(fd).size === known?.bytes) return fd
  closeSync(fd)
  throw new Error(`${path} não confere com o manifesto`)
}

/** Throws when a file is missing, was changed, or is of another format. */
export function openVersao(dir: string, options: ReadOptions): CnpjBase {
  const manifesto = parseManifesto(readFileSync(join(dir, ARQUIVOS.manifesto), 'utf8'))
  const decoding = openDecoding(dir, manifesto)
  const indice = decodeIndex(readChecked(dir, ARQUIVOS.indice, manifesto))
  const fd = openData(dir, manifesto)
  const readBlock = createReadBlock(fd)
  const cursor: Cursor = { bytes: Buffer.alloc(0), at: 0 }
  const key = Buffer.alloc(14)
  const tabelas = openTabelas(decoding.dominios)
  const found = { empresa: 0, estabelecimento: 0 }

  function locate(raiz: number, ordem: number): boolean {
    const block = findBlock(indice, raiz, ordem)
    if (block < 0) return false
    const start = indice.offsets[block] ?? 0
    const length = (indice.offsets[block + 1] ?? 0) - start
    cursor.bytes = readBlock(block, start, length)
    cursor.at = 0
    return findInBlock(cursor, length, indice.raizes[block] ?? 0, raiz, ordem, found)
  }

  return {
    manifesto,
    find(cnpj) {
      if (!isCnpj(cnpj)) return undefined
      key.write(cnpj, 'latin1')
      if (!locate(raizKey(key, 0), ordemKey(key, 8))) return undefined
      return getRegistro(cursor, found, decoding, options.mascararCpf)
    },
    findEmpresa(raiz) {
      if (!/^[0-9A-Z]{8}$/.test(raiz)) return undefined
      key.write(raiz, 'latin1')
      if (!locate(raizKey(key, 0), -1)) return undefined
      cursor.at = found.empresa
      return getParteEmpresa(cursor, decoding, options.mascararCpf).empresa
    },
    descricaoDoCnae: (codigo) => tabelas.cnae(codigo) ?? '',
    tabelas,
    close: () => closeSync(fd),
  }
}
