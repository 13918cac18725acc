import { mkdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { conteudoDosDominios } from './palavras.ts'
import { type Conjunto, conteudoDaParte, type Parte } from './parte.ts'
import { extractionDate, type Pedido, type Plano, plan, tokenOf } from './plano.ts'
import { writeZip } from './zip.ts'

export type OpcoesDoDump = {
  pasta: string
  estabelecimentos: number
  semente?: number
  versao?: string
  simples?: boolean
  sujeira?: boolean
  /** Zips of each big set; 10 by default. */
  partes?: number
  /** Deflate level; 6 up to 100,000 establishments, else 1. */
  nivel?: number
  /** Worker threads; 0 (this thread) up to 100,000 establishments, else the processors. */
  trabalhadores?: number
}

/** `linhas` counts records, `bytes` the member's content, `comprimido` its deflated size. */
export type Escrito = {
  arquivo: string
  membro: string
  linhas: number
  bytes: number
  comprimido: number
  crc: number
}

export type Ordem = { pedido: Pedido; pasta: string; nivel: number; fila: Parte[] }

const POUCOS = 100_000
const MEMBRO: Record<Conjunto, string> = {
  Empresas: 'EMPRECSV',
  Estabelecimentos: 'ESTABELE',
  Socios: 'SOCIOCSV',
  Simples: 'SIMPLES',
}
const DOMINIOS: Record<string, string> = {
  Cnaes: 'CNAECSV',
  Motivos: 'MOTICSV',
  Municipios: 'MUNICCSV',
  Naturezas: 'NATJUCSV',
  Paises: 'PAISCSV',
  Qualificacoes: 'QUALSCSV',
}

/**
 * The official layout: 37 zips (36 without Simples). Equal options give equal contents, whatever the threads.
 */
export async function generateDump(opcoes: OpcoesDoDump): Promise<Escrito[]> {
  const {
    pasta,
    estabelecimentos,
    semente = 1,
    versao = '2026-10',
    simples = true,
    sujeira = true,
    partes = 10,
  } = opcoes
  const pedido: Pedido = { estabelecimentos, semente, versao, sujeira, partes }
  const nivel = opcoes.nivel ?? (estabelecimentos > POUCOS ? 1 : 6)
  const threads = opcoes.trabalhadores ?? (estabelecimentos > POUCOS ? availableParallelism() : 0)
  await mkdir(pasta, { recursive: true })
  const escritos = await writeDominios(pasta, versao)
  const filas = divide(partesDoDump(partes, simples), Math.max(1, threads))
  const feitos = await Promise.all(
    filas.map((fila) => (threads === 0 ? writePartes : emTrabalhador)({ pedido, pasta, nivel, fila })),
  )
  return [...escritos, ...feitos.flat()].sort((a, b) => (a.arquivo < b.arquivo ? -1 : 1))
}

export async function writePartes({ pedido, pasta, nivel, fila }: Ordem): Promise<Escrito[]> {
  const plano = plan(pedido)
  const escritos: Escrito[] = []
  for (const parte of fila) escritos.push(await writeParte(plano, parte, pasta, nivel))
  return escritos
}

async function writeParte(plano: Plano, parte: Parte, pasta: string, nivel: number): Promise<Escrito> {
  const { conjunto } = parte
  const token = tokenOf(plano.versao)
  const simples = conjunto === 'Simples'
  const arquivo = simples ? 'Simples.zip' : `${conjunto}${parte.parte}.zip`
  const membro = simples
    ? `F.K03200$W.SIMPLES.CSV.${token}`
    : `K3241.K03200Y${parte.parte}.${token}.${MEMBRO[conjunto]}`
  let linhas = 0
  const conteudo = conteudoDaParte(plano, parte, () => linhas++)
  const data = extractionDate(plano.versao)
  const zip64 = plano.estabelecimentos > 10_000_000 && conjunto === 'Estabelecimentos' && parte.parte === 0
  const [escrito] = await writeZip(join(pasta, arquivo), [{ nome: membro, conteudo }], { nivel, data, zip64 })
  return {
    arquivo,
    membro,
    linhas,
    bytes: escrito?.bytes ?? 0,
    comprimido: escrito?.comprimido ?? 0,
    crc: escrito?.crc ?? 0,
  }
}

async function writeDominios(pasta: string, versao: string): Promise<Escrito[]> {
  const escritos: Escrito[] = []
  for (const [conjunto, conteudo] of conteudoDosDominios()) {
    const membro = `F.K03200$Z.${tokenOf(versao)}.${DOMINIOS[conjunto]}`
    const arquivo = `${conjunto}.zip`
    const data = extractionDate(versao)
    const [escrito] = await writeZip(join(pasta, arquivo), [{ nome: membro, conteudo }], { nivel: 9, data })
    const linhas = conteudo.reduce((soma, byte) => soma + (byte === 0x0a ? 1 : 0), 0)
    if (escrito)
      escritos.push({
        arquivo,
        membro,
        linhas,
        bytes: escrito.bytes,
        comprimido: escrito.comprimido,
        crc: escrito.crc,
      })
  }
  return escritos
}

function partesDoDump(partes: number, simples: boolean): Parte[] {
  const numeros = Array.from({ length: partes }, (_, parte) => parte)
  const conjuntos: Conjunto[] = ['Estabelecimentos', 'Empresas', 'Socios']
  const [primeiras, outras] = [numeros.slice(0, 1), numeros.slice(1)]
  const lista = [primeiras, outras].flatMap((grupo) =>
    conjuntos.flatMap((conjunto) => grupo.map((parte) => ({ conjunto, parte }))),
  )
  return simples ? [...lista, { conjunto: 'Simples', parte: 0 }] : lista
}

function peso({ conjunto, parte }: Parte): number {
  const zero = parte === 0
  if (conjunto === 'Estabelecimentos') return zero ? 41 : 6.6
  if (conjunto === 'Empresas') return zero ? 6 : 1.6
  if (conjunto === 'Simples') return 8
  return zero ? 5 : 1.3
}

function divide(partes: Parte[], quantas: number): Parte[][] {
  const filas = Array.from({ length: quantas }, () => ({ carga: 0, fila: [] as Parte[] }))
  for (const parte of partes) {
    const menor = filas.reduce((a, b) => (b.carga < a.carga ? b : a))
    menor.carga += peso(parte)
    menor.fila.push(parte)
  }
  return filas.map(({ fila }) => fila)
}

function emTrabalhador(ordem: Ordem): Promise<Escrito[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./trabalhador.ts', import.meta.url), {
      workerData: ordem,
      // Rows die young: a small heap keeps the whole process under 300 MB at any size.
      resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 96 },
    })
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}
