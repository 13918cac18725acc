import type { FastifyReply } from 'fastify'
import { ApiError } from '../platform/errors.ts'
import { openSelo } from '../platform/secrets.ts'
import { lista, membro, texto } from './experimentar/consulta.ts'
import { MAIOR_PAPEL, type Papel } from './experimentar/por-estado.ts'

/** What a file is told to be, and that a browser may do nothing else with it. */
const TIPOS = {
  pdf: { type: 'application/pdf', disposition: 'inline' },
  xml: { type: 'application/xml; charset=utf-8', disposition: 'attachment' },
} as const

/** A document, should a browser read it as a page, runs nothing and loads nothing. */
const POLITICA_DO_PAPEL =
  "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'"

/** The files of answers, which the pages hand back sealed: the service keeps none of them. */
export type Papeis = {
  /** The files of an answer: of a certificate or a note under ''; of each state under its UF. */
  lacrar: (corpo: unknown, dono: string) => ReadonlyMap<string, Papel>
  /** The file of one state's entry. */
  lacrarUm: (entrada: unknown, dono: string) => Papel | undefined
  /** Answers with a file that was sealed for the same owner. Throws REQUISICAO_INVALIDA. */
  abrir: (
    reply: FastifyReply,
    enviado: Record<'tipo' | 'nome' | 'papel', string>,
    dono: string,
  ) => FastifyReply
}

/** Opens the seal of the files. `endereco` is where pages send them; an owner is a login. */
export function openPapeis(secret: string, endereco: string): Papeis {
  const selo = openSelo(secret, 'pages: files of answers')
  const lacrar = (tipo: Papel['tipo'], nome: string, bytes: Buffer, dono: string): Papel | undefined =>
    bytes.length === 0 || bytes.length > MAIOR_PAPEL
      ? undefined
      : { tipo, nome, endereco, selado: selo.seal(bytes, aadDe(tipo, nome, dono)) }

  function lacrarUm(entrada: unknown, dono: string): Papel | undefined {
    const certidao = membro(entrada, 'result')
    const base64 = texto(membro(certidao, 'pdf_base64')) || texto(membro(certidao, 'impressao_base64'))
    const uf = texto(membro(entrada, 'uf')).toLowerCase()
    const documento = texto(membro(entrada, 'document'))
    const nome = ['certidao', uf, documento].filter((one) => /^\w+$/.test(one)).join('-')
    return lacrar('pdf', nome, Buffer.from(base64, 'base64'), dono)
  }

  function deNota(corpo: unknown, dono: string): Papel | undefined {
    const [nota] = lista(membro(corpo, 'resultados'))
    const xml = texto(membro(nota, 'xml'))
    const chave = texto(membro(nota, 'chave'))
    return lacrar('xml', /^\w+$/.test(chave) ? `nfe-${chave}` : 'nfe', Buffer.from(xml), dono)
  }

  return {
    lacrarUm,
    lacrar: (corpo, dono) => {
      const entradas = [
        corpo,
        ...lista(membro(corpo, 'results')),
        ...lista(membro(membro(corpo, 'cnd_estaduais'), 'results')),
      ]
      const found = entradas.map(
        (one) => [one === corpo ? '' : texto(membro(one, 'uf')), lacrarUm(one, dono)] as const,
      )
      const all = [...found, ['', deNota(corpo, dono)] as const]
      return new Map(all.flatMap(([uf, papel]) => (papel ? [[uf, papel]] : [])))
    },
    abrir: (reply, { tipo, nome, papel }, dono) => {
      if (tipo !== 'pdf' && tipo !== 'xml') throw semPapel
      const bytes = selo.open(papel, aadDe(tipo, nome, dono))
      if (!bytes) throw semPapel
      const { type, disposition } = TIPOS[tipo]
      return reply
        .headers({
          'content-type': type,
          'content-disposition': `${disposition}; filename="${nome}.${tipo}"`,
          'content-security-policy': POLITICA_DO_PAPEL,
          'cache-control': 'no-store',
        })
        .send(bytes)
    },
  }
}

const aadDe = (tipo: string, nome: string, dono: string): string => [tipo, nome, dono].join(' ')

const semPapel = new ApiError(
  'REQUISICAO_INVALIDA',
  'O arquivo não veio de uma página desta sessão. Faça a consulta de novo: a resposta guardada pode custar outra vez.',
)
