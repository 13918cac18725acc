import { writeFile } from 'node:fs/promises'
import { type Cliente, ErroDaFonte, ErroFiscal, type Fluxo, type Recibo } from '@consulta-fiscal/cliente'
import type { Config } from '../platform/config/settings.ts'
import { clienteDoServico } from '../platform/servico.ts'

/** What the command ends with: 1 where repeating does not help, 2 where it may. */
const CODIGOS_DE_SAIDA = { naoAdianta: 1, podePassar: 2 } as const

/** Tells a failure of a call on stderr, with what to do, and sets the exit code. Throws any other. */
function contarFalha(erro: unknown): void {
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

/** Somebody waits at the terminal: a source that asks for more time is a failure that says how much. */
const MAIOR_ESPERA_MS = 5_000

/** What every lookup takes: where the service is, who asks, and how the answer is shown. */
export type Comuns = { endereco?: string; chave?: string; json?: true }

/** An answer and what it cost. */
type Recebida<R> = { dados: R; recibo: Partial<Recibo> }

/**
 * Asks, and shows the answer on stdout: as a table, or whole as JSON. What it cost goes to stderr, and a
 * failure too, with an exit code.
 */
export async function consultar<R extends object>(
  config: Config,
  { endereco, chave, json }: Comuns,
  { perguntar, mostrar, guardar }: ConsultaNoTerminal<R>,
): Promise<void> {
  const { PORT, FISCAL_ENDERECO, FISCAL_CHAVE } = config
  const de = { PORT, FISCAL_ENDERECO: endereco ?? FISCAL_ENDERECO, FISCAL_CHAVE: chave ?? FISCAL_CHAVE }
  try {
    const { dados, recibo } = await perguntar(clienteDoServico(de, { esperaMaximaMs: MAIOR_ESPERA_MS }))
    console.log(json ? JSON.stringify(dados, null, 2) : mostrar(dados))
    for (const aviso of avisosDe(dados)) console.error(`Aviso: ${aviso}`)
    await guardar?.(dados)
    console.error(contaDe(recibo))
  } catch (erro) {
    contarFalha(erro)
  }
}

/** A lookup of the command: how it is asked, how its answer is shown, and what of it becomes a file. */
export type ConsultaNoTerminal<R extends object> = {
  perguntar: (fiscal: Cliente) => Promise<Recebida<R>>
  mostrar: (dados: R) => string
  guardar?: ((dados: R) => Promise<void>) | undefined
}

const avisosDe = (dados: object): readonly string[] =>
  'avisos' in dados && Array.isArray(dados.avisos) ? dados.avisos.map(String) : []

function contaDe({ creditosCobrados: cobrados, creditosRestantes, requestId }: Partial<Recibo>): string {
  const custo = cobrados === undefined ? '' : `${cobrados} ${cobrados === 1 ? 'crédito' : 'créditos'}; `
  const resto = creditosRestantes === undefined ? '' : `restam ${creditosRestantes}; `
  return `${custo}${resto}requisição ${requestId ?? 'desconhecida'}.`
}

/** Reads a stream to its end, and tells on a terminal how far it is. */
export async function percorrer<R extends object>(
  fluxo: Fluxo<object, R>,
  partes: { quantas: number; nome: string },
): Promise<Recebida<R>> {
  const { isTTY } = process.stderr
  let feitas = 0
  for await (const parte of fluxo) {
    feitas += 1
    const qual = 'uf' in parte ? parte.uf : 'secao' in parte ? parte.secao : ''
    if (isTTY) process.stderr.write(`\r\x1b[K${feitas} de ${partes.quantas} ${partes.nome}: ${qual}`)
  }
  if (isTTY) process.stderr.write('\r\x1b[K')
  if (!fluxo.resultado) throw new Error('A resposta terminou antes do fim. Tente de novo.')
  return { dados: fluxo.resultado, recibo: fluxo.recibo ?? {} }
}

/** Writes the PDF of a certificate, for the owner of the file alone. */
export async function guardarPdf(arquivo: string, pdf_base64: string | undefined): Promise<void> {
  if (!pdf_base64) {
    console.error('Esta certidão veio sem PDF: nenhum arquivo foi escrito.')
    return
  }
  await writeFile(arquivo, Buffer.from(pdf_base64, 'base64'), { mode: 0o600 })
  console.error(`PDF em ${arquivo}.`)
}
