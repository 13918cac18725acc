import type { Mensagem } from '../autoridades/mensagem.ts'

/** How letters in an image look: how many, of which alphabet, in which format. */
export type Desenho = { letras?: number; alfabeto?: string; formato?: 'png' | 'bmp' }

/** The captcha of one portal, as one request of one session sees it. */
export type CaptchaDoPortal = {
  /** The site key of the page's reCAPTCHA or Turnstile widget; empty for other kinds. */
  chave: string
  /** A new image of letters for this session; its text takes the place of the one before. */
  imagem: (desenho?: Desenho) => Mensagem
  /** A picture of a word, one of a finite set, for this session. */
  palavra: () => Mensagem
  /** Whether that is the text of the session's image: once, within 5 minutes, in any case unless `exato`. */
  conferirTexto: (texto: string, exato?: boolean) => boolean
  /** Whether the token was given for this site key and host: once, within 2 minutes. */
  conferirToken: (token: string) => boolean
  /** A new ALTCHA challenge, as its JSON address answers it. */
  desafio: () => Promise<Mensagem>
  /** Whether the payload solves a challenge of ours: once, before it expires. */
  conferirDesafio: (payload: string) => Promise<boolean>
}
