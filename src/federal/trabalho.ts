import { type Static, Type } from 'typebox'
import type { JobKind } from '../platform/jobs/kind.ts'

const emitir = Type.Union([Type.Literal('se-preciso'), Type.Literal('sempre')])

const payload = Type.Object({ chave: Type.String(), selado: Type.String(), emitir })

/**
 * The durable work that gets a federal certificate: one at a time for a CNPJ, on all nodes. The CNPJ is
 * sealed in it.
 */
export const emitirCndFederal: JobKind<typeof payload> = {
  kind: 'emitir-cnd-federal',
  payload,
  key: ({ chave }) => chave,
}

/**
 * What a job came to: the store has the answer, or the authority gave none. `emitir` is what the job asked
 * for.
 */
export const FimDoTrabalho = Type.Union([
  Type.Object({ tipo: Type.Literal('feito') }),
  Type.Object({
    tipo: Type.Literal('falha'),
    emitir,
    mensagem: Type.String(),
    retryS: Type.Union([Type.Number(), Type.Null()]),
  }),
])

export type FimDoTrabalho = Static<typeof FimDoTrabalho>
