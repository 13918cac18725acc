import { type Command, InvalidArgumentError, Option } from 'commander'
import { readDocumento, readUf } from '../documento/digitado.ts'
import type { Documento } from '../documento/documento.ts'
import { type Ambito, findAmbito, ufs } from '../documento/uf.ts'
import { estados } from '../estados/estados.ts'
import { type Books, openBooks } from '../platform/books.ts'
import { ambienteOf } from '../platform/config/config.ts'
import type { Config } from '../platform/config/settings.ts'
import { messageOf } from '../platform/errors.ts'
import { listLeituras } from '../platform/wire/leituras.ts'
import type { Estado } from '../portal/estado.ts'
import { describeFontes, type RotaDescrita, type Servico, servicos } from '../portal/fonte.ts'
import type { Capacidade } from '../portal/rotas.ts'
import { openSessoes } from '../rural/store.ts'
import { showFontes } from './command-table.ts'
import { showVerificacoes, verifyRotas } from './command-verificar.ts'
import { readNacionais } from './lookup.ts'
import { listNacionais, type Nacionais } from './nacionais.ts'
import { isFailure } from './verificacao.ts'

const CABECALHO = `| UF | Service | Order | Source | Route | Host | Documents | Captcha | Certainty | Evidence | Date |
|---|---|---|---|---|---|---|---|---|---|---|
`

const INTRODUCAO = `# How each state is asked

Every route of the 27 states, in the order in which it is tried, from the states' own files (\`src/estados/\`), and
[the national sources](#national-sources).
This page is made by \`npm run -s fiscal -- fontes --markdown > docs/states.md\`; a test keeps it true.

**Certainty.** \`verificado\`: seen in a source of 2024 or later. \`antigo\`: seen in an older one. \`memoria\`: remembered.
\`desconhecido\`: nobody tells what the page is asked, so that it is never asked, live or simulated. No route was asked for real yet:
\`fiscal fontes verificar\` does it. What an operator should know besides is the \`nota\` of \`fiscal fontes\`.

${CABECALHO}`

const ABRANGENCIAS = `
## What the certificates cover

Debts inscribed in the dívida ativa (\`inscritos\`), the others (\`nao-inscritos\`), or both. Where a part is left out, \`avisos\` says
so in the answer.

| Route | Covers | Evidence |
|---|---|---|
`

const NACIONAIS = `
## National sources

They are in \`src/fontes/nacionais.ts\`. Some need what the operator brings: a contract (\`SERPRO_KEY\`), a connector
(\`CNIR_URL\`), a session (SIGEF), or who solves captchas for BR.

${CABECALHO}`

/** All of them, as a service in production that lacks nothing has them. */
const todas = listNacionais({
  nfe: 'producao',
  ccc: true,
  contrato: true,
  cnir: true,
  rotasFederais: 'contrato,portal',
  sigef: undefined,
  acervo: true,
})

export function writeFontes(estados: Iterable<Estado>): string {
  const all = [...estados]
  const rows = all.flatMap((estado) =>
    servicos.flatMap((servico) =>
      estado[servico].map((rota, index) => rowOf(estado.uf, servico, index + 1, rota)),
    ),
  )
  const abrangencias = all.flatMap(({ cnd }) =>
    cnd.map(({ source, abrange: { debitos, origem } }) => `| ${source.id} | ${debitos} | ${origem} |\n`),
  )
  const nacionais = todas.map(([{ uf, servico, ordem }, rota]) => rowOf(uf, servico, ordem, rota))
  return `${INTRODUCAO}${rows.join('')}${ABRANGENCIAS}${abrangencias.join('')}${NACIONAIS}${nacionais.join('')}`
}

function rowOf(uf: string, servico: string, ordem: number, rota: RotaDescrita): string {
  const { source, familia, url, aceita, captcha, certeza, origem, em } = rota
  const asks = captcha === 'nenhum' ? '' : `${captcha.tipo} (${captcha.quando})`
  const host = new URL(url).host
  const cells = [uf, servico, ordem, source.id, familia, host, aceita.join(', '), asks, certeza, origem, em]
  return `| ${cells.join(' | ')} |\n`
}

export type FontesSettings = { config: Config; now: () => Date }

const EXEMPLOS = `
Exemplos:
  fiscal fontes verificar                          todas as rotas de todos os estados
  fiscal fontes verificar SP MT --servico cnd      só a certidão, em dois estados
  fiscal fontes verificar --cnpj 00000000000191    com um CNPJ que você conhece
  fiscal fontes verificar BR --cnpj …              o cadastro nacional, comparado com os estados

Sem --cnpj nem --cpf, pergunta em cada estado pelo documento de exemplo, que só o simulador tem cadastrado: dos órgãos
de verdade a resposta certa é que não há inscrição. Use um CNPJ conhecido para conferir também os dados.
Nada é cobrado, guardado em cache nem somado ao que "fiscal fontes" mostra. BR consulta o cadastro nacional (CCC),
qualquer que seja o ajuste CCC, e o compara com até três estados. Não são consultadas as fontes da NF-e, que pedem o
certificado de um cliente, nem as da Receita Federal, do CNIR e do SIGEF, que gastam consultas pagas, captchas ou a
sessão do operador: "fiscal fontes BR" mostra como elas vêm respondendo.

Termina com 0 quando nenhuma rota falhou e com 1 quando alguma que podia ser consultada falhou: serve no cron.`

/** `fiscal fontes`: how each state is asked, how it has been answering, and whether it answers now. */
export function addFontesCommands(program: Command, settings: FontesSettings): void {
  const command = program
    .command('fontes')
    .description(
      'como cada estado e as fontes nacionais são consultados e como têm respondido na última hora',
    )
    .argument('[uf...]', 'só estes estados; BR são as fontes nacionais', parseAmbito)
    .addOption(json())
    .option(
      '--markdown',
      'escreve a página docs/states.md: todas as rotas, com a certeza e a evidência de cada uma',
    )
    .action((chosen: Ambito[] = [], options: { json?: true; markdown?: true }) => {
      if (options.markdown) process.stdout.write(writeFontes(estados.values()))
      else return list(settings, chosen, options.json === true)
    })
  command
    .command('verificar')
    .description('consulta agora cada rota de cada estado e diz quais respondem')
    .argument('[uf...]', 'só estes estados; BR é o cadastro nacional (CCC)', parseAmbito)
    .option('--servico <servico>', 'só ie (inscrição estadual) ou só cnd (certidão)', parseServico)
    .option('--cnpj <cnpj>', 'pergunta por este CNPJ, em vez do exemplo', parseDocumento('cnpj'))
    .addOption(
      new Option('--cpf <cpf>', 'pergunta por este CPF, em vez do exemplo')
        .argParser(parseDocumento('cpf'))
        .conflicts('cnpj'),
    )
    .addOption(json())
    .addHelpText('after', EXEMPLOS)
    .action((chosen: Ambito[] = [], _options: unknown, own: Command) =>
      verify(settings, chosen, own.optsWithGlobals()),
    )
}

async function list({ config, now }: FontesSettings, chosen: Ambito[], asJson: boolean): Promise<void> {
  const books = await openBooks(config, now, false)
  try {
    const ambiente = ambienteOf(config)
    const leituras = await listLeituras(books.db, { now: now(), ambiente })
    const wanted = wantedOf(chosen)
    const showsBr = chosen.length === 0 || chosen.includes('BR')
    const nacionais = showsBr ? listNacionais(await nacionaisOf({ config, now }, books)) : []
    const fontes = describeFontes({ ...wanted, nacionais }, recursosOf(config), leituras)
    showFontes(fontes, { ...wanted, ambiente, json: asJson })
  } finally {
    await books.close()
  }
}

type VerifyOptions = { servico?: Servico; cnpj?: string; cpf?: string; json?: true }

async function verify(settings: FontesSettings, chosen: Ambito[], options: VerifyOptions): Promise<void> {
  const wanted = wantedOf(chosen)
  const verificacoes = await verifyRotas(settings, {
    estados: wanted.estados,
    servicos: options.servico ? [options.servico] : servicos,
    ccc: chosen.includes('BR') && options.servico !== 'cnd',
    documento: documentoOf(options),
    json: options.json === true,
  })
  const ambiente = ambienteOf(settings.config)
  showVerificacoes(verificacoes, { ...wanted, ambiente, json: options.json === true })
  if (verificacoes.some(isFailure)) process.exitCode = 1
}

function documentoOf({ cnpj, cpf }: VerifyOptions): Documento | undefined {
  if (cnpj) return { tipo: 'cnpj', documento: cnpj }
  return cpf ? { tipo: 'cpf', documento: cpf } : undefined
}

function wantedOf(chosen: readonly Ambito[]) {
  const wanted = chosen.length > 0 ? ufs.filter((uf) => chosen.includes(uf)) : ufs
  return {
    estados: wanted.flatMap((uf) => estados.get(uf) ?? []),
    desligados: wanted.filter((uf) => !estados.has(uf)),
  }
}

/** The simulator brings its own certificate and solver. */
function recursosOf({ AUTHORITIES, A1_FILE, CAPTCHA_WEBHOOK_URL, CAPTCHA_UFS }: Config): Capacidade {
  const simulado = AUTHORITIES === 'simulator'
  const takes = (uf: Ambito): boolean =>
    CAPTCHA_UFS ? CAPTCHA_UFS.has(uf) && (simulado || CAPTCHA_WEBHOOK_URL !== undefined) : simulado
  return { certificado: simulado || A1_FILE !== undefined, captcha: { takes } }
}

/** The simulator brings the keys of the contract and a connector. */
function nacionaisOf({ config, now }: FontesSettings, { db, secret }: Books): Promise<Nacionais> {
  const simulado = config.AUTHORITIES === 'simulator'
  return readNacionais({
    config,
    sessoes: openSessoes(db, { secret, now, simulador: simulado }),
    now,
    hasContrato: simulado || config.SERPRO_KEY !== undefined,
    hasConector: simulado || config.CNIR_URL !== undefined,
    hasSimulated: simulado,
  })
}

const json = (): Option => new Option('--json', 'escreve JSON em vez de tabela')

function parseAmbito(text: string, previous: Ambito[] = []): Ambito[] {
  const ambito = findAmbito(text) ?? asArgument(() => readUf(text))
  return [...previous, ambito]
}

/** What commander shows of a mistake in an argument. */
function asArgument<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new InvalidArgumentError(messageOf(error))
  }
}

function parseServico(text: string): Servico {
  const found = servicos.find((servico) => servico === text)
  if (found) return found
  throw new InvalidArgumentError('envie ie ou cnd.')
}

const parseDocumento =
  (tipo: Documento['tipo']) =>
  (text: string): string =>
    asArgument(() => readDocumento(text, tipo).documento)
