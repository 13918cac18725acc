import { codeOf } from './wire/error-code.ts'

/** A failure to start that the operator can mend. The message is Portuguese and says how. */
export class StartError extends Error {
  override name = 'StartError'
}

type Reasons = Record<string, (where: string, names: { host: string; port: string }) => string>

const folderReasons: Reasons = {
  EACCES: (where) =>
    `Sem permissão para ler e gravar em ${where}. Corrija a permissão ou escolha outra pasta em DATA_DIR.`,
  EROFS: (where) => `${where} está em um disco somente de leitura. Escolha outra pasta em DATA_DIR.`,
  ENOSPC: (where) =>
    `Não há espaço em disco para ${where}. Libere espaço ou escolha outra pasta em DATA_DIR.`,
  ENOTDIR: (where) => `${where} não é uma pasta. Corrija DATA_DIR.`,
  EEXIST: (where) => `${where} não é uma pasta. Corrija DATA_DIR.`,
  ENOENT: (where) => `O sistema não deixa criar ${where}. Escolha outra pasta em DATA_DIR.`,
  EPERM: (where) => `O sistema não deixa gravar em ${where}. Escolha outra pasta em DATA_DIR.`,
  ENAMETOOLONG: (where) => `O caminho ${where} é longo demais. Escolha outra pasta em DATA_DIR.`,
  ELOOP: (where) => `O caminho ${where} passa por ligações em círculo. Escolha outra pasta em DATA_DIR.`,
}

const addressReasons: Reasons = {
  EADDRINUSE: (where, { port }) =>
    `${where} já está em uso por outro programa (talvez outro Consulta Fiscal). Pare-o, ou escolha outra porta: ${port}=8081 npm start`,
  EACCES: (where, { port }) =>
    `Sem permissão para escutar em ${where}. Escolha uma porta acima de 1023 em ${port}.`,
  EADDRNOTAVAIL: (where, { host }) => `${where} não é um endereço desta máquina. Corrija ${host}.`,
  ENOTFOUND: (where, { host }) => `O nome em ${where} não foi encontrado. Corrija ${host}.`,
}

/**
 * Turns a failure on the data folder into a StartError if its reason is known. Otherwise returns it as it is.
 */
export const explainFolder = (error: unknown, where: string): unknown => explain(error, where, folderReasons)

/** The settings that say where the service listens. */
const SERVICE = { host: 'HOST', port: 'PORT' }

/**
 * Turns a failure to listen at an address into a StartError if its reason is known; otherwise returns it as
 * it is. `names` are the settings that the address comes from.
 */
export const explainAddress = (error: unknown, where: string, names = SERVICE): unknown =>
  explain(error, where, addressReasons, names)

function explain(error: unknown, where: string, reasons: Reasons, names = SERVICE): unknown {
  const reason = reasons[codeOf(error)]
  return reason ? new StartError(reason(where, names), { cause: error }) : error
}
