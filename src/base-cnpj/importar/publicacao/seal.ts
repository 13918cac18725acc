import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { encodeIndice } from '../../formato/indice.ts'
import { raizDaChave } from '../../formato/key.ts'
import { type ArquivoConferido, FORMATO, type Manifesto } from '../../versoes/manifesto.ts'
import { ARQUIVOS, openVersao } from '../../versoes/versao.ts'
import { sync } from '../../versoes/versoes.ts'
import { addContagens, type Contagens } from '../counts.ts'
import { arquivosDe, type Entradas } from '../entradas/entradas.ts'
import type { Diario } from '../gravacao/journal.ts'
import { crcOf, type Leitura } from '../leitura/run.ts'
import type { Inicio, Trabalho } from '../work-folder.ts'

/** All that a finished import knows, before it is sealed. */
export type Acabada = {
  versao: string
  token: string
  amostra: boolean
  inicio: Inicio
  entradas: Entradas
  leituras: Leitura[]
  concluido: Date
}

async function conferido(dir: string, nome: string): Promise<ArquivoConferido> {
  const { size } = statSync(join(dir, nome))
  return { nome, bytes: size, crc32: (await crcOf(join(dir, nome), size)) ?? 0 }
}

function addAll(parts: Contagens[]): Contagens {
  const total: Contagens = {}
  for (const part of parts) addContagens(total, part)
  return total
}

function joinQuarentena(trabalho: Trabalho, leituras: Leitura[]): string {
  return leituras
    .map((leitura) => readFileSync(join(trabalho.leituras, `${leitura.nome}.run.quarentena`), 'utf8'))
    .join('')
}

function createManifesto(
  acabada: Acabada,
  contagens: Contagens,
  raizes: Float64Array,
  last: number,
): Manifesto {
  const { versao, token, amostra, inicio, entradas, leituras } = acabada
  const { estabelecimentos = 0, empresas = 0, socios = 0, simples = 0, ...outras } = contagens
  return {
    formato: FORMATO,
    versao,
    token,
    amostra,
    iniciado: inicio.iniciado,
    concluido: acabada.concluido.toISOString(),
    estabelecimentos,
    empresas,
    socios,
    simples,
    raiz_min: raizes.length > 0 ? raizDaChave(raizes[0] ?? 0) : '',
    raiz_max: raizes.length > 0 ? raizDaChave(last) : '',
    contagens: outras,
    quarentena: addAll(leituras.map((leitura) => leitura.quarentena)),
    codigos_desconhecidos: addAll(leituras.map((leitura) => leitura.desconhecidos)),
    bytes: 0,
    arquivos: [],
    entradas: arquivosDe(entradas).map(({ nome, membro }) => ({
      nome,
      bytes: membro.bytes,
      crc32: membro.crc32,
    })),
    portoes: [],
  }
}

/** Writes the manifest into the finished folder. */
export function writeManifesto(dir: string, manifesto: Manifesto): void {
  writeFileSync(join(dir, ARQUIVOS.manifesto), `${JSON.stringify(manifesto, null, 2)}\n`)
}

/**
 * Completes the folder of a vintage: index, dictionary, tables, quarantine and manifest beside the data file, all
 * flushed to the disk.
 */
export async function seal(trabalho: Trabalho, diario: Diario, acabada: Acabada): Promise<Manifesto> {
  const { pronta } = trabalho
  const { preparo } = acabada.inicio
  const { raizes, tamanhos, ordens } = await diario.indice()
  writeFileSync(join(pronta, ARQUIVOS.indice), encodeIndice(raizes, tamanhos, ordens))
  writeFileSync(join(pronta, ARQUIVOS.palavras), preparo.palavras.join('\n'), 'latin1')
  writeFileSync(join(pronta, ARQUIVOS.dominios), JSON.stringify(preparo.dominios))
  writeFileSync(join(pronta, ARQUIVOS.quarentena), joinQuarentena(trabalho, acabada.leituras))
  const contagens = addAll([...acabada.leituras, ...diario.feitas].map((one) => one.contagens))
  const last = Math.max(0, ...diario.feitas.map((one) => one.ultima))
  const manifesto = createManifesto(acabada, contagens, raizes, last)
  const names = Object.values(ARQUIVOS).filter((nome) => nome !== ARQUIVOS.manifesto)
  manifesto.arquivos = await Promise.all(names.map((nome) => conferido(pronta, nome)))
  manifesto.bytes = manifesto.arquivos.reduce((sum, arquivo) => sum + arquivo.bytes, 0)
  writeManifesto(pronta, manifesto)
  return manifesto
}

/** Flushes the finished folder, files and entries. */
export function flush(dir: string): void {
  for (const nome of Object.values(ARQUIVOS)) sync(join(dir, nome))
  sync(dir)
}

/** Opens the finished folder as the service will, but for the masks. */
export const openPronta = (trabalho: Trabalho) => openVersao(trabalho.pronta, { mascararCpf: false })
