import { createHash, randomBytes, randomInt } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { desenhar, type Formato, mediaDe } from './captcha-imagem.ts'
import { quadros } from './palavras.ts'

/** The letters of an image: how many, their alphabet, and the image's format. */
export type Desenho = { letras?: number; alfabeto?: string; formato?: Formato }

/** An image as it goes to the wire. */
export type Imagem = { media: string; octetos: Buffer }

/** The images that wait for their text, and the office's memory of the texts that it drew. */
export type Textos = {
  /** A new image for a session of a portal. The one before is no longer valid. */
  imagem: (quem: string, desenho?: Desenho) => Imagem
  /** One of the pictures of words. */
  palavra: (quem: string) => Imagem
  /** Whether it is the text of the image that he was shown last. Right or wrong, that image is done with. */
  conferir: (quem: string, texto: string, exato: boolean) => boolean
  /**
   * The text of an image drawn here. Undefined for other images, and for those that were drawn too long ago.
   */
  reconhecer: (octetos: Buffer) => string | undefined
}

/** Without the pairs that people take for one another. */
const ALFABETO = 'ABCDEFGHJKLMNPRSTUVWXYZ23456789'
/** Milliseconds that an image is good for, and how many images wait or are remembered. */
const PRAZO = 5 * 60_000
const MAXIMO = 10_000

/** The office of image captchas, by the simulator's clock. */
export function criarTextos(agora: () => Date): Textos {
  const esperados = new LRUCache<string, { texto: string; ate: number }>({ max: MAXIMO })
  const desenhados = new LRUCache<string, string>({ max: MAXIMO })
  const mostrar = (quem: string, texto: string, imagem: Imagem): Imagem => {
    esperados.set(quem, { texto, ate: agora().getTime() + PRAZO })
    desenhados.set(impressao(imagem.octetos), texto)
    return imagem
  }
  return {
    imagem: (quem, { letras = 5, alfabeto = ALFABETO, formato = 'png' } = {}) => {
      const texto = Array.from({ length: letras }, () => alfabeto.charAt(randomInt(alfabeto.length))).join('')
      const octetos = desenhar(texto.toUpperCase(), formato, sortear())
      return mostrar(quem, texto, { media: mediaDe(formato), octetos })
    },
    palavra: (quem) => {
      const quadro = quadros()[randomInt(quadros().length)]
      if (!quadro) throw new Error('O simulador não tem figuras de palavras.')
      return mostrar(quem, quadro.palavra, { media: 'image/png', octetos: quadro.imagem })
    },
    conferir: (quem, texto, exato) => {
      const esperado = esperados.get(quem)
      esperados.delete(quem)
      if (!esperado || esperado.ate < agora().getTime()) return false
      return exato ? texto === esperado.texto : texto.toUpperCase() === esperado.texto.toUpperCase()
    },
    reconhecer: (octetos) => {
      const hash = impressao(octetos)
      return desenhados.get(hash) ?? quadros().find(({ imagem }) => impressao(imagem) === hash)?.palavra
    },
  }
}

function impressao(octetos: Buffer): string {
  return createHash('sha256').update(octetos).digest('base64')
}

/** Luck out of one block of random octets, gone through again and again. */
function sortear(): () => number {
  const bloco = randomBytes(1021)
  let usados = 0
  return () => bloco[usados++ % bloco.length] ?? 0
}
