import type { Autoridade, Opcoes } from './autoridade.ts'
import { criarCadastros } from './autoridades/cadastro.ts'
import { type Captchas, criarCaptchas } from './captcha/captchas.ts'
import { portais } from './estados.ts'

/**
 * Every authority that the simulator plays: the web services, then the portals of `estados/`. `captchas` is given by who also
 * lets the captchas be solved.
 */
export function criarAutoridades(opcoes: Opcoes & { captchas?: Captchas }): readonly Autoridade[] {
  const { captchas = criarCaptchas(opcoes.agora) } = opcoes
  return [...criarCadastros(opcoes), ...portais.map((portal) => portal.abrir({ ...opcoes, captchas }))]
}
