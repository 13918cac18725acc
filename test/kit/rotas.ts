import { after, before } from 'node:test'
import { exemplos } from '../../simulator/mundo/exemplo.ts'
import { findContribuinte } from '../../simulator/mundo/mundo.ts'
import { lookUp } from '../../simulator/portal/registro.ts'
import type { Uf } from '../../src/documento/uf.ts'
import { estados } from '../../src/estados/estados.ts'
import { noSolver } from '../../src/portal/captcha.ts'
import type { Estado, Meios, PerguntaCnd, Rota, RotaCnd, RotaIe } from '../../src/portal/estado.ts'
import { consultaOf } from '../../src/portal/rotas.ts'
import { type House, start } from './harness.ts'
import { inscricaoDeTeste } from './portal-em-cena.ts'

/** A route with its name in the tests and its state. */
type Alvo<R> = readonly [nome: string, uf: Uf, rota: R]

const alvos = <R extends Rota>(of: (estado: Estado) => readonly R[]): Alvo<R>[] =>
  [...estados.values()].flatMap((estado) =>
    of(estado).map((rota): Alvo<R> => [`${rota.source.id} (${rota.familia})`, estado.uf, rota]),
  )
const todasIe = alvos<RotaIe>(({ ie }) => ie)
const todasCnd = alvos<RotaCnd>(({ cnd }) => cnd)
const isKnown = ([, , { certeza }]: Alvo<Rota>): boolean => certeza !== 'desconhecido'

/** Every route of every state that can be asked, for registrations and for certificates. */
export const rotasIe = todasIe.filter(isKnown)
export const rotasCnd = todasCnd.filter(isKnown)

/** The routes that are never asked, since nobody knows their requests. */
export const desconhecidas: readonly Alvo<RotaIe | RotaCnd>[] = [...todasIe, ...todasCnd].filter(
  (alvo) => !isKnown(alvo),
)

/**
 * A question waits this long for its answer, unless the test wants no answer. A loaded machine is no failure.
 */
const PATIENCE_MS = 30_000

/** The means of the real service in simulator mode, for the tests of one file. */
export function openMeios(): (how?: { solver?: false; deadlineMs?: number }) => Meios {
  let house: House
  before(async () => {
    house = await start()
  })
  after(() => house.close())
  return ({ solver = true, deadlineMs = PATIENCE_MS } = {}) => {
    const { meios } = consultaOf(house.rooms.inscricao, { uf: 'SP', request_id: '', deadlineMs })
    return solver ? meios : { ...meios, captcha: noSolver }
  }
}

/**
 * The question to a page of certificates, with the registrations, as the lookup sends it. For a state whose
 * registrations cannot be asked, they come from the simulator's world.
 */
export async function perguntaCnd(uf: Uf, documento: string, meios: Meios): Promise<PerguntaCnd> {
  const pergunta = { tipo: documento.length === 11 ? ('cpf' as const) : ('cnpj' as const), documento }
  const known = rotasIe.find((alvo) => alvo[1] === uf)?.[2]
  const inscricoes = known
    ? await known.consultar(pergunta, meios).catch(() => undefined)
    : lookUp(uf, pergunta).map(({ inscricao }) => inscricaoDeTeste(inscricao.ie))
  return { ...pergunta, inscricoes }
}

/** What the simulator's world holds of a document in a state. */
export const inscricoesDe = (uf: Uf, documento: string) =>
  findContribuinte(documento)?.inscricoes.filter((inscricao) => inscricao.uf === uf) ?? []

/** A document of the world with several registrations in the state. */
export const comVarias = (uf: Uf): string | undefined =>
  exemplos().variasInscricoes.find((one) => one.uf === uf)?.documento

/** A rural producer of the state, by CPF. */
export const produtorEm = (uf: Uf): string | undefined =>
  exemplos().produtorRural.find((one) => one.uf === uf)?.documento
