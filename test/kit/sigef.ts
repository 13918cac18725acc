import type { TestContext } from 'node:test'
import { listContribuintes } from '../../simulator/mundo/mundo.ts'
import { parcelasDe } from '../../simulator/rural/parcelas.ts'
import { readCookies } from '../../src/rural/rules-sigef.ts'
import { startSimulatorAt } from './exemplos.ts'
import { type Answer, type House, start } from './harness.ts'
import { NOW } from './now.ts'

/** The cookies that the simulator's SIGEF takes, and those that each fail in their way. */
type Acesso = { cookies: string; outros: { renovavel: string; encerrado: string; recusado: string } }

/** A service beside a simulator of its own, without delays, both with a clock that the test turns. */
export type CasaRural = House & { turn: (to: Date) => void; acesso: Acesso }

/** Starts them; they are closed with the test. */
export async function startRural(t: TestContext, env: Record<string, string> = {}): Promise<CasaRural> {
  let at = NOW
  const now = (): Date => at
  const simulator = await startSimulatorAt(now, { ritmo: 0 })
  t.after(simulator.close)
  const house = await start({ SIMULATOR_URL: simulator.endereco, ...env }, now)
  t.after(() => house.close())
  const { sigef } = Object(await (await fetch(`${simulator.endereco}/ambiente.json`)).json())
  return { ...house, acesso: sigef, turn: (to) => (at = to) }
}

/** Imports a session as the command does. */
export const importar = async ({ rooms }: House, text: string): Promise<void> =>
  void (await rooms.rural.sessoes.keepImported(readCookies(text, rooms.platform.now())))

/** A holder of parcels in the simulator's world, none of them of the history. */
export function detentor(teste: (parcelas: ReturnType<typeof parcelasDe>) => boolean): string {
  const found = listContribuintes().find(({ documento }) => {
    const parcelas = parcelasDe(documento)
    return parcelas.length > 0 && parcelas.every(({ historica }) => !historica) && teste(parcelas)
  })
  if (!found) throw new Error('the world has no such holder')
  return found.documento
}

/** Asks for a holder's parcels. */
export const consultar = (
  { ask }: Pick<House, 'ask'>,
  documento: string,
  options: Parameters<House['ask']>[1] = {},
): Promise<Answer> =>
  ask(`/api/consultar-sigef?${documento.length === 11 ? 'cpf' : 'cnpj'}=${documento}`, options)

/** What an answer tells of the source: its code, whether to repeat, and what the client paid. */
export function toldBy({ status, headers, body }: Answer) {
  const { error_code, retryable } = Object(body.source_status)
  return {
    http: status,
    codigo: error_code,
    retryable,
    repetir: headers.get('retry-after'),
    creditos: headers.get('x-credits-charged'),
  }
}

type Parcela = {
  codigo_parcela: string
  area_ha: number
  data_certificacao: string
  detentor: string
  municipio: string
}

/** The parcels of an answer. */
export const parcelasIn = ({ body }: Answer): Parcela[] => Object(body.result).parcelas ?? []
