import { type TObject, Type } from 'typebox'
import { Problema } from './problema.ts'
import { count } from './schemas.ts'
import type { Stream } from './stream.ts'

const Creditos = Type.Object(
  {
    cobrados: count('Créditos cobrados por esta chamada'),
    restantes: count('Créditos que restam: cota do mês e extras'),
  },
  { title: 'CreditosDaChamada', description: 'No lugar dos cabeçalhos X-Credits' },
)

/** The name of the answer's body, without what all of them begin with: `ConsultarIeTodos`. */
const nameOf = (response: TObject): string => String(Reflect.get(response, 'title')).replace(/^Resposta/, '')

/**
 * A named schema with a member for each event of a stream: what its `data` is. It stands outside the
 * responses, where it would make a union of a client's answer.
 */
export const eventosOf = (
  response: TObject,
  { piece, event }: Pick<Stream<never>, 'piece' | 'event'>,
): TObject =>
  Type.Object(
    { [event]: piece, creditos: Creditos, resultado: response, erro: Problema },
    {
      title: `Eventos${nameOf(response)}`,
      description: 'O que vem em data de cada evento, pelo nome do evento, com "Accept: text/event-stream"',
    },
  )

/** What the description of an endpoint says of its stream, with an example. */
export const explainStream = (
  response: TObject,
  { described: { pieces, leaver, example } }: Pick<Stream<never>, 'described'>,
): string =>
  `**Em partes.** Com \`Accept: text/event-stream\`: ${pieces}; ` +
  'depois `creditos`, com cobrados e restantes, no lugar dos cabeçalhos X-Credits; por último `resultado`, com o mesmo corpo da resposta JSON. ' +
  'Uma falha depois do primeiro evento vem como o evento `erro`, com o problema (RFC 9457). Feche a conexão ao receber `resultado` ou `erro`: ' +
  `reconectar é fazer outra consulta. Quem sai antes paga ${leaver}. ` +
  `O que vem em \`data\` de cada evento está no modelo \`Eventos${nameOf(response)}\`.\n\n` +
  `\`\`\`\n${example}${END}\n\`\`\``

const END =
  'event: creditos\ndata: {"cobrados":17,"restantes":983}\n\nevent: resultado\ndata: {"request_id":"...","results":[...]}'
