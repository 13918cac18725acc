import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { comCenario } from '../../simulator/nfe/cenarios.ts'
import type { Db } from '../../src/platform/db/db.ts'
import { parseA1 } from '../../src/platform/wire/a1.ts'
import type { Enviado } from './nfe-a1.ts'
import type { CasaNfe } from './nfe-casa.ts'
import { type Chamada, PATH, type Servico } from './nfe-servico.ts'

export const SENHA = 'Sênha "do\\cliente" çom €uro'
export const ERRADA = 'uma senha êrrada, que também é segredo'

/**
 * An A1 file of the scenario's holder, which the authorities accept, with a password that is hard to hide.
 */
export const fileOf = (
  casa: CasaNfe,
  cenario: string,
  diferenca: Parameters<CasaNfe['cartorio']['emitir']>[1] = {},
): Promise<Enviado> =>
  casa.cartorio.emitir(comCenario(cenario).titular, { senha: SENHA, protecao: '3des', ...diferenca })

/** Files that are refused, each for a reason of its own. */
export async function makeOthers(casa: CasaNfe): Promise<Enviado[]> {
  return [
    await fileOf(casa, 'ciencia', { validade: 'vencida' }),
    await fileOf(casa, 'ciencia', { validade: 'futura' }),
    await fileOf(casa, 'ciencia', { conteudo: 'sem-chave' }),
    await fileOf(casa, 'ciencia', { documento: 'ausente' }),
    await fileOf(casa, 'ciencia', { documento: 'cn' }),
    await casa.cartorio.forjar(comCenario('ciencia').titular),
  ]
}

/**
 * Calls with every fault that a certificate may have, and some without a fault. All of them are about `file`.
 */
export async function chamadasDe(
  casa: CasaNfe,
  file: Enviado,
  others: readonly Enviado[],
): Promise<Chamada[]> {
  const { certificado, senha } = file
  const pfx = Buffer.from(certificado, 'base64')
  const chave = casa.chaveDe('ciencia')
  const corpo = { chave, ...file }
  const pem = parseA1(pfx, senha).key.toString()
  const json = JSON.stringify(corpo)
  const once = { 'idempotency-key': 'uma-vez' }
  return [
    { corpo, headers: once },
    { corpo, headers: once },
    { corpo: { ...corpo, senha: ERRADA }, headers: once },
    { corpo: { ...corpo, simular: true } },
    ...others.map((other) => ({ corpo: { ...corpo, ...other } })),
    { corpo: { ...corpo, senha: ERRADA } },
    { corpo: { ...corpo, certificado: pem } },
    { corpo: { ...corpo, certificado: pem.replaceAll(/-----.*-----/g, '') } },
    { corpo: { ...corpo, certificado: `*${certificado}` } },
    { corpo: { ...corpo, certificado: pfx.subarray(0, pfx.length / 2).toString('base64') } },
    { corpo: { ...corpo, certificado: certificado.repeat(20) } },
    { corpo: { ...corpo, certificado: [certificado], senha: { senha } } },
    { corpo: { ...corpo, manifestar: senha, simular: certificado } },
    { corpo: { ...corpo, chave: senha } },
    { corpo: { ...corpo, chave: certificado } },
    { corpo: { ...corpo, [senha]: senha, [certificado]: certificado, outro: { senha, pem } } },
    { corpo: `${json.slice(0, -1)} oops` },
    { corpo: json.replace('"chave"', "'chave'") },
    { corpo: `${json}${json}` },
    { corpo: senha },
    { corpo: JSON.stringify([corpo]) },
    { corpo: JSON.stringify({ ...corpo, outro: certificado.repeat(400) }) },
    { corpo, headers: { 'content-type': 'text/plain' } },
    { corpo: json, headers: { 'idempotency-key': encodeURIComponent(senha).repeat(9) } },
    { corpo: json, headers: { 'x-api-key': encodeURIComponent(senha) } },
    { corpo: json, path: '/api/consultar-nfe' },
    { corpo: json, path: `${PATH}?senha=${encodeURIComponent(senha)}` },
    { corpo: undefined, method: 'GET', path: `${PATH}?senha=${encodeURIComponent(senha)}` },
    ...(await scenarios(casa, file)),
  ]
}

/**
 * A call for each misbehaviour of the authorities. Each has the key and the password of the file that the
 * search is about.
 */
const scenarios = async (casa: CasaNfe, { senha }: Enviado): Promise<Chamada[]> =>
  Promise.all(
    ['html-403', 'tls', 'fault', 'queda', 'malformada', 'ciencia-fault', 'ciencia-494', 'fora-prazo'].map(
      async (cenario) => ({
        corpo: { chave: casa.chaveDe(cenario), ...(await fileOf(casa, cenario, { senha })) },
      }),
    ),
  )

/** Makes all calls, one after the other. Gives their answers. */
export async function tour(
  casa: CasaNfe,
  servico: Servico,
  db: Db,
  chamadas: readonly Chamada[],
): Promise<string> {
  const answers: string[] = []
  for (const chamada of chamadas) answers.push(await servico.send(chamada))
  // The client of this call leaves.
  const corpo = { chave: casa.chaveDe('pessoa'), ...(await fileOf(casa, 'pessoa')) }
  const consulta = casa.reter('consulta')
  const leaving = new AbortController()
  const left = servico.send({ corpo, headers: { 'idempotency-key': 'saiu' } }, leaving.signal)
  await consulta.chegam(1)
  leaving.abort()
  await assert.rejects(left, { name: 'AbortError' })
  consulta.soltar()
  // The database fails during these calls.
  for (const table of ['idempotencia', 'retencoes', 'consumo', 'lancamentos', 'cache']) {
    await sql`alter table ${sql.table(table)} rename to longe`.execute(db.kysely)
    answers.push(await servico.send({ corpo, headers: { 'idempotency-key': table } }))
    await sql`alter table longe rename to ${sql.table(table)}`.execute(db.kysely)
  }
  return answers.join('\n')
}
