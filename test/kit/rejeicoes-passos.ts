import { Session } from 'node:inspector/promises'
import { parentPort } from 'node:worker_threads'
import { makeLaudo } from '../../src/rejeicoes/diagnostico/laudo.ts'
import { AGORA } from './rejeicoes-assinadas.ts'
import { CATALOGO, notaBase } from './rejeicoes-notas.ts'

/** The steps for a note of some kind, and for one that is twice as large. */
export type Medida = { nome: string; menor: number; maior: number }

const base = notaBase('venda-interna').replace(/>\s+</g, '><')
const soCom = (filhos: string): string =>
  base.replace(/(<infNFe [^>]*>).*(<\/infNFe>)/s, (_tudo, abre, fecha) => abre + filhos + fecha)

/** Hostile notes of so many elements. */
const notas: Readonly<Record<string, (quantos: number) => string>> = {
  'equal elements that no layout has': (quantos) => soCom('<a/>'.repeat(quantos)),
  'equal elements that the layout has once': (quantos) => soCom('<ide/>'.repeat(quantos)),
  'items more than a note may have': (quantos) =>
    base.replace('<total>', `${'<det/>'.repeat(quantos)}<total>`),
  'groups in the wrong order': (quantos) =>
    soCom('<total/>'.repeat(quantos / 2) + '<det/>'.repeat(quantos / 2)),
  'groups in turns': (quantos) => soCom('<total/><det/>'.repeat(quantos / 2)),
  'documents that are referred to': (quantos) =>
    base.replace('</ide>', `${'<NFref/>'.repeat(quantos)}</ide>`),
  'wrong values in many siblings': (quantos) =>
    base.replace('<transp>', `<transp>${'<vol><qVol>x</qVol></vol>'.repeat(quantos / 2)}`),
  'elements far below the root': (quantos) =>
    soCom(`${'<a>'.repeat(30)}${'<b/>'.repeat(quantos)}${'</a>'.repeat(30)}`),
}

/** How often any part of our own code runs while a note is diagnosed, as V8 counts it. */
async function passosDe(session: Session, xml: string): Promise<number> {
  await session.post('Profiler.takePreciseCoverage')
  makeLaudo({ xml, agora: AGORA, catalogo: CATALOGO })
  const { result } = await session.post('Profiler.takePreciseCoverage')
  return result
    .filter(({ url }) => url.includes('/src/'))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
    .reduce((soma, { count }) => soma + count, 0)
}

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
await passosDe(session, base)
for (const [nome, fazer] of Object.entries(notas)) {
  const medida: Medida = {
    nome,
    menor: await passosDe(session, fazer(6_000)),
    maior: await passosDe(session, fazer(12_000)),
  }
  parentPort?.postMessage(medida)
}
session.disconnect()
