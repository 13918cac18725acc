import { readFile, writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { Resposta } from '@consulta-fiscal/cliente'
import Table from 'cli-table3'
import type { Command } from 'commander'
import type { Config } from '../platform/config/settings.ts'
import { rotuloDoMembro } from '../platform/pages/formatos.ts'
import { type Comuns, consultar } from './consultar-chamada.ts'

/** A cell of a table: what is missing is shown as a dash. */
type Celula = string | number | boolean | null | undefined

const style = { head: [], border: [], compact: true }
/** Files in base64 are for `--pdf` and `--json`. */
const SEM_TABELA = /_base64$/

/** Writes rows under their headings, or says that there is none. */
export function listar(
  cabecalho: readonly string[],
  linhas: readonly (readonly Celula[])[],
  nenhuma: string,
): string {
  if (linhas.length === 0) return nenhuma
  const table = new Table({ style, head: [...cabecalho] })
  for (const linha of linhas) table.push(linha.map(dizer))
  return table.toString()
}

/** Writes an object as two columns, without what is empty: `Endereço, UF` of an object in it. */
export function descrever(objeto: object): string {
  const table = new Table({ style })
  for (const [nome, valor] of paresDe(objeto)) table.push([nome, valor])
  return table.toString()
}

function paresDe(objeto: object, antes = ''): [nome: string, valor: string][] {
  return Object.entries(objeto).flatMap(([chave, valor]): [string, string][] => {
    const nome = antes + rotuloDoMembro(chave)
    if (SEM_TABELA.test(chave) || valor === '' || valor === null || valor === undefined) return []
    if (Array.isArray(valor)) return valor.length === 0 ? [] : [[nome, valor.map(emUmaLinha).join('\n')]]
    return typeof valor === 'object' ? paresDe(valor, `${nome}, `) : [[nome, dizer(valor)]]
  })
}

const emUmaLinha = (valor: unknown): string =>
  typeof valor === 'object' && valor !== null
    ? paresDe(valor)
        .map(([, dito]) => dito)
        .join(' · ')
    : dizer(valor)

function dizer(valor: unknown): string {
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
      await consultar(config, opcoes, {
        perguntar: (fiscal) => fiscal.consultarNfeXml.comRecibo(pedido),
        mostrar: ({ resultados }) => resultados.map(({ xml: _xml, ...dito }) => descrever(dito)).join('\n'),
        guardar: (dados) => guardarXml(dados, opcoes.arquivo),
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
  const senha = config.FISCAL_CERTIFICADO_SENHA ?? (await perguntarSenha('Senha do certificado: '))
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
async function guardarXml(
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

/**
 * Asks for a secret on the terminal, which does not show what is typed. Throws an Error where there is no
 * terminal to ask on.
 */
async function perguntarSenha(pergunta: string): Promise<string> {
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
