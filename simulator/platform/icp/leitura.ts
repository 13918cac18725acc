type Valor = { tag: number; conteudo: Buffer }

/** 2.5.29.17, SubjectAltName, in DER. */
const NOMES_ALTERNATIVOS = Buffer.from('0603551d11', 'hex')

/**
 * The otherName entries of the SubjectAltName of `certificado` (X.509, DER): identifier in dotted form →
 * value as text. Empty when there are none; node:crypto shows these as "othername:<unsupported>" only.
 */
export function lerOutrosNomes(certificado: Buffer): Map<string, string> {
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

/**
 * The values inside a value, or one after the other in these octets; none from the first that is cut short
 * on.
 */
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
