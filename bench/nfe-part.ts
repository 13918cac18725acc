import type { A1 } from '../src/platform/wire/certificado.ts'
import type { Http, Reply } from '../src/platform/wire/http.ts'
import type { Flow } from './nfe-note.ts'
import { fromTree } from './tree.ts'

const { askChave } = await fromTree<typeof import('../src/nfe/source-distribuicao.ts')>(
  'src/nfe/source-distribuicao.ts',
)
const { readNfeProc } = await fromTree<typeof import('../src/nfe/source-documento.ts')>(
  'src/nfe/source-documento.ts',
)
const { signElement } =
  await fromTree<typeof import('../src/nfe/source-evento.ts')>('src/nfe/source-evento.ts')
const { openAuthorities } = await fromTree<typeof import('../src/platform/authorities.ts')>(
  'src/platform/authorities.ts',
)
const { parseConfig } = await fromTree<typeof import('../src/platform/config/config.ts')>(
  'src/platform/config/config.ts',
)
const { readPfx } = await fromTree<typeof import('../src/platform/wire/pfx.ts')>('src/platform/wire/pfx.ts')
const { openTransport } = await fromTree<typeof import('../src/platform/wire/transport.ts')>(
  'src/platform/wire/transport.ts',
)

/** A part of a flow alone: our CPU of all threads, and the time of each run, in ms. */
export type Part = { name: string; cpuMs: number; ms: number }

async function measure(name: string, times: number, run: () => unknown): Promise<Part> {
  for (let i = 0; i < times / 5; i++) await run()
  const [cpu, started] = [process.cpuUsage(), performance.now()]
  for (let i = 0; i < times; i++) await run()
  const { user, system } = process.cpuUsage(cpu)
  return { name, cpuMs: (user + system) / 1000 / times, ms: (performance.now() - started) / times }
}

/**
 * Measures the parts one by one in this process, with the simulator in another. The first query brings the
 * note of `flow`.
 */
export async function measureParts(simulador: string, flow: Flow): Promise<Part[]> {
  const log = { error: () => {} }
  const { dial } = await openAuthorities(parseConfig({ SIMULATOR_URL: simulador }), log)
  const parts: Part[] = []
  for (const nome of ['aes', '3des', 'rc2-40']) {
    const reply = await fetch(`${simulador}/certificados/${nome}.pfx`)
    const pfx = Buffer.from(await reply.arrayBuffer())
    parts.push(await measure(`a file opened (${nome})`, 100, () => readPfx(pfx, `senha-${nome}`)))
  }
  const a1 = await readPfx(Buffer.from(flow.pfx, 'base64'), flow.senha)
  const canonico = `<infEvento xmlns="http://www.portalfiscal.inf.br/nfe" Id="ID">${'x'.repeat(500)}</infEvento>`
  parts.push(await measure('an event signed', 300, () => signElement({ ...a1, canonico, id: 'ID' })))

  const door = (): Http => openTransport(dial, { certificate: a1 })
  const { reply, xml } = await fetchNote(door(), flow, a1)
  const replay: Http = { ...door(), send: async () => reply }
  parts.push(await measure('an answer with the note read', 300, () => query(replay, flow, a1)))
  parts.push(
    await measure(`  of it, the note of ${Math.round(xml.length / 1024)} kB checked`, 300, () => {
      if (!readNfeProc(xml, flow.chave).ok) throw new Error('the note was not read')
    }),
  )
  for (const host of ['www1', 'www']) {
    const [version, url] = [host === 'www' ? 'TLS 1.2' : 'TLS 1.3', `https://${host}.nfe.fazenda.gov.br/`]
    const visit = async (): Promise<void> => {
      const http = door()
      const source = { id: 'bench', nome: host }
      await http.send({ source, method: 'GET', url, deadlineMs: 5_000, repeatable: false })
      await http.close()
    }
    parts.push(await measure(`a door opened, one empty request (${version}), closed`, 100, visit))
  }
  a1.key.fill(0)
  return parts
}

/** Asks for the note over the wire once, and keeps the answers. */
async function fetchNote(http: Http, flow: Flow, a1: A1): Promise<{ reply: Reply; xml: string }> {
  let kept: Reply | undefined
  const keeping: Http = {
    ...http,
    send: async (ask) => {
      kept = await http.send(ask)
      return kept
    },
  }
  const xml = await query(keeping, flow, a1)
  await http.close()
  if (!kept) throw new Error('nothing was sent')
  return { reply: kept, xml }
}

async function query(http: Http, { chave }: Flow, { titular }: A1): Promise<string> {
  const meios = { http, ambiente: 'producao', now: () => new Date(), deadlineMs: 5_000 } as const
  const resposta = await askChave(meios, { chave, interessado: titular })
  if (resposta.tipo !== 'xml') throw new Error(`the note did not come: ${resposta.tipo}`)
  return resposta.xml
}
