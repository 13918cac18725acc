import { createHash, createHmac, type KeyObject, randomBytes } from 'node:crypto'
import { type Cifrar, cifrar3des, cifrarAes, cifrarRc2, ITERACOES } from './cifra.ts'
import { bmp, conjunto, explicito, implicito, inteiro, nulo, octetos, oid, sequencia } from './der.ts'
import { derivar } from './derivacao.ts'

/** How the certificates, the key and the integrity check of a file are protected. */
const PROTECAO = {
  aes: { certificados: cifrarAes, chave: cifrarAes, mac: 'sha256' },
  '3des': { certificados: cifrar3des, chave: cifrar3des, mac: 'sha1' },
  'rc2-40': { certificados: cifrarRc2, chave: cifrar3des, mac: 'sha1' },
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
  /** In DER, in the order in which the file is to list them. */
  certificados: readonly Buffer[]
  /** The key, and the certificate that it belongs to; undefined makes a file of certificates only. */
  chave: Chave | undefined
  /** A second key, of a file into which two certificates were exported. */
  outra?: Chave | undefined
  apelido: string
  senha: string
  protecao: Protecao
}

/** A PKCS#12 file (RFC 7292): certificates in an encrypted safe, each key encrypted in another, and a MAC. */
export async function escreverPfx(pfx: Pfx): Promise<Buffer> {
  const { certificados, apelido, senha, protecao } = pfx
  const { certificados: cifrarCertificados, chave: cifrarChave, mac } = PROTECAO[protecao]
  const chaves = [pfx.chave, pfx.outra].filter((chave) => chave !== undefined)
  const doTitular = (certificado: Buffer): boolean =>
    chaves.some((chave) => chave.certificado.equals(certificado))
  const sacolas = certificados.map((certificado) =>
    sacolaDoCertificado(certificado, doTitular(certificado) ? atributos(apelido, certificado) : undefined),
  )
  const cofres = [cofreCifrado(await cifrarCertificados(sequencia(...sacolas), senha))]
  for (const chave of chaves) {
    const cifrada = await cifrarChave(chave.privada.export({ type: 'pkcs8', format: 'der' }), senha)
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

function sacolaDe(tipo: string, valor: Buffer, atributosDela: Buffer | undefined): Buffer {
  return sequencia(oid(tipo), explicito(0, valor), ...(atributosDela ? [atributosDela] : []))
}

/** friendlyName and localKeyId. Being equal in the key's bag and in its certificate's, they tie the two. */
function atributos(apelido: string, certificado: Buffer): Buffer {
  const identificador = createHash('sha1').update(certificado).digest()
  return conjunto(
    sequencia(oid('1.2.840.113549.1.9.20'), conjunto(bmp(apelido))),
    sequencia(oid('1.2.840.113549.1.9.21'), conjunto(octetos(identificador))),
  )
}

function cofreAberto(conteudo: Buffer): Buffer {
  return sequencia(oid(DADOS), explicito(0, octetos(conteudo)))
}

function cofreCifrado({ algoritmo, texto }: { algoritmo: Buffer; texto: Buffer }): Buffer {
  const cifrado = sequencia(oid(DADOS), algoritmo, implicito(0, texto))
  return sequencia(oid(DADOS_CIFRADOS), explicito(0, sequencia(inteiro(0), cifrado)))
}

function macDe(autenticado: Buffer, senha: string, resumo: keyof typeof RESUMO): Buffer {
  const sal = randomBytes(8)
  const { oid: identificador, tamanho } = RESUMO[resumo]
  const chave = derivar({ resumo, finalidade: 'mac', senha, sal, iteracoes: ITERACOES, tamanho })
  const valor = createHmac(resumo, chave).update(autenticado).digest()
  const info = sequencia(sequencia(oid(identificador), nulo()), octetos(valor))
  return sequencia(info, octetos(sal), inteiro(ITERACOES))
}
