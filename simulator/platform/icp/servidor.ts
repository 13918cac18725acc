import { generateKeyPairSync } from 'node:crypto'
import type { Cadeia } from './cadeia.ts'
import { emitir, pem } from './certificado.ts'
import {
  identificadorDoEmissor,
  identificadorDoSujeito,
  nomeDns,
  nomesAlternativos,
  propositos,
  usoDaChave,
} from './extensao.ts'

/** A TLS server's credentials: its key, and its certificate followed by the intermediate's, in PEM. */
export type Servidor = { key: string; cert: string }

/** Certificates of servers, minted for the name asked and kept in memory; in force from the day before on. */
export function criarServidores({ intermediaria, fim }: Cadeia, now: () => Date): (nome: string) => Servidor {
  const feitos = new Map<string, Servidor>()
  const criar = (nome: string): Servidor => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const folha = emitir(
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
    const servidor = feitos.get(nome) ?? criar(nome)
    feitos.set(nome, servidor)
    return servidor
  }
}
