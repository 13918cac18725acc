import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import type { Platform } from '../platform.ts'
import { readExemplos } from '../simulator.ts'
import { describeApi, documentOf } from './document.ts'
import { addExamples, type Shown } from './examples.ts'
import { serveStatic } from './ready.ts'

const SIMULADOR =
  'Modo simulador: as respostas são fictícias. Quem responde é um simulador nesta máquina, não os órgãos de verdade.'

export async function documentation(
  app: FastifyInstance,
  { ambiente, simulador, config: { PUBLIC_URL } }: Platform,
): Promise<void> {
  const warning = ambiente === 'simulador' ? SIMULADOR : ''
  await describeApi(app, { warning, publicUrl: PUBLIC_URL })
  // It changes only with the program, so a client asks whether its copy is still the same.
  const headers = { 'cache-control': 'no-cache' }
  const make = async (forNow: () => void): Promise<string> => {
    const document: Shown = JSON.parse(JSON.stringify(documentOf(app)))
    // The document is there without the simulator, which may be of an older version or starting again.
    const known = await readExemplos(simulador).catch(() => {
      forNow()
      return {}
    })
    addExamples(document, await readAnswers(), known)
    return JSON.stringify(document)
  }
  serveStatic(app, '/openapi.json', { type: 'application/json', headers, make })
}

/** A real answer to each endpoint's example by its path, and failures by their codes (data/README.md). */
const readAnswers = async (): Promise<Record<string, Record<string, unknown>>> =>
  JSON.parse(await readFile(new URL('../../../data/exemplos.json', import.meta.url), 'utf8'))
