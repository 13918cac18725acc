import type { Cenario } from '../simulator/nfe/cenario.ts'
import { cenarios } from '../simulator/nfe/cenarios.ts'
import { chaveDo } from '../simulator/nfe/nota.ts'

/** A note to ask for, with the A1 file of a participant. */
export type Flow = {
  chave: string
  titular: Cenario['titular']
  /** In base64. */
  pfx: string
  senha: string
  /** What the answer says of the event. */
  manifestacao: 'ciencia_registrada' | null
}

/** `ciencia`: query, Ciência, query. `direta`: the first query brings the note. */
export type Kind = 'ciencia' | 'direta'

/**
 * The holder's 20 queries an hour (NT 2014.002 v1.21, 3.11.4), less the last ones: so nobody is told that few
 * are left.
 */
const QUERIES = 18
const DIA_MS = 86_400_000

/**
 * Whether nothing goes wrong with it: it has no defect, no lasting summary, and a holder whom the note is
 * for.
 */
const isPlain = ({ papel, situacao, existe, ...effects }: Cenario): boolean =>
  ['destinatario', 'transportador', 'autorizado'].includes(papel) &&
  situacao === 'autorizada' &&
  existe === 'sim' &&
  !effects.distribuicao &&
  !effects.distribuicaoDepois &&
  !effects.ciencia &&
  !effects.demoraDaLiberacao &&
  !effects.recepcaoDias &&
  !effects.eventos?.includes('210220')

/** Whether the first query brings the note: an event was registered before, or the holder needs none. */
const isDireta = ({ papel, eventos = [] }: Cenario): boolean => papel !== 'destinatario' || eventos.length > 0

/**
 * The scenarios whose note comes that way when it is a day old, each with a holder of its own. At that age,
 * nothing happens that a scenario says of older notes or of the portal.
 */
const cenariosDe = (kind: Kind): Cenario[] =>
  cenarios.filter(
    (cenario) =>
      isPlain(cenario) &&
      isDireta(cenario) === (kind === 'direta') &&
      (kind === 'direta' || cenario.chaveDoA1 === 'rsa'),
  )

/** Notes of a simulator that nobody has asked for. Each is a second older than the one before. */
export async function openNotes(simulador: string): Promise<{
  /**
   * At most as many as one round may ask for, with all holders in turn. The clock must move before the next
   * round.
   */
  round: (kind: Kind) => Flow[]
}> {
  const inicio = Math.floor(Date.now() / 1000) * 1000 - DIA_MS
  const files = new Map<string, string>()
  for (const { nome } of [...cenariosDe('ciencia'), ...cenariosDe('direta')]) {
    const reply = await fetch(`${simulador}/certificados/nfe-${nome}.pfx`)
    files.set(nome, Buffer.from(await reply.arrayBuffer()).toString('base64'))
  }
  let made = 0
  const noteOf = (cenario: Cenario, kind: Kind): Flow => {
    made += 1
    return {
      chave: chaveDo(cenario, new Date(inicio - made * 1000)),
      titular: cenario.titular,
      pfx: files.get(cenario.nome) ?? '',
      senha: `senha-nfe-${cenario.nome}`,
      manifestacao: kind === 'ciencia' ? 'ciencia_registrada' : null,
    }
  }
  return {
    round: (kind) => {
      const turns = Array.from({ length: kind === 'ciencia' ? QUERIES / 2 : QUERIES })
      return turns.flatMap(() => cenariosDe(kind).map((cenario) => noteOf(cenario, kind)))
    },
  }
}
