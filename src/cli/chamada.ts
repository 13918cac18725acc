import { readFile, writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import {
  type Cliente,
  ErroDaFonte,
  ErroFiscal,
  type Fluxo,
  type Recibo,
  type Resposta,
} from '@consulta-fiscal/cliente'
import Table from 'cli-table3'
import type { Command } from 'commander'
import type { Config } from '../platform/config/settings.ts'
import { rotuloDoMembro } from '../platform/pages/formatos.ts'
import { clienteDoServico } from '../platform/servico.ts'

/** What the command ends with: 1 where repeating does not help, 2 where it may. */
const CODIGOS_DE_SAIDA = { isFinal: 1, mayPass: 2 } as const

/** Tells a failure of a call on stderr, with what to do, and sets the exit code. Throws any other. */
function tellFalha(erro: unknown): void {
  if (!(erro instanceof ErroFiscal)) throw erro
  process.exitCode = erro.retryable ? CODIGOS_DE_SAIDA.mayPass : CODIGOS_DE_SAIDA.isFinal
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

export type Comuns = { endereco?: string; chave?: string; json?: true }

type Recebida<R> = { dados: R; recibo: Partial<Recibo> }

/** The answer goes to stdout; its cost goes to stderr, and a failure too, with an exit code. */
export async function runConsulta<R extends object>(
  config: Config,
  { endereco, chave, json }: Comuns,
  { ask, show, save }: ConsultaNoTerminal<R>,
): Promise<void> {
  const { PORT, FISCAL_ENDERECO, FISCAL_CHAVE } = config
  const de = { PORT, FISCAL_ENDERECO: endereco ?? FISCAL_ENDERECO, FISCAL_CHAVE: chave ?? FISCAL_CHAVE }
  try {
    const { dados, recibo } = await ask(clienteDoServico(de, { esperaMaximaMs: MAIOR_ESPERA_MS }))
    console.log(json ? JSON.stringify(dados, null, 2) : show(dados))
    for (const aviso of avisosDe(dados)) console.error(`Aviso: ${aviso}`)
    await save?.(dados)
    console.error(contaDe(recibo))
  } catch (erro) {
    tellFalha(erro)
  }
}

export type ConsultaNoTerminal<R extends object> = {
  ask: (fiscal: Cliente) => Promise<Recebida<R>>
  show: (dados: R) => string
  save?: ((dados: R) => Promise<void>) | undefined
}

const avisosDe = (dados: object): readonly string[] =>
  'avisos' in dados && Array.isArray(dados.avisos) ? dados.avisos.map(String) : []

function contaDe({ creditosCobrados: cobrados, creditosRestantes, requestId }: Partial<Recibo>): string {
  const custo = cobrados === undefined ? '' : `${cobrados} ${cobrados === 1 ? 'crédito' : 'créditos'}; `
  const resto = creditosRestantes === undefined ? '' : `restam ${creditosRestantes}; `
  return `${custo}${resto}requisição ${requestId ?? 'desconhecida'}.`
}

/** Reads a stream to its end, and tells on a terminal how far it is. */
export async function readToEnd<R extends object>(
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
export async function savePdf(arquivo: string, pdf_base64: string | undefined): Promise<void> {
  if (!pdf_base64) {
    console.error('Esta certidão veio sem PDF: nenhum arquivo foi escrito.')
    return
  }
  await writeFile(arquivo, Buffer.from(pdf_base64, 'base64'), { mode: 0o600 })
  console.error(`PDF em ${arquivo}.`)
}

/** A cell of a table: what is missing is shown as a dash. */
type Celula = string | number | boolean | null | undefined

const style = { head: [], border: [], compact: true }
/** Files in base64 are for `--pdf` and `--json`. */
const SEM_TABELA = /_base64$/

export function drawTabela(
  cabecalho: readonly string[],
  linhas: readonly (readonly Celula[])[],
  nenhuma: string,
): string {
  if (linhas.length === 0) return nenhuma
  const table = new Table({ style, head: [...cabecalho] })
  for (const linha of linhas) table.push(linha.map(say))
  return table.toString()
}

/** Writes an object as two columns, without what is empty: `Endereço, UF` of an object in it. */
export function drawObjeto(objeto: object): string {
  const table = new Table({ style })
  for (const [nome, valor] of paresDe(objeto)) table.push([nome, valor])
  return table.toString()
}

function paresDe(objeto: object, antes = ''): [nome: string, valor: string][] {
  return Object.entries(objeto).flatMap(([chave, valor]): [string, string][] => {
    const nome = antes + rotuloDoMembro(chave)
    if (SEM_TABELA.test(chave) || valor === '' || valor === null || valor === undefined) return []
    if (Array.isArray(valor)) return valor.length === 0 ? [] : [[nome, valor.map(emUmaLinha).join('\n')]]
    return typeof valor === 'object' ? paresDe(valor, `${nome}, `) : [[nome, say(valor)]]
  })
}

const emUmaLinha = (valor: unknown): string =>
  typeof valor === 'object' && valor !== null
    ? paresDe(valor)
        .map(([, dito]) => dito)
        .join(' · ')
    : say(valor)

function say(valor: unknown): string {
  if (typeof valor === 'boolean') return valor ? 'sim' : 'não'
  if (typeof valor === 'number') return valor.toLocaleString('pt-BR', { maximumFractionDigits: 4 })
  return typeof valor === 'string' && valor !== '' ? valor : '–'
}

type Opcoes = Comuns & {
  certificado?: string
  arquivo?: string
  cnpj?: string
  manifestar?: true
  simular?: true
}

/** `fiscal consultar nfe-xml`: the signed XML of a note into a file, by an A1 file. */
export function addNota(comando: Command, config: Config): void {
  comando
    .argument('<chave>', 'a chave de acesso, 44 dígitos')
    .description('XML assinado de uma NF-e, com o certificado A1 de um participante (3 créditos)')
    .option('--certificado <arquivo>', 'o arquivo .pfx ou .p12; sem ele, o de FISCAL_CERTIFICADO')
    .option('--arquivo <arquivo>', 'onde o XML é escrito; sem ele, <chave>.xml na pasta atual')
    .option('--cnpj <cnpj>', 'o estabelecimento da mesma raiz em nome de quem se pergunta')
    .option('--manifestar', 'registra a manifestação do destinatário se a SEFAZ só entregar o resumo')
    .option('--simular', 'só diz que manifestação seria registrada; não custa nada')
    .addHelpText(
      'after',
      '\nA senha do certificado vem de FISCAL_CERTIFICADO_SENHA, ou é perguntada sem aparecer na tela.\nArquivo e senha vão só nesta consulta, e o serviço não os guarda.',
    )
    .action(async (chave: string, opcoes: Opcoes) => {
      const pedido = await pedidoDe(chave, opcoes, config)
      await runConsulta(config, opcoes, {
        ask: (fiscal) => fiscal.consultarNfeXml.comRecibo(pedido),
        show: ({ resultados }) => resultados.map(({ xml: _xml, ...dito }) => drawObjeto(dito)).join('\n'),
        save: (dados) => saveXml(dados, opcoes.arquivo),
      })
    })
}

async function pedidoDe(chave: string, opcoes: Opcoes, config: Config) {
  const arquivo = opcoes.certificado ?? config.FISCAL_CERTIFICADO
  if (arquivo === undefined)
    throw new Error('Falta o certificado A1: use --certificado arquivo.pfx, ou FISCAL_CERTIFICADO.')
  const conteudo = await readFile(arquivo).catch(() => {
    throw new Error(`Não consegui ler o certificado ${arquivo}. Confira o caminho e as permissões.`)
  })
  const senha = config.FISCAL_CERTIFICADO_SENHA ?? (await askSenha('Senha do certificado: '))
  return {
    chave,
    certificado: conteudo.toString('base64'),
    senha,
    manifestar: opcoes.manifestar === true,
    ...(opcoes.simular && { simular: true }),
    ...(opcoes.cnpj !== undefined && { cnpj: opcoes.cnpj }),
  }
}

/** Writes the XML for the owner of the file alone. Without a note the command fails, as the lookup did. */
async function saveXml(
  { resultados }: Resposta<'consultarNfeXml'>,
  arquivo: string | undefined,
): Promise<void> {
  for (const { chave, xml, retryable } of resultados) {
    if (!xml) {
      process.exitCode = retryable === true ? 2 : 1
      continue
    }
    const onde = arquivo ?? `${chave}.xml`
    await writeFile(onde, xml, { mode: 0o600 })
    console.error(`XML em ${onde}.`)
  }
}

/** The terminal does not show what is typed. Throws an Error where there is no terminal. */
async function askSenha(pergunta: string): Promise<string> {
  if (!process.stdin.isTTY)
    throw new Error('Sem terminal para perguntar a senha: ponha-a em FISCAL_CERTIFICADO_SENHA.')
  process.stderr.write(pergunta)
  const mudo = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: mudo, terminal: true })
  try {
    return await terminal.question('')
  } finally {
    terminal.close()
    process.stderr.write('\n')
  }
}
