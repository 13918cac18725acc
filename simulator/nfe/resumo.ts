import { createHash } from 'node:crypto'
import { mix } from '../documento/aleatorio.ts'
import { sementeDe } from '../documento/documento.ts'
import { escreverCampos, NFE } from '../platform/nfe-xml.ts'
import { dataHora, escreverInfNFe, valoresDa } from './inf-nfe.ts'
import { reais } from './item.ts'
import type { Nota } from './nota.ts'
import { documentoDe, ieDe } from './participante.ts'

/**
 * The digest of the note, which its signature, its protocol and its summary tell alike: SHA-1 of infNFe, in
 * base64.
 */
export function digerir(canonico: string): string {
  return createHash('sha1').update(canonico).digest('base64')
}

/**
 * The number of the authorization: 15 digits, of São Paulo, worked out of the key (MOC 7.0, Anexo I,
 * "nProt").
 */
export function protocoloDe({ chave, autorizacao }: Nota): string {
  const semente = sementeDe(chave)
  const sequencial = (semente * 2 + (mix(semente, 1) % 2)).toString().padStart(10, '0').slice(-10)
  return `135${dataHora(autorizacao).slice(2, 4)}${sequencial}`
}

const SITUACAO = { autorizada: '1', denegada: '2', cancelada: '3' } as const

/**
 * The summary `resNFe` 1.01 of a note (resNFe_v1.01.xsd), without XML declaration. `dhRecbto` is the
 * authorization.
 */
export function escreverResumo(nota: Nota): string {
  const { chave, emitente, autorizacao, situacao } = nota
  return escreverCampos([
    [
      `resNFe xmlns="${NFE}" versao="1.01"`,
      [
        ['chNFe', chave],
        documentoDe(emitente),
        ['xNome', emitente.nome],
        ['IE', ieDe(emitente)],
        ['dhEmi', dataHora(autorizacao)],
        ['tpNF', '1'],
        ['vNF', reais(valoresDa(nota).total)],
        ['digVal', digerir(escreverInfNFe(nota).canonico)],
        ['dhRecbto', dataHora(autorizacao)],
        ['nProt', protocoloDe(nota)],
        ['cSitNFe', SITUACAO[situacao]],
      ],
    ],
  ])
}
