import { ErroDaFonte, ErroFiscal } from '@consulta-fiscal/cliente'

/** What the command ends with: 1 where repeating does not help, 2 where it may. */
const CODIGOS_DE_SAIDA = { naoAdianta: 1, podePassar: 2 } as const

/** Tells a failure of a call on stderr, with what to do, and sets the exit code. Throws any other. */
export function contarFalha(erro: unknown): void {
  if (!(erro instanceof ErroFiscal)) throw erro
  process.exitCode = erro.retryable ? CODIGOS_DE_SAIDA.podePassar : CODIGOS_DE_SAIDA.naoAdianta
  const onde = erro instanceof ErroDaFonte && erro.uf !== '' ? ` (${erro.uf})` : ''
  console.error(`${erro.codigo}${onde}: ${erro.message}`)
  console.error(conselhoDe(erro))
  if (erro.requestId !== undefined) console.error(`Requisição ${erro.requestId}.`)
}

/** What helps with these codes: the service tells the reason alone. */
const conselhos: Readonly<Record<string, string>> = {
  NAO_AUTENTICADO: 'Confira FISCAL_CHAVE: a chave atual está nas configurações do painel.',
  LIMITE_ATINGIDO: 'A cota renova no primeiro dia do mês; o operador pode conceder créditos extras.',
  LIMITE_PLANO: 'A cota renova no primeiro dia do mês; o operador pode conceder créditos extras.',
  CONEXAO: 'Confira se o serviço está no ar e o endereço: --endereco ou FISCAL_ENDERECO.',
  EM_PROCESSAMENTO: 'A certidão está sendo emitida: repita o comando, ou use --esperar.',
}

function conselhoDe({ codigo, retryable, retryAfterS }: ErroFiscal): string {
  const proprio = conselhos[codigo]
  if (proprio !== undefined) return proprio
  if (!retryable) return 'Repetir igual não adianta.'
  return retryAfterS === undefined ? 'Tente de novo mais tarde.' : `Tente de novo em ${retryAfterS} s.`
}
