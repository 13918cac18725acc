import type { Uf } from '../../domain/uf.ts'
import type { Pergunta, RotaIe } from '../estado.ts'
import { throwRecusa } from '../portal/desconhecida.ts'
import { toInscricao } from '../portal/inscricao.ts'
import { parseJson, textAt } from '../portal/json.ts'
import { refuseKnown } from '../portal/recusa.ts'
import { readNone } from '../portal/resultado.ts'
import { type PortalOptions, portalIe } from '../portal/rota.ts'
import type { Campo, Lidos } from '../portal/rotulo.ts'

/** What a state's file says of an API that tells registrations. */
export type JsonCadastroOptions = PortalOptions & {
  segunda?: true
  /** Where the question is sent, relative to the page's address. */
  destino: (now: Date) => string
  /** The question. */
  pedir: (pergunta: Pergunta) => unknown
  /** What each member of a registration is. */
  membros: Readonly<Partial<Record<Campo, string>>>
}

/** An API that answers an array of registrations, empty where there is none. */
export const jsonCadastro = (uf: Uf, options: JsonCadastroOptions): RotaIe =>
  portalIe('json-cadastro', uf, options, async (portal, pergunta) => {
    const { url, destino, pedir, membros } = options
    const to = new URL(destino(portal.meios.now()), url).href
    const answer = await portal.postJson(to, pedir(pergunta), {
      headers: { accept: 'application/json' },
      anyStatus: true,
    })
    const found = parseJson(answer)
    if (!Array.isArray(found) || answer.status >= 400) {
      throwRecusa(portal, answer, pergunta.tipo)
      if (answer.status >= 400) refuseKnown(answer, portal.failure)
      return readNone(portal, pergunta, answer, {})
    }
    return found.map((one) => toInscricao(readMembros(one, membros), portal, pergunta))
  })

const readMembros = (one: unknown, membros: JsonCadastroOptions['membros']): Lidos =>
  Object.fromEntries(Object.entries(membros).map(([campo, path]) => [campo, textAt(one, path)]))
