import { type Static, Type } from 'typebox'
import { Check } from 'typebox/schema'
import type { Carta } from '../platform/correio.ts'
import { JobsFull } from '../platform/jobs/jobs.ts'
import type { JobKind } from '../platform/jobs/kind.ts'
import { openSelo } from '../platform/secrets.ts'
import type { ContasRoom } from './contas.ts'
import { type Aguarde, FILA_S } from './store-tentativas.ts'

/** What a letter is about. It holds what must not be read in the database. */
const MotivoDaCarta = Type.Union([
  Type.Object({
    tipo: Type.Literal('cadastro'),
    nome: Type.String(),
    email: Type.String(),
    senha_hash: Type.String(),
    convite: Type.String(),
  }),
  /** Somebody asked for a new password. Nobody knows yet whether the e-mail has an account. */
  Type.Object({ tipo: Type.Literal('redefinir'), email: Type.String() }),
  Type.Object({ tipo: Type.Literal('confirmar'), conta_id: Type.String() }),
  /** The password was changed at an instant, ISO 8601 UTC. */
  Type.Object({ tipo: Type.Literal('senha-trocada'), conta_id: Type.String(), quando: Type.String() }),
])

export type MotivoDaCarta = Static<typeof MotivoDaCarta>

const payload = Type.Object({ chave: Type.String(), selado: Type.String() })

export const sendCarta: JobKind<typeof payload> = { kind: 'enviar-carta', payload, key: ({ chave }) => chave }

const MOST = { open: 2_000, own: 2_000 }

const selo = (secret: string) => openSelo(secret, 'cartas')

/** One letter about the same that still waits serves for both. `carta` is false without SMTP_URL. */
export async function askCarta(
  { config, secret, jobs }: Pick<ContasRoom, 'config' | 'secret' | 'jobs'>,
  motivo: MotivoDaCarta,
): Promise<{ carta: boolean } | Aguarde> {
  if (config.SMTP_URL === undefined) return { carta: false }
  const text = JSON.stringify(motivo)
  const { seal, mac } = selo(secret)
  const chave = mac(text)
  try {
    await jobs.enqueue(sendCarta, { chave, selado: seal(text, chave) }, { most: MOST })
    return { carta: true }
  } catch (error) {
    if (error instanceof JobsFull) return { esperaS: FILA_S }
    throw error
  }
}

/** What a letter is about; undefined if it was asked for under another secret. */
export function openMotivo(
  secret: string,
  { chave, selado }: Static<typeof payload>,
): MotivoDaCarta | undefined {
  const text = selo(secret).open(selado, chave)
  const motivo: unknown = text && JSON.parse(text.toString())
  return Check(MotivoDaCarta, motivo) ? motivo : undefined
}

type Corpo = { assunto: string; paragrafos: readonly (string | { link: string; rotulo: string })[] }

const NAO_FUI_EU =
  'Se não foi você, ignore esta mensagem: sem o endereço acima nada acontece, e ninguém mais o recebeu.'

/** No letter has what a stranger typed, but for the address that it goes to. */
const corpos = {
  confirmar: (link: string): Corpo => ({
    assunto: 'Confirme o seu e-mail',
    paragrafos: [
      'Este e-mail foi usado para criar uma conta no Consulta Fiscal. Para abrir a conta, confirme-o em até 24 horas:',
      { link, rotulo: 'Confirmar o e-mail' },
      NAO_FUI_EU,
    ],
  }),
  'confirmar-conta': (link: string): Corpo => ({
    assunto: 'Confirme o seu e-mail',
    paragrafos: [
      'Para confirmar que este e-mail é o da sua conta no Consulta Fiscal, abra em até 24 horas:',
      { link, rotulo: 'Confirmar o e-mail' },
      NAO_FUI_EU,
    ],
  }),
  'ja-tem-conta': (link: string): Corpo => ({
    assunto: 'Você já tem uma conta',
    paragrafos: [
      'Alguém tentou criar uma conta no Consulta Fiscal com este e-mail, que já tem uma. Nada mudou nela.',
      'Se foi você, entre com a senha de sempre. Se não se lembra dela, escolha outra:',
      { link, rotulo: 'Escolher outra senha' },
      'Se não foi você, ignore esta mensagem.',
    ],
  }),
  redefinir: (link: string): Corpo => ({
    assunto: 'Escolha uma senha nova',
    paragrafos: [
      'Alguém pediu uma senha nova para a sua conta no Consulta Fiscal. Para escolhê-la, abra em até 2 horas:',
      { link, rotulo: 'Escolher a senha' },
      'O endereço vale uma vez, e a senha de agora vale até lá.',
      NAO_FUI_EU,
    ],
  }),
  'senha-trocada': (link: string): Corpo => ({
    assunto: 'A sua senha foi trocada',
    paragrafos: [
      'A senha da sua conta no Consulta Fiscal foi trocada, e os outros acessos foram encerrados. A chave de API continua a mesma.',
      'Se não foi você, escolha outra senha agora, e depois gere outra chave em Configurações:',
      { link, rotulo: 'Escolher outra senha' },
    ],
  }),
} as const satisfies Record<string, (link: string) => Corpo>

export function writeCarta(tipo: keyof typeof corpos, { para, link }: { para: string; link: string }): Carta {
  const { assunto, paragrafos } = corpos[tipo](link)
  const lines = paragrafos.map((each) => (typeof each === 'string' ? each : each.link))
  const marked = paragrafos.map((each) =>
    typeof each === 'string'
      ? `<p>${escaped(each)}</p>`
      : `<p><a href="${escaped(each.link)}">${escaped(each.rotulo)}</a><br>${escaped(each.link)}</p>`,
  )
  const html = `<!doctype html><html lang="pt-BR"><head><meta charset="utf-8"><title>${escaped(assunto)}</title></head><body>${marked.join('')}<p>Consulta Fiscal</p></body></html>`
  return {
    para,
    assunto: `${assunto} · Consulta Fiscal`,
    texto: `${lines.join('\n\n')}\n\nConsulta Fiscal\n`,
    html,
  }
}

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => signs[sign] ?? sign)
