import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { parseJson } from '../formato/json.ts'
import { FORMATO } from '../versoes/manifesto.ts'
import { ensureRoom } from '../zips/disk.ts'
import { arquivosDe, bytesOf, type Entradas } from './entradas/entradas.ts'
import { ImportError } from './import-error.ts'
import { Preparo } from './prepare.ts'

/** Version of the work folder: another one is thrown away. */
const TRABALHO = 1

/** The work folder of an import, `<raiz>/importando/<versao>`: what is in it says what is done. */
export type Trabalho = { dir: string; leituras: string; pronta: string }

const Inicio = Type.Object({ identidade: Type.String(), iniciado: Type.String(), preparo: Preparo })

/** What was decided at the start, kept so that a second try goes on with the same. */
export type Inicio = Static<typeof Inicio>

/** What the inputs are: sizes and CRCs of the members. Another dump in the same folder is another import. */
export function identidadeDe(entradas: Entradas, amostra: boolean): string {
  const members = arquivosDe(entradas).map(({ nome, membro }) => [
    nome,
    membro.bytes,
    membro.comprimido,
    membro.crc32,
  ])
  return JSON.stringify([TRABALHO, FORMATO, amostra, members])
}

/** Opens the work folder; whatever other imports left beside it goes. */
export function openTrabalho(raiz: string, versao: string): Trabalho {
  const all = join(raiz, 'importando')
  mkdirSync(all, { recursive: true })
  for (const name of readdirSync(all)) if (name !== versao) rmSync(join(all, name), { recursive: true })
  const dir = join(all, versao)
  const trabalho = { dir, leituras: join(dir, 'leituras'), pronta: join(dir, 'pronta') }
  mkdirSync(trabalho.leituras, { recursive: true })
  mkdirSync(trabalho.pronta, { recursive: true })
  return trabalho
}

/** Bytes that an earlier try left in the work folder. */
function bytesWritten(trabalho: Trabalho): number {
  let bytes = 0
  for (const dir of [trabalho.leituras, trabalho.pronta]) {
    for (const name of readdirSync(dir)) bytes += statSync(join(dir, name)).size
  }
  return bytes
}

/** Run files and finished vintage together take 0.45 bytes (measured) for each byte of CSV; rounded up. */
const BYTES_PER_CSV_BYTE = 0.6
const MARGIN_BYTES = 16 << 20

const gb = (bytes: number): string =>
  `${(bytes / 1e9).toLocaleString('pt-BR', { maximumFractionDigits: 1, minimumFractionDigits: 1 })} GB`

/**
 * Checks that the disk has room for an import of these zips, less what an earlier try already wrote.
 * @throws ImportError when it has not.
 */
export async function ensureRoomFor(
  trabalho: Trabalho,
  entradas: Entradas,
  { raiz, espacoLivre }: { raiz: string; espacoLivre?: (dir: string) => Promise<number> },
): Promise<void> {
  const needed = MARGIN_BYTES + BYTES_PER_CSV_BYTE * bytesOf(entradas) - bytesWritten(trabalho)
  const problem = (free: number): ImportError =>
    new ImportError(
      `Espaço em disco insuficiente em ${raiz}: a importação precisa de ${gb(needed)} livres, há ${gb(free)}.`,
    )
  await ensureRoom(raiz, needed, problem, espacoLivre)
}

/** Replaces a small file at once: whoever reads it finds the old content or the new one. */
function replaceFile(path: string, content: string): void {
  writeFileSync(`${path}.novo`, content)
  renameSync(`${path}.novo`, path)
}

/** The start of an earlier try with the same inputs; without one, empties the folder. */
export function readInicio(trabalho: Trabalho, identidade: string): Inicio | undefined {
  const path = join(trabalho.dir, 'inicio.json')
  if (existsSync(path)) {
    const inicio = parseJson(Inicio, readFileSync(path, 'utf8'))
    if (inicio?.identidade === identidade) return inicio
  }
  for (const dir of [trabalho.leituras, trabalho.pronta]) {
    rmSync(dir, { recursive: true })
    mkdirSync(dir)
  }
  rmSync(join(trabalho.dir, 'gravacoes.ndjson'), { force: true })
  rmSync(join(trabalho.dir, 'indice.parcial'), { force: true })
  return undefined
}

export function writeInicio(trabalho: Trabalho, inicio: Inicio): void {
  replaceFile(join(trabalho.dir, 'inicio.json'), JSON.stringify(inicio))
}
