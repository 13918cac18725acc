import { mix } from '../documento/aleatorio.ts'
import { sementeDe } from '../documento/documento.ts'
import { desenhar } from './captcha-imagem.ts'

/** The words that have a picture. The picture of a word is always the same octets. */
const palavras = [
  'BURITI',
  'RORAIMA',
  'CAIMBE',
  'PACARAIMA',
  'LAVRADO',
  'TEPEQUEM',
  'MACUXI',
  'CAXIRI',
  'DAMURIDA',
  'JENIPAPO',
  'CUPUACU',
  'TAMBAQUI',
] as const

/** A picture and its word. */
export type Quadro = { palavra: string; imagem: Buffer }

let feitos: readonly Quadro[] | undefined

/** All the pictures of words, in order. */
export function quadros(): readonly Quadro[] {
  feitos ??= palavras.map((palavra) => {
    let passo = sementeDe(palavra)
    const sorte = (): number => {
      passo = mix(passo, 1)
      return passo & 0xff
    }
    return { palavra, imagem: desenhar(palavra, 'png', sorte) }
  })
  return feitos
}
