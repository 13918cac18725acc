/** One DER value (X.690, 8.1 and 10.1). `tag` has constructed bit and class: 0x30 is SEQUENCE. */
export function der(tag: number, ...conteudo: readonly Uint8Array[]): Buffer {
  const corpo = Buffer.concat(conteudo)
  return Buffer.concat([Buffer.from([tag]), comprimento(corpo.length), corpo])
}

function comprimento(tamanho: number): Buffer {
  if (tamanho < 0x80) return Buffer.from([tamanho])
  const octetos = semZerosAEsquerda(tamanho)
  return Buffer.concat([Buffer.from([0x80 | octetos.length]), octetos])
}

function semZerosAEsquerda(numero: number): Buffer {
  const hex = numero.toString(16)
  return Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex')
}

export const sequencia = (...valores: readonly Uint8Array[]): Buffer => der(0x30, ...valores)

/** SET OF, its members in the order that DER wants (X.690, 11.6). */
export const conjunto = (...valores: readonly Uint8Array[]): Buffer =>
  der(0x31, ...valores.toSorted((a, b) => Buffer.compare(a, b)))

/** Context-specific [n], constructed: EXPLICIT around one value, or IMPLICIT for a SEQUENCE's tag. */
export const explicito = (n: number, ...valores: readonly Uint8Array[]): Buffer => der(0xa0 | n, ...valores)

/** Context-specific [n], primitive: IMPLICIT in the place of a string's tag. */
export const implicito = (n: number, conteudo: Uint8Array): Buffer => der(0x80 | n, conteudo)

/** INTEGER, not negative: a number, or its octets, most significant first. */
export function inteiro(valor: number | Uint8Array): Buffer {
  const octetos = typeof valor === 'number' ? semZerosAEsquerda(valor) : Buffer.from(valor)
  return (octetos[0] ?? 0) & 0x80 ? der(0x02, Buffer.from([0]), octetos) : der(0x02, octetos)
}

/** OBJECT IDENTIFIER, from its dotted form. */
export function oid(pontos: string): Buffer {
  const [primeiro = 0, segundo = 0, ...resto] = pontos.split('.').map(Number)
  return der(0x06, Buffer.from([primeiro * 40 + segundo, ...resto].flatMap(base128)))
}

function base128(arco: number): number[] {
  const septetos = [arco % 128]
  for (let resto = Math.floor(arco / 128); resto > 0; resto = Math.floor(resto / 128))
    septetos.unshift((resto % 128) | 0x80)
  return septetos
}

export const booleano = (valor: boolean): Buffer => der(0x01, Buffer.from([valor ? 0xff : 0]))
export const nulo = (): Buffer => der(0x05)
export const octetos = (conteudo: Uint8Array): Buffer => der(0x04, conteudo)

/** BIT STRING; `sobra` is how many bits of the last octet do not count. */
export const bits = (conteudo: Uint8Array, sobra = 0): Buffer => der(0x03, Buffer.from([sobra]), conteudo)

export const utf8 = (texto: string): Buffer => der(0x0c, Buffer.from(texto, 'utf8'))
/** PrintableString; its letters are the caller's care. */
export const imprimivel = (texto: string): Buffer => der(0x13, Buffer.from(texto, 'latin1'))

/** BMPString: UTF-16, big-endian, without a terminator. */
export const bmp = (texto: string): Buffer => der(0x1e, Buffer.from(texto, 'utf16le').swap16())

/** UTCTime until 2049, GeneralizedTime from 2050 on (RFC 5280, 4.1.2.5). */
export function instante(data: Date): Buffer {
  const digitos = `${data.toISOString().replace(/\.\d+Z$|\D/g, '')}Z`
  return data.getUTCFullYear() < 2050
    ? der(0x17, Buffer.from(digitos.slice(2)))
    : der(0x18, Buffer.from(digitos))
}

type Valor = { tag: number; conteudo: Buffer }

/** 2.5.29.17, SubjectAltName, in DER. */
const NOMES_ALTERNATIVOS = Buffer.from('0603551d11', 'hex')

/**
 * The otherName entries of a certificate's SubjectAltName: node:crypto shows them as
 * "othername:<unsupported>".
 */
export function readOutrosNomes(certificado: Buffer): Map<string, string> {
  const nomes = new Map<string, string>()
  const extensoes = filhos(filhos(filhos(certificado)[0])[0]).find(({ tag }) => tag === 0xa3)
  for (const extensao of filhos(filhos(extensoes)[0])) {
    if (!extensao.conteudo.subarray(0, NOMES_ALTERNATIVOS.length).equals(NOMES_ALTERNATIVOS)) continue
    const valor = filhos(extensao).at(-1)
    for (const nome of filhos(filhos(valor)[0])) {
      const [identificador, envelope] = nome.tag === 0xa0 ? filhos(nome) : []
      const texto = filhos(envelope)[0]
      if (identificador && texto) nomes.set(pontos(identificador.conteudo), texto.conteudo.toString('latin1'))
    }
  }
  return nomes
}

/** The values inside a value; none from the first that is cut short on. */
function filhos(dentroDe: Valor | Buffer | undefined): Valor[] {
  const octetos = Buffer.isBuffer(dentroDe) ? dentroDe : dentroDe?.conteudo
  const valores: Valor[] = []
  for (let i = 0; octetos && i + 2 <= octetos.length; ) {
    const tag = octetos[i] ?? 0
    const curto = octetos[i + 1] ?? 0
    const extras = curto < 0x80 ? 0 : curto & 0x7f
    if (extras > 4 || i + 2 + extras > octetos.length) break
    const comeco = i + 2 + extras
    const fim = comeco + (extras ? octetos.readUIntBE(i + 2, extras) : curto)
    if (fim > octetos.length) break
    valores.push({ tag, conteudo: octetos.subarray(comeco, fim) })
    i = fim
  }
  return valores
}

function pontos(octetos: Buffer): string {
  const arcos: number[] = []
  let arco = 0
  for (const octeto of octetos) {
    arco = arco * 128 + (octeto & 0x7f)
    if (octeto & 0x80) continue
    arcos.push(arco)
    arco = 0
  }
  const [primeiro = 0, ...resto] = arcos
  const raiz = Math.min(2, Math.floor(primeiro / 40))
  return [raiz, primeiro - raiz * 40, ...resto].join('.')
}
