import { hash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { ARQUIVOS } from './pacote.ts'

/** Why a file cannot be installed, in Portuguese: what to send instead. */
export class EsquemaRecusado extends Error {}

/** The schemas of a zip. */
export type ZipDoPortal = {
  /** SHA-256 of the zip, hexadecimal. */
  sha256: string
  /** The files that a note needs, by name, byte for byte. */
  arquivos: ReadonlyMap<string, Buffer>
  /** The folders and names of what else is in it; nothing of that is read. */
  outros: readonly string[]
}

/** Octets. A zip of the portal has some 42 kB, its largest file 360 kB. */
const MAIOR_ZIP = 8 * 1024 * 1024
const MAIOR_ARQUIVO = 2 * 1024 * 1024
const MAIS_MEMBROS = 500

const NAO_E_ZIP = 'não é um zip, ou está cortado: baixe de novo o arquivo do portal da NF-e.'

/**
 * Reads a zip of schemas from a file: only the names that are known, each up to 2 MiB whatever the zip says
 * of it. Throws EsquemaRecusado.
 */
export async function lerZip(caminho: string): Promise<ZipDoPortal> {
  const bytes = lerBytes(caminho)
  const zip = await abrir(bytes, caminho)
  try {
    return { sha256: hash('sha256', bytes), ...(await lerMembros(zip)) }
  } catch (error) {
    if (error instanceof EsquemaRecusado) throw error
    throw new EsquemaRecusado(`O arquivo ${caminho} ${NAO_E_ZIP}`, { cause: error })
  } finally {
    zip.close()
  }
}

function lerBytes(caminho: string): Buffer {
  const achado = statSync(caminho, { throwIfNoEntry: false })
  if (!achado?.isFile())
    throw new EsquemaRecusado(`O arquivo ${caminho} não existe: confira o caminho do zip que você baixou.`)
  if (achado.size > MAIOR_ZIP)
    throw new EsquemaRecusado(
      `O arquivo ${caminho} passa de 8 MiB: o zip de esquemas do portal tem menos de 1 MB.`,
    )
  try {
    return readFileSync(caminho)
  } catch (error) {
    throw new EsquemaRecusado(`O arquivo ${caminho} não pôde ser lido: confira as permissões.`, {
      cause: error,
    })
  }
}

async function abrir(bytes: Buffer, caminho: string): Promise<ZipFile> {
  try {
    // Names are decoded here: a name that is no UTF-8 is not one of ours, and no reason to refuse the zip.
    return await fromBufferPromise(bytes, { autoClose: false, decodeStrings: false })
  } catch (error) {
    throw new EsquemaRecusado(`O arquivo ${caminho} ${NAO_E_ZIP}`, { cause: error })
  }
}

async function lerMembros(zip: ZipFile): Promise<Pick<ZipDoPortal, 'arquivos' | 'outros'>> {
  if (zip.entryCount > MAIS_MEMBROS)
    throw new EsquemaRecusado(
      `O zip tem ${zip.entryCount} arquivos dentro: o de esquemas da NF-e tem poucos. Baixe só o pacote de liberação (PL).`,
    )
  const arquivos = new Map<string, Buffer>()
  const outros: string[] = []
  for await (const entry of zip.eachEntry()) {
    const nome = entry.fileNameRaw.toString('latin1')
    const curto = nome.replace(/^.*[/\\]/, '')
    const conhecido = ARQUIVOS.find((arquivo) => arquivo === curto)
    if (!conhecido) outros.push(nome)
    else if (arquivos.has(conhecido))
      throw new EsquemaRecusado(
        `O zip tem ${conhecido} duas vezes: extraia a pasta do pacote que você quer e faça um zip só dela.`,
      )
    else arquivos.set(conhecido, await lerMembro(zip, entry, conhecido))
  }
  exigirTodos(arquivos, outros)
  return { arquivos, outros }
}

async function lerMembro(zip: ZipFile, entry: Entry, nome: string): Promise<Buffer> {
  if (entry.isEncrypted())
    throw new EsquemaRecusado('O zip tem senha: o do portal da NF-e não tem. Baixe-o de novo.')
  const grande = new EsquemaRecusado(
    `${nome} passa de 2 MiB dentro do zip: não é o esquema da NF-e, que tem menos de 400 kB.`,
  )
  if (entry.uncompressedSize > MAIOR_ARQUIVO) throw grande
  const partes: Buffer[] = []
  let lidos = 0
  for await (const parte of await zip.openReadStreamPromise(entry)) {
    if (!(parte instanceof Buffer)) continue
    lidos += parte.length
    if (lidos > MAIOR_ARQUIVO) throw grande
    partes.push(parte)
  }
  return Buffer.concat(partes)
}

/** What the names of another document begin with. */
const OUTROS_DOCUMENTOS: readonly (readonly [RegExp, string])[] = [
  [/^(?:proc)?cte/i, 'CT-e'],
  [/^(?:proc)?mdfe/i, 'MDF-e'],
  [/^(?:proc)?nfcom/i, 'NFCom'],
  [/^(?:proc)?nf3e/i, 'NF3e'],
  [/^(?:proc)?bpe/i, 'BP-e'],
  [/nfse|^dps/i, 'NFS-e'],
  [/evento|^(?:env|ret|proc)?(?:cce|canc|conf)/i, 'evento, e não da nota'],
]

function exigirTodos(arquivos: ReadonlyMap<string, Buffer>, outros: readonly string[]): void {
  const faltam = ARQUIVOS.filter((arquivo) => !arquivos.has(arquivo))
  if (faltam.length === 0) return
  const nomes = outros.map((nome) => nome.replace(/^.*[/\\]/, ''))
  const doutro = OUTROS_DOCUMENTOS.find(([forma]) => nomes.some((nome) => forma.test(nome)))
  if (doutro && !arquivos.has('leiauteNFe_v4.00.xsd'))
    throw new EsquemaRecusado(
      `O zip é de esquemas de ${doutro[1]}: baixe no portal da NF-e o pacote de liberação (PL) da NF-e e NFC-e 4.00.`,
    )
  throw new EsquemaRecusado(
    `Falta no zip ${faltam.join(', ')}: baixe no portal da NF-e o pacote de liberação (PL) inteiro da NF-e e NFC-e 4.00.`,
  )
}
