import { join } from 'node:path'
import type { FederalRoom } from '../federal/federal.ts'
import type { Platform } from '../platform/platform.ts'
import { StartError } from '../platform/start.ts'
import { type BaseAtiva, openBaseAtiva } from './base/versoes.ts'

/** What the company registry stands on: the contract of the live query, and the monthly base. */
export type CnpjRoom = Platform & Pick<FederalRoom, 'contrato'> & { base: BaseAtiva }

/** Throws StartError if the base is damaged. */
export function openCnpj(
  platform: Platform,
  { contrato }: Pick<FederalRoom, 'contrato'>,
): { cnpj: CnpjRoom; close: () => void } {
  const base = openBase(platform)
  return { cnpj: { ...platform, contrato, base }, close: base.close }
}

function openBase({ config }: Pick<Platform, 'config'>): BaseAtiva {
  try {
    return openBaseAtiva(join(config.DATA_DIR, 'cnpj'), { mascararCpf: config.CNPJ_MASK_CPF })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartError(
      `A base CNPJ ativa não pôde ser aberta: ${reason}\nEscolha outra versão ("npm run fiscal -- cnpj versoes", "cnpj ativar") ou importe de novo ("cnpj importar").`,
      { cause: error },
    )
  }
}
