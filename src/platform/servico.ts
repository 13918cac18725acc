import { type Cliente, type Configuracao, criarCliente } from '@consulta-fiscal/cliente'
import type { Config } from './config/settings.ts'

export const enderecoDoServico = ({
  FISCAL_ENDERECO,
  PORT,
}: Pick<Config, 'FISCAL_ENDERECO' | 'PORT'>): string => FISCAL_ENDERECO ?? `http://127.0.0.1:${PORT}`

/** A client of the service of the settings. Throws an Error that says what is missing. */
export function clienteDoServico(
  config: Pick<Config, 'FISCAL_ENDERECO' | 'FISCAL_CHAVE' | 'PORT'>,
  mais: Partial<Configuracao> = {},
): Cliente {
  if (config.FISCAL_CHAVE === undefined)
    throw new Error('Falta a chave de API: ponha-a em FISCAL_CHAVE, no ambiente ou no arquivo .env.')
  return criarCliente({ endereco: enderecoDoServico(config), chave: config.FISCAL_CHAVE, ...mais })
}
