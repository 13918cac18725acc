import type { Config } from './config/settings.ts'
import { type Correio, openCorreio } from './correio.ts'
import { StartError } from './start-error.ts'

/**
 * The mail server of the settings; undefined where there is none. Throws StartError where letters are needed
 * and cannot be sent, or would have no address to lead to.
 */
export function correioDe({
  AUTHORITIES,
  CADASTRO,
  SMTP_URL,
  SMTP_FROM,
  PUBLIC_URL,
}: Pick<Config, 'AUTHORITIES' | 'CADASTRO' | 'SMTP_URL' | 'SMTP_FROM' | 'PUBLIC_URL'>): Correio | undefined {
  const isOpen = AUTHORITIES === 'live' && CADASTRO === 'aberto'
  if (SMTP_URL === undefined) {
    if (isOpen)
      throw new StartError(
        'Com o cadastro aberto no modo live, as contas só recebem créditos depois de confirmarem o e-mail. Defina SMTP_URL e PUBLIC_URL, ou CADASTRO=convite.',
      )
    return undefined
  }
  if (PUBLIC_URL === undefined)
    throw new StartError(
      'As cartas levam endereços deste serviço. Defina PUBLIC_URL, como https://fiscal.exemplo.com.br, ou tire SMTP_URL.',
    )
  return openCorreio({ url: SMTP_URL, de: SMTP_FROM })
}
