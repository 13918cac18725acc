import { createHash } from 'node:crypto'

/** The purpose of the derived octets: the "ID" of RFC 7292, B.3. */
const FINALIDADE = { chave: 1, vetor: 2, mac: 3 } as const

export type Derivacao = {
  resumo: 'sha1' | 'sha256'
  finalidade: keyof typeof FINALIDADE
  senha: string
  sal: Buffer
  iteracoes: number
  /** How many octets are wanted. */
  tamanho: number
}

/** SHA-1's and SHA-256's block, in octets: "v" of RFC 7292, B.2. */
const BLOCO = 64

/**
 * The key derivation of PKCS#12 (RFC 7292, Appendix B.2). The password counts as a BMPString with its
 * terminator.
 */
export function derivar({ resumo, finalidade, senha, sal, iteracoes, tamanho }: Derivacao): Buffer {
  const diversificador = Buffer.alloc(BLOCO, FINALIDADE[finalidade])
  const entrada = Buffer.concat([repetir(sal), repetir(senhaBmp(senha))])
  const saida: Buffer[] = []
  for (let feito = 0; feito < tamanho; feito += saida.at(-1)?.length ?? tamanho) {
    let a = createHash(resumo).update(diversificador).update(entrada).digest()
    for (let i = 1; i < iteracoes; i++) a = createHash(resumo).update(a).digest()
    saida.push(a)
    const b = Buffer.alloc(BLOCO, a)
    for (let i = 0; i < entrada.length; i += BLOCO) somarUm(entrada.subarray(i, i + BLOCO), b)
  }
  return Buffer.concat(saida).subarray(0, tamanho)
}

function senhaBmp(senha: string): Buffer {
  return Buffer.from(`${senha}\0`, 'utf16le').swap16()
}

function repetir(octetos: Buffer): Buffer {
  return Buffer.alloc(Math.ceil(octetos.length / BLOCO) * BLOCO, octetos)
}

/** bloco = (bloco + b + 1) mod 2^512, in place: step 6C. */
function somarUm(bloco: Buffer, b: Buffer): void {
  let vaiUm = 1
  for (let i = BLOCO - 1; i >= 0; i--) {
    vaiUm += (bloco[i] ?? 0) + (b[i] ?? 0)
    bloco[i] = vaiUm & 0xff
    vaiUm >>= 8
  }
}
