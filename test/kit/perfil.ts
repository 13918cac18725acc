import { createServer } from 'node:http'
import { type Answer, type House, start } from './harness.ts'
import { sharedSimulator } from './simulator.ts'
import { type Entry, entriesOf } from './todos.ts'

export const PATH = '/api/perfil-produtor'
export const CPF = '52998224725'
/** A company of the sample base that has a registration. */
export const CNPJ = '99001002000162'
/** A company that the sample base lacks. */
export const ABSENT = '11222333000181'
/** A CNPJ that neither the base nor any state knows. */
export const NOBODY = '77000003000150'

type Section = Record<string, unknown> | null

/** The three sections of an answer. */
export const sectionsOf = ({ body }: Pick<Answer, 'body'>): Record<string, Section> => ({
  receita_federal: sectionOf(body.receita_federal),
  inscricoes_estaduais: sectionOf(body.inscricoes_estaduais),
  cnd_estaduais: sectionOf(body.cnd_estaduais),
})

const sectionOf = (value: unknown): Section => (value === null ? null : Object(value))

/** The entries of a section; none of a null one. */
export const entriesIn = ({ body }: Pick<Answer, 'body'>, section: string): Entry[] =>
  entriesOf(Object(body[section] ?? {}))

export const creditsOf = ({ headers }: Pick<Answer, 'headers'>): string | null =>
  headers.get('x-credits-charged')

/** A service whose simulator says that its authorities are at an address where nobody listens. */
export async function startAlone(
  env: Record<string, string> = {},
): Promise<{ house: House; close: () => Promise<void> }> {
  const simulator = await sharedSimulator()
  const site = createServer((_request, response) => {
    void fetch(`${simulator}/ambiente.json`)
      .then((reply) => reply.json())
      .then((ambiente: unknown) => {
        // The port 1 (tcpmux) is nobody's on a machine of today.
        response.end(JSON.stringify({ ...Object(ambiente), gateway: { host: '127.0.0.1', port: 1 } }))
      })
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  const { port } = Object(site.address())
  const house = await start({ ...env, SIMULATOR_URL: `http://127.0.0.1:${port}` })
  return {
    house,
    close: async () => {
      await house.close()
      site.close()
    },
  }
}
