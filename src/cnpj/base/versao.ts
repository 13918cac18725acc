import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { isCnpj } from '../../documento/documento.ts'
import { findInBlock } from './block.ts'
import { createReadBlock } from './block-cache.ts'
import { ordemKey, raizKey } from './bytes.ts'
import { parseDominios } from './dominios.ts'
import type { Empresa } from './empresa.ts'
import type { Cursor } from './formato-bytes.ts'
import type { Decoding } from './formato-coding.ts'
import { getParteEmpresa } from './group.ts'
import { type Manifesto, parseManifesto } from './manifesto.ts'
import { getRegistro, type RegistroCnpj } from './registro.ts'
import { decodeIndex, findBlock } from './sparse-index.ts'
import { openTabelas, type Tabelas } from './tabelas.ts'

/** Names of the files of a vintage. */
export const ARQUIVOS = {
  manifesto: 'manifesto.json',
  dados: 'dados.bin',
  indice: 'indice.bin',
  palavras: 'palavras.txt',
  dominios: 'dominios.json',
  quarentena: 'quarentena.ndjson',
} as const

/** An open vintage. A look-up is synchronous: one search in memory and one read of a block of about 4 KiB. */
export type CnpjBase = {
  manifesto: Manifesto
  /** The record of a CNPJ (14 characters, upper case). Undefined when it is not valid or not in the base. */
  find(cnpj: string): RegistroCnpj | undefined
  /**
   * The company of a root (8 characters, upper case), by any of its establishments. Undefined when it has
   * none here.
   */
  findEmpresa(raiz: string): Empresa | undefined
  /** The words of the CNAE table for a code of 7 digits. Empty for a code that the table lacks. */
  descricaoDoCnae(codigo: string): string
  /** The words of this vintage's codes. */
  tabelas: Tabelas
  close(): void
}

/** `mascararCpf` masks a CPF inside the name of a sole trader as the Receita Federal masks it in the QSA. */
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

/**
 * Opens the vintage in `dir`, made by `importCnpj`. Checks its small files whole and the data file by its
 * length.
 * @throws when a file is missing, was changed, or is of another format.
 */
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
