import { type Cliente, type Configuracao, criarCliente } from '@consulta-fiscal/cliente'
import { semAspas } from '../documento/digitado.ts'
import type { Config } from './config/settings.ts'

export const enderecoDoServico = ({
  FISCAL_ENDERECO,
  PORT,
}: Pick<Config, 'FISCAL_ENDERECO' | 'PORT'>): string =>
  FISCAL_ENDERECO === undefined ? `http://127.0.0.1:${PORT}` : readEndereco(FISCAL_ENDERECO)

const DESTA_MAQUINA = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?=[:/]|$)/i

/** The address that was typed; https where it names no scheme, but on this machine. Throws in Portuguese. */
export function readEndereco(digitado: string): string {
  const dito = semAspas(digitado)
  const isSemEsquema = /^(?:[\w.-]+|\[[\da-f:]+\])(?::\d+)?(?:\/|$)/i.test(dito)
  const endereco = isSemEsquema ? `${DESTA_MAQUINA.test(dito) ? 'http' : 'https'}://${dito}` : dito
  if (URL.canParse(endereco) && /^https?:/.test(endereco)) return endereco.replace(/\/+$/, '')
  throw new Error(`${dito} não é o endereço de um serviço: escreva como em http://127.0.0.1:8080.`)
}

/** The key that was typed or pasted, without quotes and spaces. Throws an Error, which has no key. */
export function readChave(digitada: string): string {
  const chave = semAspas(digitada)
  if (/[…•*]|\.\.\./.test(chave))
    throw new Error(
      'A chave de API dada está mascarada, como uma página a mostra: copie a inteira (fk_ e 38 letras e dígitos), nas configurações do painel.',
    )
  if (/\s/.test(chave)) throw new Error('A chave de API dada tem espaço no meio: copie-a de novo, inteira.')
  return chave
}

/** A client of the service of the settings. Throws an Error that says what is missing. */
export function clienteDoServico(
  config: Pick<Config, 'FISCAL_ENDERECO' | 'FISCAL_CHAVE' | 'PORT'>,
  mais: Partial<Configuracao> = {},
): Cliente {
  if (config.FISCAL_CHAVE === undefined)
    throw new Error(
      'Falta a chave de API: ponha-a em FISCAL_CHAVE, no ambiente ou no arquivo .env. No modo simulador, "npm start" a mostra.',
    )
  const chave = readChave(config.FISCAL_CHAVE)
  return criarCliente({ endereco: enderecoDoServico(config), chave, ...mais })
}
