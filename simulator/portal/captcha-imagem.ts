import { crc32, deflateSync } from 'node:zlib'
import { ALTURA, LARGURA, temTinta } from './fonte.ts'

export type Formato = 'png' | 'bmp'

/** A picture in shades of grey, one octet a dot, rows from the top. */
type Retrato = { largura: number; altura: number; pontos: Buffer }

/** Pixels a dot of a letter, and around the text. */
const ESCALA = 3
const MARGEM = 6

/**
 * A real image file of a text (capitals and digits), with dirt on it.
 *
 * @param sorte gives a number from 0 to 255 each time it is called; equal draws make equal files
 */
export function desenhar(texto: string, formato: Formato, sorte: () => number): Buffer {
  const retrato = retratar(texto, sorte)
  return formato === 'png' ? emPng(retrato) : emBmp(retrato)
}

/** The media type of a format. */
export function mediaDe(formato: Formato): string {
  return formato === 'png' ? 'image/png' : 'image/bmp'
}

function retratar(texto: string, sorte: () => number): Retrato {
  const largura = texto.length * (LARGURA + 1) * ESCALA + 2 * MARGEM
  const altura = ALTURA * ESCALA + 2 * MARGEM
  const pontos = Buffer.alloc(largura * altura)
  // Each letter a little higher or lower than its neighbours.
  const desvios = Array.from(texto, () => (sorte() % 7) - 3)
  for (let y = 0; y < altura; y++)
    for (let x = 0; x < largura; x++) {
      const coluna = Math.floor((x - MARGEM) / ESCALA)
      const ordem = Math.floor(coluna / (LARGURA + 1))
      const linha = Math.floor((y - MARGEM - (desvios[ordem] ?? 0)) / ESCALA)
      const tinta = temTinta(texto.charAt(ordem), coluna % (LARGURA + 1), linha)
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
