import { hash, randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { XmlDocument, XmlParseError } from 'libxml2-wasm'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { openNota } from '../nota.ts'
import {
  type Dias,
  familiaDe,
  type Instalado,
  indiceDe,
  type Oficial,
  type PacoteNoDia,
  readInstalados,
  readPacotes,
} from './calendario.ts'
import { checkEsquema } from './conferencia.ts'
import { ARQUIVOS, compilePacote, type Pacote } from './pacote.ts'

/** Why a file cannot be installed, in Portuguese: what to send instead. */
class EsquemaRecusado extends Error {}

type ZipDoPortal = {
  sha256: string
  arquivos: ReadonlyMap<string, Buffer>
  /** The folders and names of what else is in it; nothing of that is read. */
  outros: readonly string[]
}

/** Octets. A zip of the portal has some 42 kB, its largest file 360 kB. */
const MAIOR_ZIP = 8 * 1024 * 1024
const MAIOR_ARQUIVO = 2 * 1024 * 1024
const MAIS_MEMBROS = 500

const NAO_E_ZIP = 'não é um zip, ou está cortado: baixe de novo o arquivo do portal da NF-e.'

/** Reads only known names, each up to 2 MiB whatever the zip says of it. Throws EsquemaRecusado. */
async function readZip(caminho: string): Promise<ZipDoPortal> {
  const bytes = readBytes(caminho)
  const zip = await openZip(bytes, caminho)
  try {
    return { sha256: hash('sha256', bytes), ...(await readMembros(zip)) }
  } catch (error) {
    if (error instanceof EsquemaRecusado) throw error
    throw new EsquemaRecusado(`O arquivo ${caminho} ${NAO_E_ZIP}`, { cause: error })
  } finally {
    zip.close()
  }
}

function readBytes(caminho: string): Buffer {
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

async function openZip(bytes: Buffer, caminho: string): Promise<ZipFile> {
  try {
    // Names are decoded here: a name that is no UTF-8 is not one of ours, and no reason to refuse the zip.
    return await fromBufferPromise(bytes, { autoClose: false, decodeStrings: false })
  } catch (error) {
    throw new EsquemaRecusado(`O arquivo ${caminho} ${NAO_E_ZIP}`, { cause: error })
  }
}

async function readMembros(zip: ZipFile): Promise<Pick<ZipDoPortal, 'arquivos' | 'outros'>> {
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
    else arquivos.set(conhecido, await readMembro(zip, entry, conhecido))
  }
  requireTodos(arquivos, outros)
  return { arquivos, outros }
}

async function readMembro(zip: ZipFile, entry: Entry, nome: string): Promise<Buffer> {
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

const OUTROS_DOCUMENTOS: readonly (readonly [RegExp, string])[] = [
  [/^(?:proc)?cte/i, 'CT-e'],
  [/^(?:proc)?mdfe/i, 'MDF-e'],
  [/^(?:proc)?nfcom/i, 'NFCom'],
  [/^(?:proc)?nf3e/i, 'NF3e'],
  [/^(?:proc)?bpe/i, 'BP-e'],
  [/nfse|^dps/i, 'NFS-e'],
  [/evento|^(?:env|ret|proc)?(?:cce|canc|conf)/i, 'evento, e não da nota'],
]

function requireTodos(arquivos: ReadonlyMap<string, Buffer>, outros: readonly string[]): void {
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

export type OpcoesDaInstalacao = {
  nome?: string | undefined
  producao?: string | undefined
  homologacao?: string | undefined
  /** Take a package of a known name whose digests are others. */
  aceitarResumos?: boolean | undefined
  now: () => Date
}

export type Instalacao = {
  pacote: Instalado
  substituido: string | undefined
  oficial: Oficial | undefined
  outros: readonly string[]
}

/**
 * Puts the package in its place at once, for the next diagnosis. Throws EsquemaRecusado, and then nothing
 * changed.
 */
export async function installEsquemas(
  caminho: string,
  pasta: string,
  opcoes: OpcoesDaInstalacao,
): Promise<Instalacao> {
  const instalados = readInstalados(pasta)
  const zip = await readZip(caminho)
  const arquivos = Object.fromEntries([...zip.arquivos].map(([nome, bytes]) => [nome, hash('sha256', bytes)]))
  const oficial = findOficial(arquivos)
  const nome = chooseNome(caminho, zip, oficial, opcoes)
  checkResumos(nome, oficial, opcoes)
  const dias = diasDe(nome, opcoes)
  const nova = join(pasta, `.novo-${randomUUID()}`)
  try {
    mkdirSync(nova, { recursive: true, mode: 0o700 })
    for (const [arquivo, bytes] of zip.arquivos)
      writeFileSync(join(nova, arquivo), bytes, { mode: 0o600, flush: true })
    tryOut(nome, nova, zip)
    const registro: Instalado = {
      nome,
      ...dias,
      pasta: zip.sha256.slice(0, 32),
      zip: zip.sha256,
      arquivos,
      conferido: oficial !== undefined,
      instalado_em: opcoes.now().toISOString(),
    }
    const definitiva = join(pasta, registro.pasta)
    rmSync(definitiva, { recursive: true, force: true })
    renameSync(nova, definitiva)
    const [substituido, outros] = splitInstalados(instalados, nome)
    writeIndice(pasta, [...outros, registro])
    return { pacote: registro, substituido: substituido?.nome, oficial, outros: zip.outros }
  } finally {
    rmSync(nova, { recursive: true, force: true })
  }
}

/** Removes an installed package by its name or family (`010f`). Throws EsquemaRecusado if it is not there. */
export function removeEsquemas(pedido: string, pasta: string): Instalado {
  const instalados = readInstalados(pasta)
  const achado = instalados.find(({ nome }) => nome === pedido || familiaDe(nome) === pedido)
  if (!achado) {
    const nomes = instalados.map(({ nome }) => nome).join(', ')
    throw new EsquemaRecusado(
      nomes === ''
        ? 'Nenhum pacote foi instalado: não há o que remover. Os que acompanham o serviço ficam.'
        : `O pacote ${pedido} não está instalado. Instalados: ${nomes}.`,
    )
  }
  writeIndice(
    pasta,
    instalados.filter((um) => um !== achado),
  )
  return achado
}

function splitInstalados(
  instalados: readonly Instalado[],
  nome: string,
): [Instalado | undefined, readonly Instalado[]] {
  const seu = instalados.find((um) => familiaDe(um.nome) === familiaDe(nome))
  return [seu, instalados.filter((um) => um !== seu)]
}

/** Writes the list at once, then takes away the folders that are in it no more. */
function writeIndice(pasta: string, instalados: readonly Instalado[]): void {
  const pacotes = instalados.map((um) => ({ ...um, pasta: basename(um.pasta) }))
  const novo = `${indiceDe(pasta)}.${randomUUID()}`
  writeFileSync(novo, `${JSON.stringify({ pacotes }, null, 2)}\n`, { mode: 0o600, flush: true })
  renameSync(novo, indiceDe(pasta))
  const ficam = new Set(pacotes.map((um) => um.pasta))
  for (const entrada of readdirSync(pasta, { withFileTypes: true }))
    if (entrada.isDirectory() && !ficam.has(entrada.name))
      rmSync(join(pasta, entrada.name), { recursive: true, force: true })
}

const findOficial = (arquivos: Readonly<Record<string, string>>): Oficial | undefined =>
  readPacotes().oficiais.find((oficial) =>
    Object.entries(oficial.arquivos).every(([nome, resumo]) => arquivos[nome] === resumo),
  )

/** The name that the digests tell, that the operator gave, or that the file or a folder in it has. */
function chooseNome(
  caminho: string,
  { outros }: ZipDoPortal,
  oficial: Oficial | undefined,
  { nome }: OpcoesDaInstalacao,
): string {
  const achados = [nome ?? '', basename(caminho).replace(/\.zip$/i, ''), ...outros].flatMap(
    (texto) => /PL_\d{3}[a-z](?:[\w.-]{0,39}\w)?/.exec(texto)?.[0] ?? [],
  )
  if (nome !== undefined && achados[0] !== nome)
    throw new EsquemaRecusado(`O nome ${nome} não é de um pacote: use um como PL_010f_v1.04.`)
  const escolhido = oficial?.nome ?? achados[0]
  if (escolhido !== undefined) return escolhido
  throw new EsquemaRecusado(
    'Nem os arquivos nem o nome do zip dizem qual pacote é. Diga com --nome, como --nome PL_010f_v1.04.',
  )
}

function checkResumos(
  nome: string,
  oficial: Oficial | undefined,
  { aceitarResumos }: OpcoesDaInstalacao,
): void {
  const conhecido = readPacotes().oficiais.find((um) => um.nome === nome)
  if (!conhecido || oficial || aceitarResumos) return
  throw new EsquemaRecusado(
    `Os arquivos não são os do ${nome} oficial: os resumos (SHA-256) diferem dos conhecidos (${conhecido.origem}). Baixe de novo em ${conhecido.endereco}; se o portal republicou o pacote com esse nome, repita com --aceitar-resumos.`,
  )
}

function diasDe(nome: string, { producao, homologacao }: OpcoesDaInstalacao): Pick<Instalado, 'desde'> {
  const nosso = readPacotes().pacotes.find((um) => familiaDe(um.nome) === familiaDe(nome))
  const desde: Partial<Dias> = {
    ...nosso?.desde,
    ...(producao !== undefined && { producao }),
    ...(homologacao !== undefined && { homologacao }),
  }
  if (desde.producao === undefined || desde.homologacao === undefined)
    throw new EsquemaRecusado(
      `O serviço não sabe desde quando vale o ${nome}. Diga com --producao AAAA-MM-DD e --homologacao AAAA-MM-DD, da nota técnica dele.`,
    )
  const { duvida } = nosso ?? {}
  const restante = duvida && { ...duvida }
  if (restante && producao !== undefined) delete restante.producao
  return {
    desde: { producao: desde.producao, homologacao: desde.homologacao },
    ...(restante && { duvida: restante }),
  }
}

/** Notes of ours that every package of the layout 4.00 takes, one of each model. */
const EXEMPLOS = ['venda-interna', 'nfce']

const NOTAS = fileURLToPath(new URL('../../../data/rejeicoes/notas/', import.meta.url))

/** Compiles a package and tries it: a good note has to pass, and the same without totals to fail. */
function tryOut(nome: string, pasta: string, { arquivos }: ZipDoPortal): void {
  for (const [arquivo, bytes] of arquivos) requireXml(arquivo, bytes)
  const pacote = compileOrRefuse(nome, pasta)
  try {
    for (const exemplo of EXEMPLOS) {
      const xml = readFileSync(`${NOTAS}${exemplo}.xml`, 'utf8')
      if (!isAceita(xml, pacote))
        throw new EsquemaRecusado(
          `O pacote ${nome} recusa uma nota boa de exemplo (${exemplo}): não é o da NF-e 4.00, ou está estragado.`,
        )
      if (isAceita(xml.replace(/<total>.*<\/total>/s, ''), pacote))
        throw new EsquemaRecusado(`O pacote ${nome} aceita uma nota sem totais: não é o da NF-e 4.00.`)
    }
  } finally {
    pacote.dispose()
  }
}

function requireXml(arquivo: string, bytes: Buffer): void {
  if (bytes.includes('<!DOCTYPE') || bytes.includes('<!ENTITY'))
    throw new EsquemaRecusado(`${arquivo} define entidades, o que os esquemas do portal não fazem.`)
  try {
    XmlDocument.fromBuffer(bytes).dispose()
  } catch (error) {
    const linha = error instanceof XmlParseError ? error.details[0]?.line : undefined
    const onde = linha === undefined ? '' : ` na linha ${linha}`
    throw new EsquemaRecusado(`${arquivo} não é um XML bem formado${onde}: baixe o zip de novo.`)
  }
}

function compileOrRefuse(nome: string, pasta: string): Pacote {
  try {
    return compilePacote({ nome, pasta, mudancas: [] })
  } catch (error) {
    const motivo = error instanceof Error ? error.message.split('\n')[0]?.slice(0, 200) : ''
    throw new EsquemaRecusado(
      `Os esquemas do zip não compilam: ${motivo} Baixe o pacote inteiro de novo do portal da NF-e.`,
    )
  }
}

function isAceita(xml: string, pacote: Pacote): boolean {
  const nota = openNota(xml)
  if ('linha' in nota) throw new Error('a note of ours is not well formed')
  try {
    const { valores, defeitos } = checkEsquema(nota.documento, nota.nfe, pacote)
    return valores.length + defeitos.length === 0
  } finally {
    nota.documento.dispose()
    if (nota.inteiro !== nota.documento) nota.inteiro.dispose()
  }
}

const MUDANCAS = fileURLToPath(new URL('../../../data/xsd/pacotes.json', import.meta.url))

/** SHA-256 in hexadecimal, by file; of a package that we rebuilt, that of the table of changes. */
export function resumosDe(
  { nome, origem, fonte }: Pick<PacoteNoDia, 'nome' | 'origem' | 'fonte'>,
  instalados: readonly Instalado[],
): Readonly<Record<string, string>> {
  const instalado = instalados.find((um) => um.nome === nome)
  if (origem === 'instalado' && instalado) return instalado.arquivos
  if (origem === 'reconstruido') return { 'pacotes.json': resumo(MUDANCAS) }
  return Object.fromEntries(ARQUIVOS.map((arquivo) => [arquivo, resumo(`${fonte.pasta}/${arquivo}`)]))
}

const resumo = (arquivo: string): string => hash('sha256', readFileSync(arquivo))
