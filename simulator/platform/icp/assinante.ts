import type { KeyObject } from 'node:crypto'
import type { Chamador } from '../autoridade.ts'
import { emitirAoTitular } from './a1.ts'
import { type Cadeia, criarCadeia, NOSSOS_NOMES } from './cadeia.ts'
import { type Chaveiro, criarChaveiro, umaVez } from './chaveiro.ts'

const ANO = 365 * 86_400_000

/** The key and the certificate by which a holder signs documents. The certificate is in DER. */
export type Assinante = { privada: KeyObject; certificado: Buffer }

/** The signer of a holder, the same each time. */
export type Assinar = (titular: Chamador) => Promise<Assinante>

/**
 * Signers under a chain, all of one RSA key. Their certificates began three years before the chain ends: old
 * documents were signed in time.
 */
export function criarAssinantes(
  abrirCadeia: () => Promise<Cadeia> = () => criarCadeia(NOSSOS_NOMES, new Date(Date.now() + ANO)),
  { rsa }: Chaveiro = criarChaveiro(),
): Assinar {
  const feitos = new Map<string, Promise<Assinante>>()
  const cadeia = umaVez(abrirCadeia)
  const criar = async (titular: Chamador): Promise<Assinante> => {
    const [{ intermediaria, fim }, { privateKey, publicKey }] = await Promise.all([cadeia(), rsa()])
    const certificado = emitirAoTitular(
      { titular, documento: 'oids', valores: 'octetos' },
      { publica: publicKey, inicio: new Date(fim.getTime() - 3 * ANO), fim },
      intermediaria,
    )
    return { privada: privateKey, certificado }
  }
  return (titular) => {
    const assinante = feitos.get(titular.documento) ?? criar(titular)
    feitos.set(titular.documento, assinante)
    return assinante
  }
}
