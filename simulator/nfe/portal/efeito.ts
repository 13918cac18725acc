import type { Efeito } from '../../comportamento.ts'
import type { Cenario } from '../cenarios/cenario.ts'

/** The effects that put another page in the place of one: they show where the key is typed in, all others at the download. */
const DE_PAGINA: readonly Efeito['tipo'][] = ['layout', 'waf', 'sessao-velha', 'fechado', 'captcha']

/** What goes wrong on a page of the portal in a scenario; undefined where the answer is right. */
export function efeitoNa(pagina: string, { portal }: Pick<Cenario, 'portal'>): Efeito | undefined {
  if (portal === 'captcha-recusado') return { tipo: 'captcha', quando: 'recusado' }
  if (typeof portal === 'string') return undefined
  switch (portal.tipo) {
    case 'codigo':
    case 'envelope':
    case 'registra-e-cai':
    case 'documento':
      return undefined
  }
  const onde = DE_PAGINA.includes(portal.tipo) ? 'consultarecaptcha.aspx' : 'downloadnfe.aspx'
  return pagina === onde ? portal : undefined
}
