/** What keeps the service from starting and the operator can mend; the message is Portuguese and says how. */
export class StartError extends Error {
  override name = 'StartError'
}

const reasons: Record<string, (where: string) => string> = {
  EADDRINUSE: (where) =>
    `${where} já está em uso por outro programa (talvez outro Consulta Fiscal). Pare-o, ou escolha outra porta: PORT=8081 npm start`,
  EACCES: (where) =>
    `Sem permissão para usar ${where}. Escolha outra porta (acima de 1023) ou outra pasta em DATA_DIR.`,
  EADDRNOTAVAIL: (where) => `${where} não é um endereço desta máquina. Corrija HOST.`,
  ENOTFOUND: (where) => `O nome em ${where} não foi encontrado. Corrija HOST.`,
  EROFS: (where) => `${where} está em um disco somente de leitura. Escolha outra pasta em DATA_DIR.`,
  ENOSPC: (where) =>
    `Não há espaço em disco para ${where}. Libere espaço ou escolha outra pasta em DATA_DIR.`,
  ENOTDIR: (where) => `${where} não é uma pasta. Corrija DATA_DIR.`,
  EEXIST: (where) => `${where} não é uma pasta. Corrija DATA_DIR.`,
}

/** The failure of an operating system call on `where` as a StartError when its reason is known; otherwise itself. */
export function explainStart(error: unknown, where: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const reason = reasons[code]
  return reason ? new StartError(reason(where), { cause: error }) : error
}
