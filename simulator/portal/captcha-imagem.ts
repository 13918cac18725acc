import { createHash, randomBytes, randomInt } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { mix } from '../documento/aleatorio.ts'
import { sementeDe } from '../documento/documento.ts'

const ALTURA = 7
const LARGURA = 5

/** The 5 by 7 dots of character displays: a column is two hexadecimal digits, the lowest bit on top. */
const COLUNAS =
  '03E5149453E 100427F4000 24261514946 32141454B31 41814127F10 52745454539 63C4A494930 70171090503 83649494936 9064949291E A7E1111117E B7F49494936 C3E41414122 D7F4141221C E7F49494941 F7F09090901 G3E4149497A H7F0808087F I00417F4100 J2040413F01 K7F08142241 L7F40404040 M7F020C027F N7F0408107F O3E4141413E P7F09090906 Q3E4151215E R7F09192946 S4649494931 T01017F0101 U3F4040403F V1F2040201F W3F4038403F X6314081463 Y0708700807 Z6151494543'

const letras = new Map(
  COLUNAS.split(' ').map((uma) => [uma.charAt(0), Buffer.from(uma.slice(1), 'hex')] as const),
)

/** Whether a dot of a letter (capital or digit) is inked, `x` from its left and `y` from its top. */
const hasTinta = (letra: string, x: number, y: number): boolean =>
  (((letras.get(letra)?.[x] ?? 0) >> y) & 1) === 1

type Formato = 'png' | 'bmp'

type Retrato = { largura: number; altura: number; pontos: Buffer }

const ESCALA = 3
const MARGEM = 6

/** A real image file of a text with dirt on it. Equal draws of `sorte` (0 to 255) make equal files. */
function draw(texto: string, formato: Formato, sorte: () => number): Buffer {
  const retrato = drawRetrato(texto, sorte)
  return formato === 'png' ? emPng(retrato) : emBmp(retrato)
}

const mediaDe = (formato: Formato): string => (formato === 'png' ? 'image/png' : 'image/bmp')

function drawRetrato(texto: string, sorte: () => number): Retrato {
  const largura = texto.length * (LARGURA + 1) * ESCALA + 2 * MARGEM
  const altura = ALTURA * ESCALA + 2 * MARGEM
  const pontos = Buffer.alloc(largura * altura)
  const desvios = Array.from(texto, () => (sorte() % 7) - 3)
  for (let y = 0; y < altura; y++)
    for (let x = 0; x < largura; x++) {
      const coluna = Math.floor((x - MARGEM) / ESCALA)
      const ordem = Math.floor(coluna / (LARGURA + 1))
      const linha = Math.floor((y - MARGEM - (desvios[ordem] ?? 0)) / ESCALA)
      const tinta = hasTinta(texto.charAt(ordem), coluna % (LARGURA + 1), linha)
      const sujeira = sorte()
      pontos[y * largura + x] = tinta !== sujeira < 8 ? sujeira % 80 : 255 - (sujeira % 60)
    }
  return { largura, altura, pontos }
}

/** PNG, 8 bits of grey, one IDAT (W3C PNG, third edition). */
function emPng({ largura, altura, pontos }: Retrato): Buffer {
  const cabecalho = Buffer.alloc(13)
  cabecalho.writeUInt32BE(largura, 0)
  cabecalho.writeUInt32BE(altura, 4)
  cabecalho.writeUInt8(8, 8)
  const linhas = Buffer.alloc(altura * (largura + 1))
  for (let y = 0; y < altura; y++) pontos.copy(linhas, y * (largura + 1) + 1, y * largura, (y + 1) * largura)
  return Buffer.concat([
    Buffer.from('89504E470D0A1A0A', 'hex'),
    bloco('IHDR', cabecalho),
    bloco('IDAT', deflateSync(linhas, { level: 1 })),
    bloco('IEND', Buffer.alloc(0)),
  ])
}

function bloco(tipo: string, dados: Buffer): Buffer {
  const corpo = Buffer.concat([Buffer.from(tipo), dados])
  const [tamanho, soma] = [Buffer.alloc(4), Buffer.alloc(4)]
  tamanho.writeUInt32BE(dados.length)
  soma.writeUInt32BE(crc32(corpo))
  return Buffer.concat([tamanho, corpo, soma])
}

/** BMP, 24 bits, rows from the bottom, each a multiple of four octets (BITMAPINFOHEADER). */
function emBmp({ largura, altura, pontos }: Retrato): Buffer {
  const passo = Math.ceil((largura * 3) / 4) * 4
  const arquivo = Buffer.alloc(54 + passo * altura)
  arquivo.write('BM')
  arquivo.writeUInt32LE(arquivo.length, 2)
  arquivo.writeUInt32LE(54, 10)
  arquivo.writeUInt32LE(40, 14)
  arquivo.writeInt32LE(largura, 18)
  arquivo.writeInt32LE(altura, 22)
  arquivo.writeUInt16LE(1, 26)
  arquivo.writeUInt16LE(24, 28)
  for (let y = 0; y < altura; y++)
    for (let x = 0; x < largura; x++) {
      const onde = 54 + (altura - 1 - y) * passo + x * 3
      arquivo.fill(pontos[y * largura + x] ?? 255, onde, onde + 3)
    }
  return arquivo
}

/** The words that have a picture. The picture of a word is always the same octets. */
const palavras =
  'BURITI RORAIMA CAIMBE PACARAIMA LAVRADO TEPEQUEM MACUXI CAXIRI DAMURIDA JENIPAPO CUPUACU TAMBAQUI'.split(
    ' ',
  )

export type Quadro = { palavra: string; imagem: Buffer }

let feitos: readonly Quadro[] | undefined

export function quadros(): readonly Quadro[] {
  feitos ??= palavras.map((palavra) => {
    let passo = sementeDe(palavra)
    const sorte = (): number => {
      passo = mix(passo, 1)
      return passo & 0xff
    }
    return { palavra, imagem: draw(palavra, 'png', sorte) }
  })
  return feitos
}

export type Desenho = { letras?: number; alfabeto?: string; formato?: Formato }

export type Imagem = { media: string; octetos: Buffer }

/** The images that wait for their text, and the office's memory of the texts that it drew. */
export type Textos = {
  /** A new image for a session of a portal. The one before is no longer valid. */
  imagem: (quem: string, desenho?: Desenho) => Imagem
  palavra: (quem: string) => Imagem
  /** Whether it is the text of the image that he was shown last. Right or wrong, that image is done with. */
  check: (quem: string, texto: string, exato: boolean) => boolean
  /** The text of an image drawn here; undefined for others, and for those that were drawn too long ago. */
  recognize: (octetos: Buffer) => string | undefined
}

/** Without the pairs that people take for one another. */
const ALFABETO = 'ABCDEFGHJKLMNPRSTUVWXYZ23456789'
/** Milliseconds that an image is good for, and how many images wait or are remembered. */
const PRAZO = 5 * 60_000
const MAXIMO = 10_000

export function createTextos(agora: () => Date): Textos {
  const esperados = new LRUCache<string, { texto: string; ate: number }>({ max: MAXIMO })
  const desenhados = new LRUCache<string, string>({ max: MAXIMO })
  const show = (quem: string, texto: string, imagem: Imagem): Imagem => {
    esperados.set(quem, { texto, ate: agora().getTime() + PRAZO })
    desenhados.set(impressao(imagem.octetos), texto)
    return imagem
  }
  return {
    imagem: (quem, { letras = 5, alfabeto = ALFABETO, formato = 'png' } = {}) => {
      const texto = Array.from({ length: letras }, () => alfabeto.charAt(randomInt(alfabeto.length))).join('')
      const octetos = draw(texto.toUpperCase(), formato, pick())
      return show(quem, texto, { media: mediaDe(formato), octetos })
    },
    palavra: (quem) => {
      const quadro = quadros()[randomInt(quadros().length)]
      if (!quadro) throw new Error('O simulador não tem figuras de palavras.')
      return show(quem, quadro.palavra, { media: 'image/png', octetos: quadro.imagem })
    },
    check: (quem, texto, exato) => {
      const esperado = esperados.get(quem)
      esperados.delete(quem)
      if (!esperado || esperado.ate < agora().getTime()) return false
      return exato ? texto === esperado.texto : texto.toUpperCase() === esperado.texto.toUpperCase()
    },
    recognize: (octetos) => {
      const hash = impressao(octetos)
      return desenhados.get(hash) ?? quadros().find(({ imagem }) => impressao(imagem) === hash)?.palavra
    },
  }
}

const impressao = (octetos: Buffer): string => createHash('sha256').update(octetos).digest('base64')

/** Luck out of one block of random octets, gone through again and again. */
function pick(): () => number {
  const bloco = randomBytes(1021)
  let usados = 0
  return () => bloco[usados++ % bloco.length] ?? 0
}
