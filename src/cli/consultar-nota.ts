import { readFile, writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { Resposta } from '@consulta-fiscal/cliente'
import type { Command } from 'commander'
import type { Config } from '../platform/config/settings.ts'
import { type Comuns, consultar } from './consultar-chamada.ts'
import { descrever } from './tabelas.ts'

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
