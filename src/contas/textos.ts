import type { Carta } from '../platform/correio.ts'

/** A letter as paragraphs. One of them may be an address to follow, on a line of its own. */
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

/** Writes a letter of a kind. `link` is an address of ours, and `para` a normal e-mail. */
export function escreverCarta(
  tipo: keyof typeof corpos,
  { para, link }: { para: string; link: string },
): Carta {
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
