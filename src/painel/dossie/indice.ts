import { openSelo } from '../../platform/secrets.ts'
import { trusted } from '../../platform/trusted.ts'
import type { PainelRoom } from '../sala.ts'

/** The call that answered a question, and the form that asked it. */
type Anotada = { request_id: string; formulario: string }

/** What is kept of a dossier: the numbers of its calls, each of which is kept by itself. */
export type Indice = { rural: boolean; feitoEm: string; pedidos: Readonly<Record<string, Anotada>> }

export type IndicesDosDossies = {
  find: (conta_id: string, documento: string) => Promise<Indice | undefined>
  /** Notes one call beside those that others noted meanwhile. False where the account keeps no answers. */
  note: (
    conta_id: string,
    documento: string,
    nova: Anotada & { pergunta: string; rural: boolean },
  ) => Promise<boolean>
}

/** The dossiers of an account, by their document, which stands nowhere in the clear. */
export function openIndices({
  guardadas,
  secret,
  now,
}: Pick<PainelRoom, 'guardadas' | 'secret' | 'now'>): IndicesDosDossies {
  const selo = openSelo(secret, 'pages: dossiers')
  const donaDe = (conta_id: string, documento: string) => ({
    conta_id,
    request_id: selo.mac(`${conta_id} ${documento}`),
  })
  const find: IndicesDosDossies['find'] = async (conta_id, documento) => {
    const found = await guardadas.find(donaDe(conta_id, documento), '')
    // Proven by the seal: `note` alone makes one under such a number.
    return found && trusted<Indice>(JSON.parse(found.conteudo.toString()))
  }
  const add: IndicesDosDossies['note'] = async (conta_id, documento, { pergunta, rural, ...nova }) => {
    const antes = await find(conta_id, documento)
    const anotadas = Object.entries(antes?.pedidos ?? {})
    const kept = await guardadas.listOf(
      conta_id,
      anotadas.map(([, { request_id }]) => request_id),
    )
    const ficam = anotadas.filter(([, { request_id }]) => kept.has(request_id))
    const indice: Indice = {
      rural: rural || antes?.rural === true,
      feitoEm: now().toISOString(),
      pedidos: { ...Object.fromEntries(ficam), [pergunta]: nova },
    }
    return guardadas.keep(donaDe(conta_id, documento), [
      { parte: '', conteudo: Buffer.from(JSON.stringify(indice)) },
    ])
  }
  /** The last note of each dossier, which the next one waits for. */
  const turnos = new Map<string, Promise<unknown>>()
  return {
    find,
    note: (conta_id, documento, nova) => {
      const { request_id } = donaDe(conta_id, documento)
      const before = turnos.get(request_id) ?? Promise.resolve()
      const mine = before.then(() => add(conta_id, documento, nova))
      const over = mine.then(
        () => {},
        () => {},
      )
      turnos.set(request_id, over)
      over.then(() => turnos.get(request_id) === over && turnos.delete(request_id))
      return mine
    },
  }
}
