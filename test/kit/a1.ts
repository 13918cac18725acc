import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CATALOGO_NFE } from '../../simulator/nfe/cenarios.ts'
import type { Chamador } from '../../simulator/platform/autoridade.ts'
import {
  type Cadeia,
  createCadeia,
  createChaveiro,
  NOSSOS_NOMES,
  readCadeia,
  umaVez,
} from '../../simulator/platform/icp/cadeia.ts'
import { type ItemA1, item } from '../../simulator/platform/icp/catalogo.ts'
import { der, inteiro } from '../../simulator/platform/icp/der.ts'
import { createA1 } from '../../simulator/platform/icp/icp.ts'
import { type Der, integerOf, readDer } from '../../src/platform/wire/der.ts'

/** Reads a string that holds exactly one element, to its last byte. A random salt does not. */
export function wholeDer(corpo: Buffer): Der | undefined {
  try {
    const element = readDer(corpo)
    return element.inteiro.length === corpo.length ? element : undefined
  } catch {
    return undefined
  }
}

/** The same A1 file with `change` applied to each of its counts. Strings that hold DER are searched too. */
export function withCounts(pfx: Buffer, change: (count: number) => number, keepMac: boolean): Buffer {
  const rewrite = (node: Der): Buffer => {
    if (node.tag === 0x02 && integerOf(node) === 2048) return inteiro(change(2048))
    const inner = node.tag === 0x04 ? wholeDer(node.corpo) : undefined
    if (inner) return der(node.tag, rewrite(inner))
    return node.filhos.length > 0 ? der(node.tag, ...node.filhos.map(rewrite)) : node.inteiro
  }
  const { tag, filhos } = readDer(pfx)
  return der(tag, ...filhos.slice(0, keepMac ? 3 : 2).map(rewrite))
}

/** An A1 file as the endpoint takes it. */
export type Enviado = { certificado: string; senha: string }

/** Makes A1 files of holders that the simulator's catalogue does not have. */
export type Cartorio = {
  /** Makes a file of the authorities' own chain, which they take for genuine. */
  issue: (titular: Chamador, diferenca?: Partial<ItemA1>) => Promise<Enviado>
  /**
   * Makes a file that anybody could make at home. The names in its chain are the same, but the chain is not
   * the authorities'.
   */
  forge: (titular: Chamador) => Promise<Enviado>
}

/** Opens the chain that the simulator keeps in its folder. */
export function openCartorio(pasta: string): Cartorio {
  const chaveiro = createChaveiro()
  const cadeia = umaVez(async () => {
    const lida = readCadeia(await readFile(join(pasta, 'autoridade.pem'), 'utf8'), CATALOGO_NFE)
    assert.ok(lida)
    return lida
  })
  const forjada = umaVez(async () => createCadeia(NOSSOS_NOMES, (await cadeia()).fim))
  async function fazer(titular: Chamador, sob: Cadeia, diferenca: Partial<ItemA1>): Promise<Enviado> {
    const um = item('feito', titular, 'Feito para um teste.', { par: 'comum', ...diferenca })
    return { certificado: (await createA1(um, sob, chaveiro)).toString('base64'), senha: um.senha }
  }
  return {
    issue: async (titular, diferenca = {}) => fazer(titular, await cadeia(), diferenca),
    forge: async (titular) => fazer(titular, await forjada(), {}),
  }
}
