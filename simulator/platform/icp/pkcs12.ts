import { createCipheriv, createHash, createHmac, type KeyObject, pbkdf2Sync, randomBytes } from 'node:crypto'
import { bmp, conjunto, explicito, implicito, inteiro, nulo, octetos, oid, sequencia } from './der.ts'

/** The purpose of the derived octets: the "ID" of RFC 7292, B.3. */
const FINALIDADE = { chave: 1, vetor: 2, mac: 3 } as const

export type Derivacao = {
  resumo: 'sha1' | 'sha256'
  finalidade: keyof typeof FINALIDADE
  senha: string
  sal: Buffer
  iteracoes: number
  tamanho: number
}

/** SHA-1's and SHA-256's block, in octets: "v" of RFC 7292, B.2. */
const BLOCO = 64

/** The key derivation of PKCS#12 (RFC 7292, B.2). The password counts as a BMPString with its terminator. */
export function derive({ resumo, finalidade, senha, sal, iteracoes, tamanho }: Derivacao): Buffer {
  const diversificador = Buffer.alloc(BLOCO, FINALIDADE[finalidade])
  const entrada = Buffer.concat([repeat(sal), repeat(senhaBmp(senha))])
  const saida: Buffer[] = []
  for (let feito = 0; feito < tamanho; feito += saida.at(-1)?.length ?? tamanho) {
    let a = createHash(resumo).update(diversificador).update(entrada).digest()
    for (let i = 1; i < iteracoes; i++) a = createHash(resumo).update(a).digest()
    saida.push(a)
    const b = Buffer.alloc(BLOCO, a)
    for (let i = 0; i < entrada.length; i += BLOCO) sumUm(entrada.subarray(i, i + BLOCO), b)
  }
  return Buffer.concat(saida).subarray(0, tamanho)
}

const senhaBmp = (senha: string): Buffer => Buffer.from(`${senha}\0`, 'utf16le').swap16()

const repeat = (octetos: Buffer): Buffer => Buffer.alloc(Math.ceil(octetos.length / BLOCO) * BLOCO, octetos)

/** bloco = (bloco + b + 1) mod 2^512, in place: step 6C. */
function sumUm(bloco: Buffer, b: Buffer): void {
  let vaiUm = 1
  for (let i = BLOCO - 1; i >= 0; i--) {
    vaiUm += (bloco[i] ?? 0) + (b[i] ?? 0)
    bloco[i] = vaiUm & 0xff
    vaiUm >>= 8
  }
}

/** How OpenSSL and Windows count by default. */
const ITERACOES = 2048

type Cifrado = { algoritmo: Buffer; texto: Buffer }

type Cifrar = (claro: Buffer, senha: string) => Cifrado | Promise<Cifrado>

/** PBES2: PBKDF2 with HMAC-SHA-256 and AES-256-CBC (RFC 8018, 6.2), the default of OpenSSL 3. */
function encryptAes(claro: Buffer, senha: string): Cifrado {
  const sal = randomBytes(16)
  const vetor = randomBytes(16)
  const cifra = createCipheriv('aes-256-cbc', pbkdf2Sync(senha, sal, ITERACOES, 32, 'sha256'), vetor)
  const derivacao = sequencia(
    oid('1.2.840.113549.1.5.12'),
    sequencia(octetos(sal), inteiro(ITERACOES), sequencia(oid('1.2.840.113549.2.9'), nulo())),
  )
  const esquema = sequencia(oid('2.16.840.1.101.3.4.1.42'), octetos(vetor))
  return {
    algoritmo: sequencia(oid('1.2.840.113549.1.5.13'), sequencia(derivacao, esquema)),
    texto: Buffer.concat([cifra.update(claro), cifra.final()]),
  }
}

/** pbeWithSHAAnd3-KeyTripleDES-CBC (RFC 7292, Appendix C). */
function encrypt3des(claro: Buffer, senha: string): Cifrado {
  const { algoritmo, chave, vetor } = pbe('1.2.840.113549.1.12.1.3', senha, 24)
  const cifra = createCipheriv('des-ede3-cbc', chave, vetor)
  return { algoritmo, texto: Buffer.concat([cifra.update(claro), cifra.final()]) }
}

/** pbeWithSHAAnd40BitRC2-CBC (RFC 7292, Appendix C): Windows and OpenSSL 1 encipher certificates with it. */
async function encryptRc2(claro: Buffer, senha: string): Promise<Cifrado> {
  // OpenSSL 3 has RC2 only in its legacy provider, which Node leaves out; loaded here because few starts need
  // it.
  const { default: forge } = await import('node-forge')
  const { algoritmo, chave, vetor } = pbe('1.2.840.113549.1.12.1.6', senha, 5)
  const cifra = forge.rc2.createEncryptionCipher(chave.toString('latin1'), 40)
  cifra.start(vetor.toString('latin1'))
  cifra.update(forge.util.createBuffer(claro.toString('latin1')))
  cifra.finish()
  return { algoritmo, texto: Buffer.from(cifra.output.getBytes(), 'latin1') }
}

function pbe(identificador: string, senha: string, tamanho: number) {
  const sal = randomBytes(8)
  const base = { resumo: 'sha1', senha, sal, iteracoes: ITERACOES } as const
  return {
    algoritmo: sequencia(oid(identificador), sequencia(octetos(sal), inteiro(ITERACOES))),
    chave: derive({ ...base, finalidade: 'chave', tamanho }),
    vetor: derive({ ...base, finalidade: 'vetor', tamanho: 8 }),
  }
}

const PROTECAO = {
  aes: { certificados: encryptAes, chave: encryptAes, mac: 'sha256' },
  '3des': { certificados: encrypt3des, chave: encrypt3des, mac: 'sha1' },
  'rc2-40': { certificados: encryptRc2, chave: encrypt3des, mac: 'sha1' },
} as const satisfies Record<string, { certificados: Cifrar; chave: Cifrar; mac: keyof typeof RESUMO }>

export type Protecao = keyof typeof PROTECAO

const RESUMO = {
  sha1: { oid: '1.3.14.3.2.26', tamanho: 20 },
  sha256: { oid: '2.16.840.1.101.3.4.2.1', tamanho: 32 },
} as const

const DADOS = '1.2.840.113549.1.7.1'
const DADOS_CIFRADOS = '1.2.840.113549.1.7.6'

type Chave = { privada: KeyObject; certificado: Buffer }

export type Pfx = {
  certificados: readonly Buffer[]
  /** The key, and the certificate that it belongs to; undefined makes a file of certificates only. */
  chave: Chave | undefined
  outra?: Chave | undefined
  apelido: string
  senha: string
  protecao: Protecao
}

/** A PKCS#12 file (RFC 7292): certificates in an encrypted safe, each key encrypted in another, and a MAC. */
export async function writePfx(pfx: Pfx): Promise<Buffer> {
  const { certificados, apelido, senha, protecao } = pfx
  const { certificados: encryptCertificados, chave: encryptChave, mac } = PROTECAO[protecao]
  const chaves = [pfx.chave, pfx.outra].filter((chave) => chave !== undefined)
  const doTitular = (certificado: Buffer): boolean =>
    chaves.some((chave) => chave.certificado.equals(certificado))
  const sacolas = certificados.map((certificado) =>
    sacolaDoCertificado(certificado, doTitular(certificado) ? atributos(apelido, certificado) : undefined),
  )
  const cofres = [cofreCifrado(await encryptCertificados(sequencia(...sacolas), senha))]
  for (const chave of chaves) {
    const cifrada = await encryptChave(chave.privada.export({ type: 'pkcs8', format: 'der' }), senha)
    const envelope = sequencia(cifrada.algoritmo, octetos(cifrada.texto))
    const sacola = sacolaDe('1.2.840.113549.1.12.10.1.2', envelope, atributos(apelido, chave.certificado))
    cofres.push(cofreAberto(sequencia(sacola)))
  }
  const autenticado = sequencia(...cofres)
  return sequencia(inteiro(3), cofreAberto(autenticado), macDe(autenticado, senha, mac))
}

function sacolaDoCertificado(certificado: Buffer, atributosDela: Buffer | undefined): Buffer {
  const valor = sequencia(oid('1.2.840.113549.1.9.22.1'), explicito(0, octetos(certificado)))
  return sacolaDe('1.2.840.113549.1.12.10.1.3', valor, atributosDela)
}

const sacolaDe = (tipo: string, valor: Buffer, atributosDela: Buffer | undefined): Buffer =>
  sequencia(oid(tipo), explicito(0, valor), ...(atributosDela ? [atributosDela] : []))

/** friendlyName and localKeyId. Being equal in the key's bag and in its certificate's, they tie the two. */
function atributos(apelido: string, certificado: Buffer): Buffer {
  const identificador = createHash('sha1').update(certificado).digest()
  return conjunto(
    sequencia(oid('1.2.840.113549.1.9.20'), conjunto(bmp(apelido))),
    sequencia(oid('1.2.840.113549.1.9.21'), conjunto(octetos(identificador))),
  )
}

const cofreAberto = (conteudo: Buffer): Buffer => sequencia(oid(DADOS), explicito(0, octetos(conteudo)))

function cofreCifrado({ algoritmo, texto }: { algoritmo: Buffer; texto: Buffer }): Buffer {
  const cifrado = sequencia(oid(DADOS), algoritmo, implicito(0, texto))
  return sequencia(oid(DADOS_CIFRADOS), explicito(0, sequencia(inteiro(0), cifrado)))
}

function macDe(autenticado: Buffer, senha: string, resumo: keyof typeof RESUMO): Buffer {
  const sal = randomBytes(8)
  const { oid: identificador, tamanho } = RESUMO[resumo]
  const chave = derive({ resumo, finalidade: 'mac', senha, sal, iteracoes: ITERACOES, tamanho })
  const valor = createHmac(resumo, chave).update(autenticado).digest()
  const info = sequencia(sequencia(oid(identificador), nulo()), octetos(valor))
  return sequencia(info, octetos(sal), inteiro(ITERACOES))
}
