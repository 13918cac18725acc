import type { IncomingHttpHeaders } from 'node:http'
import type { Meios } from '../../src/portal/estado.ts'
import { type Inscricao, inscricaoVazia } from '../../src/portal/rules-inscricao.ts'
import { startStandIn } from './stand-in.ts'

/**
 * One answer of a portal: a page in ISO-8859-1, a file, a redirect, or a text in UTF-8 with the type that it
 * names.
 */
export type Fala =
  | string
  | Buffer
  | { para: string }
  | { utf8: string; media: string; status?: number; espera?: string }

/** A request that reached the portal. */
export type Visto = {
  pedido: string
  campos: Record<string, string>
  cabecalhos: IncomingHttpHeaders
}

/** A portal that says its lines in order, whatever the question, and the means to ask it. */
export type Palco = {
  /** Sets the lines of the next visit. Earlier requests are forgotten. */
  falas: (...falas: readonly Fala[]) => void
  vistos: Visto[]
  /** The challenges that the solver got: the kind, and the key and page of a widget. */
  desafios: string[]
  meios: Meios
  close: () => Promise<void>
}

const PNG = Buffer.from('iVBORw0KGgo=', 'base64')

/** The line that is an image. */
export const imagem: Fala = PNG

export async function startPalco(...hosts: readonly string[]): Promise<Palco> {
  const vistos: Visto[] = []
  const desafios: string[] = []
  let resto: Fala[] = []
  const house = await startStandIn([
    {
      nome: 'portal em cena',
      hosts,
      asksCertificado: false,
      answer: ({ metodo, host, caminho, consulta, corpo, cabecalhos }, reply) => {
        const query = consulta.size > 0 ? `?${consulta}` : ''
        const campos = Object.fromEntries(new URLSearchParams(corpo.toString('latin1')))
        vistos.push({ pedido: `${metodo} ${host}${caminho}${query}`, campos, cabecalhos })
        const fala = resto.shift() ?? '<p>nada mais a dizer</p>'
        if (typeof fala === 'string')
          reply
            .writeHead(200, {
              'content-type': 'text/html; charset=ISO-8859-1',
              'set-cookie': 'JSESSIONID=1; Path=/',
            })
            .end(Buffer.from(fala, 'latin1'))
        else if (Buffer.isBuffer(fala)) reply.writeHead(200, { 'content-type': mediaOf(fala) }).end(fala)
        else if ('para' in fala) reply.writeHead(302, { location: fala.para }).end()
        else {
          const { status = 200, media, espera, utf8 } = fala
          const retry = espera !== undefined && { 'retry-after': espera }
          reply.writeHead(status, { 'content-type': media, ...retry }).end(utf8)
        }
      },
    },
  ])
  const meios: Meios = {
    http: house.http,
    certificado: undefined,
    ambiente: 'producao',
    captcha: {
      takes: () => true,
      solve: async (desafio) => {
        desafios.push(
          'siteKey' in desafio ? `${desafio.tipo} ${desafio.siteKey} ${desafio.pagina}` : desafio.tipo,
        )
        return `resposta ${desafios.length}`
      },
    },
    now: () => new Date('2026-11-21T12:00:00Z'),
    deadlineMs: 10_000,
  }
  return {
    vistos,
    desafios,
    meios,
    falas: (...falas) => {
      resto = [...falas]
      vistos.length = 0
      desafios.length = 0
    },
    close: house.close,
  }
}

const mediaOf = (file: Buffer): string => (file.equals(PNG) ? 'image/png' : 'application/octet-stream')

/** A registration from the lookup, with the fields that certificates look at. */
export const inscricaoDeTeste = (inscricao_estadual: string, situacao_ie = 'ATIVA'): Inscricao => ({
  ...inscricaoVazia,
  inscricao_estadual,
  situacao_ie,
  razao_social: 'EMPRESA DE TESTE LTDA',
})
