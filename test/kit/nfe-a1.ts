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
import { createA1 } from '../../simulator/platform/icp/icp.ts'

/** An A1 file as the endpoint takes it. */
export type Enviado = { certificado: string; senha: string }

/** Makes A1 files of holders that the simulator's catalogue does not have. */
export type Cartorio = {
  /** Makes a file of the authorities' own chain, which they take for genuine. */
  emitir: (titular: Chamador, diferenca?: Partial<ItemA1>) => Promise<Enviado>
  /**
   * Makes a file that anybody could make at home. The names in its chain are the same, but the chain is not
   * the authorities'.
   */
  forjar: (titular: Chamador) => Promise<Enviado>
}

/** Opens the chain that the simulator keeps in its folder. */
export function abrirCartorio(pasta: string): Cartorio {
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
    emitir: async (titular, diferenca = {}) => fazer(titular, await cadeia(), diferenca),
    forjar: async (titular) => fazer(titular, await forjada(), {}),
  }
}
