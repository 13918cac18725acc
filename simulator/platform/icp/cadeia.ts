import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  generateKeyPairSync,
  type KeyObject,
  X509Certificate,
} from 'node:crypto'
import { promisify } from 'node:util'
import { DIA_MS } from '../../documento/dia.ts'
import { CATALOGO, type ItemA1 } from './catalogo.ts'
import {
  type Emissor,
  identificadorDoEmissor,
  identificadorDoSujeito,
  isAutoridade,
  issue,
  type Nome,
  nomeDns,
  nomesAlternativos,
  pem,
  politica,
  propositos,
  usoDaChave,
} from './certificado.ts'

const generatePar = promisify(generateKeyPair)

type Ca = Emissor & { certificado: X509Certificate }

export type Cadeia = { raiz: Ca; intermediaria: Ca; fim: Date }

export type Nomes = readonly [raiz: string, intermediaria: string]

export const NOSSOS_NOMES: Nomes = ['Autoridade Certificadora Raiz Simulada v1', 'AC SIMULADA RFB v1']
export const NOMES_ALHEIOS: Nomes = ['Autoridade Certificadora Raiz Alheia v1', 'AC ALHEIA v1']

export const POLITICA_A1 = '2.16.76.1.2.1.99999'

export const generateRsa = () => generatePar('rsa', { modulusLength: 2048 })

export const generateEc = () => generatePar('ec', { namedCurve: 'P-256' })

/** A new root and intermediate, that have been in force for years and end at `fim`. */
export async function createCadeia([nomeDaRaiz, nomeDaIntermediaria]: Nomes, fim: Date): Promise<Cadeia> {
  const [parDaRaiz, par] = await Promise.all([generateRsa(), generateRsa()])
  const raiz = { nome: nome(nomeDaRaiz), privada: parDaRaiz.privateKey, publica: parDaRaiz.publicKey }
  const intermediaria = { nome: nome(nomeDaIntermediaria), privada: par.privateKey, publica: par.publicKey }
  const issueCa = (ca: Emissor, anos: number, extensoes: readonly Buffer[]): Ca => ({
    ...ca,
    certificado: new X509Certificate(
      issue(
        {
          nome: ca.nome,
          publica: ca.publica,
          inicio: new Date(fim.getTime() - anos * 365 * DIA_MS),
          fim,
          extensoes: [
            ...extensoes,
            usoDaChave('keyCertSign', 'cRLSign'),
            identificadorDoSujeito(ca.publica),
            identificadorDoEmissor(raiz.publica),
          ],
        },
        raiz,
      ),
    ),
  })
  return {
    raiz: issueCa(raiz, 10, [isAutoridade()]),
    intermediaria: issueCa(intermediaria, 5, [isAutoridade(0), politica(POLITICA_A1)]),
    fim,
  }
}

const nome = (cn: string): Nome => [
  ['C', 'BR'],
  ['O', 'ICP-Brasil'],
  ['OU', 'Simulador, sem valor'],
  ['CN', cn],
]

/** Changes with the rules that the kept files follow, so that an older program's folder is made anew. */
const versao = (outros: readonly ItemA1[]): string =>
  `# ${createHash('sha256')
    .update(JSON.stringify([CATALOGO, outros]))
    .digest('hex')}\n`

/** Our chain as one text, private keys included. readCadeia reads it back. */
export function writeCadeia({ raiz, intermediaria }: Cadeia, outros: readonly ItemA1[]): string {
  const ca = ({ privada, certificado }: Ca): string =>
    `${privada.export({ type: 'pkcs8', format: 'pem' })}${pem(certificado.raw)}`
  return versao(outros) + ca(raiz) + ca(intermediaria)
}

export function readCadeia(texto: string, outros: readonly ItemA1[]): Cadeia | undefined {
  const blocos = texto.match(/-----BEGIN ([A-Z ]+)-----[^-]+-----END \1-----\n/g) ?? []
  const [chaveDaRaiz, certificadoDaRaiz, chave, certificado] = blocos
  if (!texto.startsWith(versao(outros)) || !chaveDaRaiz || !certificadoDaRaiz || !chave || !certificado)
    return undefined
  const ca = (cn: string, chave: string, certificado: string): Ca => {
    const privada = createPrivateKey(chave)
    const publica = createPublicKey(privada)
    return { nome: nome(cn), privada, publica, certificado: new X509Certificate(certificado) }
  }
  const raiz = ca(NOSSOS_NOMES[0], chaveDaRaiz, certificadoDaRaiz)
  const intermediaria = ca(NOSSOS_NOMES[1], chave, certificado)
  return { raiz, intermediaria, fim: intermediaria.certificado.validToDate }
}

type Par = { privateKey: KeyObject; publicKey: KeyObject }

/** Key pairs that many certificates share, because to make one for each file takes minutes. */
export type Chaveiro = { rsa: () => Promise<Par>; ec: () => Promise<Par> }

export const createChaveiro = (): Chaveiro => ({ rsa: umaVez(generateRsa), ec: umaVez(generateEc) })

export function umaVez<T>(fazer: () => Promise<T>): () => Promise<T> {
  let feito: Promise<T> | undefined
  return () => {
    feito ??= fazer()
    return feito
  }
}

export type Servidor = { key: string; cert: string }

/** Certificates of servers, minted for the name asked and kept in memory; in force from the day before on. */
export function createServidores(
  { intermediaria, fim }: Cadeia,
  now: () => Date,
): (nome: string) => Servidor {
  const feitos = new Map<string, Servidor>()
  const create = (nome: string): Servidor => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const folha = issue(
      {
        nome: [
          ['C', 'BR'],
          ['CN', nome.slice(0, 64)],
        ],
        publica: publicKey,
        inicio: new Date(now().getTime() - 86_400_000),
        fim,
        extensoes: [
          identificadorDoEmissor(intermediaria.publica),
          identificadorDoSujeito(publicKey),
          usoDaChave('digitalSignature'),
          propositos('serverAuth'),
          nomesAlternativos(nomeDns(nome)),
        ],
      },
      intermediaria,
    )
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    return { key, cert: pem(folha) + pem(intermediaria.certificado.raw) }
  }
  return (nome) => {
    const servidor = feitos.get(nome) ?? create(nome)
    feitos.set(nome, servidor)
    return servidor
  }
}
