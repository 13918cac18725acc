import { accessSync, constants, readFileSync } from 'node:fs'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { type Command, InvalidArgumentError } from 'commander'
import type { Config } from '../platform/config/settings.ts'
import { clienteDoServico, enderecoDoServico } from '../platform/servico.ts'
import { ferramentasDe, readDocumento } from './ferramentas.ts'
import { openOrcamento } from './resultado.ts'
import { createServidor, type RecursosDoMcp } from './servidor.ts'

type Opcoes = { limiteCreditos: number; permitirManifestacao?: true; certificado?: string }

/** `fiscal mcp`: the lookups as tools of a model, over stdin and stdout. */
export function addMcpCommand(program: Command, { config, now }: { config: Config; now: () => Date }): void {
  program
    .command('mcp')
    .description('as consultas como ferramentas de um modelo de linguagem (MCP, por stdio)')
    .option('--limite-creditos <quantos>', 'o máximo que o modelo gasta em uma hora', parseCreditos, 60)
    .option(
      '--certificado <arquivo>',
      'arquivo A1 para o XML de notas; a senha vem de FISCAL_CERTIFICADO_SENHA',
    )
    .option('--permitir-manifestacao', 'deixa o modelo registrar a manifestação do destinatário na SEFAZ')
    .addHelpText('after', AJUDA)
    .action(async (opcoes: Opcoes) => {
      const recursos = recursosDe(config, opcoes, now)
      const documento = await readDocumento(enderecoDoServico(config))
      const permissoes = { certificado: recursos.certificado !== undefined, manifestar: recursos.manifestar }
      const ferramentas = ferramentasDe(documento, permissoes)
      // stdout belongs to the protocol: a line there that is no message would end the conversation.
      const log = (linha: string) => console.error(`${now().toISOString()} ${linha}`)
      const versao: string = JSON.parse(readFileSync(MANIFESTO, 'utf8')).version
      serveStdio(() => createServidor(ferramentas, recursos, { versao, log }), {
        onerror: (erro) => log(`protocolo: ${erro.name}`),
      })
      log(`${ferramentas.length} ferramentas; limite de ${opcoes.limiteCreditos} créditos por hora`)
    })
}

const MANIFESTO = new URL('../../package.json', import.meta.url)

const AJUDA = `
O serviço e a chave vêm de FISCAL_ENDERECO e FISCAL_CHAVE. Como configurar: /docs/mcp/ no serviço.`

function parseCreditos(texto: string): number {
  if (!/^\d{1,7}$/.test(texto))
    throw new InvalidArgumentError('envie um número inteiro de créditos, como 60.')
  return Number(texto)
}

/** Throws an Error that says what is missing or cannot be read. */
function recursosDe(config: Config, opcoes: Opcoes, now: () => Date): RecursosDoMcp {
  const arquivo = opcoes.certificado ?? config.FISCAL_CERTIFICADO
  const manifestar = opcoes.permitirManifestacao === true
  if (arquivo === undefined && manifestar)
    throw new Error('--permitir-manifestacao pede um certificado: --certificado ou FISCAL_CERTIFICADO.')
  if (arquivo !== undefined && !canRead(arquivo))
    throw new Error(`Não consegui ler o certificado ${arquivo}. Confira o caminho e as permissões.`)
  return {
    // A model decides itself whether to repeat: a repetition that it does not see could cost twice.
    fiscal: clienteDoServico(config, { tentativas: 1 }),
    orcamento: openOrcamento(opcoes.limiteCreditos, () => now().getTime()),
    certificado:
      arquivo === undefined ? undefined : { arquivo, senha: config.FISCAL_CERTIFICADO_SENHA ?? '' },
    manifestar,
  }
}

function canRead(arquivo: string): boolean {
  try {
    accessSync(arquivo, constants.R_OK)
    return true
  } catch {
    return false
  }
}
