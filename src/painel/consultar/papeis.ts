import type { FastifyReply } from 'fastify'
import ical from 'ical-generator'
import { dataBrasileira, diaDe } from '../../documento/dia.ts'
import { ApiError } from '../../platform/errors.ts'
import type { ValidadeDaResposta } from '../../platform/pages/apresentacao.ts'
import { type Content, type Html, html, url } from '../../platform/pages/html.ts'
import { openSelo } from '../../platform/secrets.ts'
import { NO_CORPO } from './respondida.ts'

/** A file of an answer: a certificate, a note, its last day for a calendar, or all states as a table. */
export type ArquivoDaResposta = {
  tipo: keyof typeof TIPOS
  /** With its extension. */
  nome: string
  conteudo: Buffer
}

const TIPOS = {
  pdf: 'application/pdf',
  xml: 'application/xml; charset=utf-8',
  ics: 'text/calendar; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
} as const

/** A document, should a browser read it as a page, runs nothing and loads nothing. */
const POLITICA_DO_PAPEL =
  "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'"

export const sendArquivo = (reply: FastifyReply, { tipo, nome, conteudo }: ArquivoDaResposta): FastifyReply =>
  reply
    .headers({
      'content-type': TIPOS[tipo],
      'content-disposition': `attachment; filename="${nome}"`,
      'content-security-policy': POLITICA_DO_PAPEL,
      'cache-control': 'no-store',
    })
    .send(conteudo)

/** How a page hands out a file: by a link to a kept answer, or by a form that sends the file back. */
export type EntregaDoArquivo = (
  arquivo: { tipo: ArquivoDaResposta['tipo']; parte: string; nome: string; read: () => Buffer },
  button: { rotulo: Content; classe: string },
) => Content

/**
 * A link below the address of a kept answer, without the attribute `download`: where the answer is gone, its
 * page says so. `parte` is '' or the state whose file it is.
 */
export const linkDoArquivo = (
  base: string,
  { tipo, parte }: { tipo: ArquivoDaResposta['tipo']; parte: string },
  { rotulo, classe }: { rotulo: Content; classe: string },
): Html =>
  html`<a class="${classe}" href="${url(`${base}${NOMES[tipo]}${parte && `-${parte}`}.${tipo}`)}">${rotulo}</a>`

const NOMES = { pdf: 'certidao', xml: 'nota', ics: 'agenda', csv: 'estados' } as const

const findTipo = (text: string | undefined): ArquivoDaResposta['tipo'] | undefined =>
  (['pdf', 'xml', 'ics', 'csv'] as const).find((one) => one === text)

/** Reads the last part of such an address. */
export function readArquivo(text: string): { tipo: ArquivoDaResposta['tipo']; parte: string } | undefined {
  const [, nome, , parte = '', extensao] =
    /^(certidao|nota|agenda|estados)(-([A-Z]{2}))?\.(pdf|xml|ics|csv)$/.exec(text) ?? []
  const tipo = findTipo(extensao)
  return tipo && NOMES[tipo] === nome ? { tipo, parte } : undefined
}

/** The most octets of a file that a page hands back: what is too large to be kept is still handed out. */
const MAIOR_PAPEL = 8 * 1024 * 1024

/** What a form with a file weighs: four characters for three octets, and what stands around it. */
export const MAIOR_FORMULARIO_DE_PAPEL = Math.ceil((MAIOR_PAPEL * 4) / 3) + 16 * 1024

/** The files of an answer that is not kept: its page holds them sealed, and sends them back to be opened. */
export type Papeis = {
  drawForm: (
    arquivo: ArquivoDaResposta,
    button: { rotulo: Content; classe: string },
    quem: { dono: string; campoCsrf: Content },
  ) => Content
  /** Opens a file that was sealed for the same owner. Throws REQUISICAO_INVALIDA. */
  open: (enviado: Record<'tipo' | 'nome' | 'papel', string>, dono: string) => ArquivoDaResposta
}

/** Opens the seal of the files. `endereco` is where pages send them; an owner is a login. */
export function openPapeis(secret: string, endereco: string): Papeis {
  const selo = openSelo(secret, 'pages: files of answers')
  return {
    drawForm: ({ tipo, nome, conteudo }, { rotulo, classe }, { dono, campoCsrf }) => {
      // What was cut for the keeping is no file.
      if (conteudo.length < NO_CORPO || conteudo.length > MAIOR_PAPEL) return undefined
      const selado = selo.seal(conteudo, aadDe(tipo, nome, dono))
      const hidden = html`${campoCsrf}<input type="hidden" name="tipo" value="${tipo}"/><input type="hidden" name="nome" value="${nome}"/><input type="hidden" name="papel" value="${selado}"/>`
      const button = html`<button class="${classe}" type="submit">${rotulo}</button>`
      return html`<form class="papel" method="post" action="${url(endereco)}">${hidden}${button}</form>`
    },
    open: ({ tipo: given, nome, papel }, dono) => {
      const tipo = findTipo(given)
      const conteudo = tipo && selo.open(papel, aadDe(tipo, nome, dono))
      if (!tipo || !conteudo) throw semPapel
      return { tipo, nome, conteudo }
    },
  }
}

const aadDe = (tipo: string, nome: string, dono: string): string => [tipo, nome, dono].join(' ')

const semPapel = new ApiError(
  'REQUISICAO_INVALIDA',
  'O arquivo não veio de uma página desta sessão. Faça a consulta de novo: a resposta guardada pode custar outra vez.',
)

/** Days before the last one on which a calendar warns: a new certificate may take some. */
const AVISO_S = 7 * 86_400

/** The last day as a calendar takes it, with a warning a week before. `pagina`: that of a kept answer. */
export function writeAgenda(
  { dia, titulo }: ValidadeDaResposta,
  { uid, agora, pagina }: { uid: string; agora: Date; pagina?: string },
): Buffer {
  const calendar = ical({ prodId: { company: 'Consulta Fiscal', product: 'Certidões', language: 'PT-BR' } })
  const event = calendar.createEvent({
    id: uid,
    stamp: agora,
    start: new Date(`${dia}T00:00:00Z`),
    allDay: true,
    summary: titulo,
    description: `Último dia em que a certidão vale. Conferida em ${dataBrasileira(diaDe(agora.getTime()))}.${pagina ? ` A consulta: ${pagina}` : ''}`,
    ...(pagina && { url: pagina }),
  })
  event.createAlarm({ type: 'display', trigger: AVISO_S, description: titulo } as never)
  return Buffer.from(calendar.toString())
}
