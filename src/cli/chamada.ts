import { readFile, writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import {
  type Cliente,
  ErroDaFonte,
  ErroFiscal,
  type Fluxo,
  operacoes,
  type Recibo,
  type Resposta,
} from '@consulta-fiscal/cliente'
import type { Command } from 'commander'
import { cleanChave, formatoDaChaveProblem } from '../documento/chave.ts'
import { readDocumento, semAspas } from '../documento/digitado.ts'
import type { Config } from '../platform/config/settings.ts'
import type { Apresentar, PapelDaResposta } from '../platform/pages/apresentacao.ts'
import { countOf, semPrograma } from '../platform/pages/formatos.ts'
import { clienteDoServico, enderecoDoServico, readChave, readEndereco } from '../platform/servico.ts'
import { canRewrite, columnsOf, partAside, semControle, tellAside } from '../platform/terminal.ts'
import { thousands } from '../platform/texto.ts'
import { codeOf } from '../platform/wire/fonte.ts'
import { semServico } from './ajuda.ts'
import { type DeUmEstado, drawApresentacao } from './respostas.ts'

/** What the command ends with: 1 where repeating does not help, 2 where it may. */
const CODIGOS_DE_SAIDA = { isFinal: 1, mayPass: 2 } as const

/** Tells a failure of a call on stderr, with what to do, and sets the exit code. Throws any other. */
function tellFalha(erro: unknown, de: Servico, json: true | undefined): void {
  if (!(erro instanceof ErroFiscal)) throw erro
  const { codigo, message, retryable, retryAfterS, requestId } = erro
  process.exitCode = retryable ? CODIGOS_DE_SAIDA.mayPass : CODIGOS_DE_SAIDA.isFinal
  if (json)
    console.log(
      JSON.stringify({
        error_code: codigo,
        error_message: message,
        retryable,
        retry_after_s: retryAfterS ?? null,
        request_id: requestId ?? null,
      }),
    )
  const onde = erro instanceof ErroDaFonte && erro.uf !== '' ? ` (${erro.uf})` : ''
  tellAside(semControle(`${codigo}${onde}: ${message}`), 'ruim')
  tellAside(conselhoDe(erro, de))
  if (codigo === 'CONEXAO') return
  tellAside(`Mais sobre ${codigo}: ${enderecoDoServico(de)}/erros#${codigo}`, 'suave')
  if (requestId !== undefined) tellAside(`Requisição ${requestId}.`, 'suave')
}

/** What helps with these codes: the service tells the reason alone. */
const conselhos: Readonly<Record<string, (de: Servico) => string>> = {
  NAO_AUTENTICADO: ({ FISCAL_CHAVE }) =>
    `${problemaDaChave(FISCAL_CHAVE)}Confira FISCAL_CHAVE: a chave atual está nas configurações do painel.`,
  LIMITE_ATINGIDO: () => 'A cota renova no primeiro dia do mês; o operador pode conceder créditos extras.',
  LIMITE_PLANO: () => 'A cota renova no primeiro dia do mês; o operador pode conceder créditos extras.',
  CONEXAO: semServico,
  CERTIFICADO_INVALIDO: () =>
    'Confira o arquivo e a senha dele: FISCAL_CERTIFICADO_SENHA, entre aspas simples no .env se tiver # ou espaços.',
  EM_PROCESSAMENTO: () => 'A certidão está sendo emitida: repita o comando, ou use --esperar.',
}

const KEY_LENGTH = 41

/** Without the key: it is counted, and nothing of it is shown. */
const problemaDaChave = (chave = ''): string =>
  chave.startsWith('fk_') && chave.length !== KEY_LENGTH
    ? `A chave enviada tem ${chave.length} caracteres, e uma inteira tem ${KEY_LENGTH}. `
    : ''

function conselhoDe({ codigo, retryable, retryAfterS }: ErroFiscal, de: Servico): string {
  const proprio = conselhos[codigo]?.(de)
  if (proprio !== undefined) return proprio
  if (!retryable) return 'Repetir igual não adianta.'
  return retryAfterS === undefined ? 'Tente de novo mais tarde.' : `Tente de novo em ${retryAfterS} s.`
}

/** Somebody waits at the terminal: a source that asks for more time is a failure that says how much. */
const MAIOR_ESPERA_MS = 5_000

export type Comuns = { endereco?: string; chave?: string; json?: true }

type Servico = Pick<Config, 'PORT' | 'FISCAL_ENDERECO' | 'FISCAL_CHAVE'>

type Recebida<R> = { dados: R; recibo: Partial<Recibo> }

/** The answer goes to stdout, its verdict first; what is beside it goes to stderr, and a failure too. */
export async function runConsulta<R extends object>(
  config: Config,
  { endereco, chave, json }: Comuns,
  { nome, ask, loadApresentar, deUmEstado, save }: ConsultaNoTerminal<R>,
): Promise<void> {
  const { PORT, FISCAL_ENDERECO, FISCAL_CHAVE } = config
  const de = {
    PORT,
    FISCAL_ENDERECO: endereco === undefined ? FISCAL_ENDERECO : readEndereco(endereco),
    FISCAL_CHAVE: chave === undefined ? FISCAL_CHAVE : readChave(chave),
  }
  try {
    const [{ dados, recibo }, apresentar] = await Promise.all([
      ask(clienteDoServico(de, { esperaMaximaMs: MAIOR_ESPERA_MS })),
      // While the service is at work: who presents an answer knows all states, which takes a moment to load.
      loadApresentar(),
    ])
    const limpos = semControle(dados)
    if (json) console.log(JSON.stringify(dados, null, 2))
    const agora = new Date()
    const dita = apresentar(limpos, agora)
    if (!json)
      console.log(drawApresentacao(dita, { consulta: nome, custo: custoDe(recibo), deUmEstado, agora }))
    partAside()
    for (const aviso of avisosDe(limpos)) tellAside(`Aviso: ${semPrograma(aviso)}`)
    await save?.(dados, dita.papel)
    tellAside(contaDe(recibo), 'suave')
  } catch (erro) {
    tellFalha(erro, de, json)
  }
}

export type ConsultaNoTerminal<R extends object> = {
  /** Of the lookup, as its declaration has it. */
  nome: string
  ask: (fiscal: Cliente) => Promise<Recebida<R>>
  loadApresentar: () => Promise<Apresentar>
  /** Commands that ask one of all states alone. */
  deUmEstado?: DeUmEstado | undefined
  save?: ((dados: R, papel: PapelDaResposta | undefined) => Promise<void>) | undefined
}

const custoDe = ({ creditosCobrados }: Partial<Recibo>): string[] =>
  creditosCobrados === undefined ? [] : [countOf(creditosCobrados, 'crédito', 'créditos')]

const avisosDe = (dados: object): readonly string[] =>
  'avisos' in dados && Array.isArray(dados.avisos) ? dados.avisos.map(String) : []

function contaDe(recibo: Partial<Recibo>): string {
  const { creditosRestantes, requestId } = recibo
  const resto = creditosRestantes === undefined ? [] : [`restam ${thousands(creditosRestantes)}`]
  return `${[...custoDe(recibo), ...resto, `requisição ${requestId ?? 'desconhecida'}`].join('; ')}.`
}

/** Reads a stream to its end, and tells on a terminal how far it is. */
export async function readToEnd<R extends object>(
  fluxo: Fluxo<object, R>,
  { quantas, nome }: { quantas?: number; nome: string },
): Promise<Recebida<R>> {
  const isRewritten = canRewrite()
  let feitas = 0
  const show = (what: string): void => {
    if (isRewritten) process.stderr.write(`\r\x1b[K${what.slice(0, columnsOf(process.stderr) - 1)}`)
  }
  const total = quantas === undefined ? nome : `de ${quantas} ${nome}`
  show(`0 ${total}`)
  try {
    for await (const parte of fluxo) {
      feitas += 1
      const qual = 'uf' in parte ? parte.uf : 'secao' in parte ? parte.secao : ''
      show(`${feitas} ${total}: ${qual}`)
    }
  } finally {
    show('')
  }
  if (!fluxo.resultado) throw new Error('A resposta terminou antes do fim. Tente de novo.')
  return { dados: fluxo.resultado, recibo: fluxo.recibo ?? {} }
}

/** Writes the PDF of a certificate, for the owner of the file alone; without a file, says how to get one. */
export async function savePdf(
  arquivo: string | undefined,
  papel: PapelDaResposta | undefined,
): Promise<void> {
  if (arquivo === undefined) {
    if (papel) tellAside('A certidão veio em PDF, que --pdf <arquivo> escreve.', 'suave')
    return
  }
  if (!papel) {
    tellAside('Esta certidão veio sem PDF: nenhum arquivo foi escrito.')
    return
  }
  await writeFile(arquivo, Buffer.from(papel.base64, 'base64'), { mode: 0o600 })
  tellAside(`PDF em ${arquivo}.`)
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
    .argument('<chave>', 'a chave de acesso, 44 dígitos, com ou sem espaços e pontos')
    .description(
      `${operacoes.consultarNfeXml.nome}: assinado, com o certificado A1 de um participante (3 créditos)`,
    )
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
        nome: operacoes.consultarNfeXml.nome,
        ask: (fiscal) => fiscal.consultarNfeXml.comRecibo(pedido),
        loadApresentar: async () => (await import('../nfe/apresentacao.ts')).apresentarNfeXml,
        save: (dados) => saveXml(dados, opcoes.arquivo),
      })
    })
}

/** The first byte of PKCS#12, and of nothing in PEM. */
const SEQUENCE = 0x30

async function pedidoDe(dada: string, opcoes: Opcoes, config: Config) {
  const chave = cleanChave(semAspas(dada)).replace(/^NFe/i, '')
  const problema = formatoDaChaveProblem(chave)
  if (problema !== undefined) throw new Error(`${semAspas(dada)} não é uma chave de acesso: ${problema}.`)
  const arquivo = opcoes.certificado ?? config.FISCAL_CERTIFICADO
  if (arquivo === undefined)
    throw new Error('Falta o certificado A1: use --certificado arquivo.pfx, ou FISCAL_CERTIFICADO.')
  const conteudo = await readFile(arquivo).catch((erro: unknown) => {
    throw new Error(
      codeOf(erro) === 'ENOENT'
        ? `Não há o arquivo ${arquivo}. Confira o caminho do certificado (procurado a partir de ${process.cwd()}).`
        : `Não consegui ler o certificado ${arquivo}. Confira o caminho e as permissões.`,
    )
  })
  if (conteudo[0] !== SEQUENCE)
    throw new Error(
      `${arquivo} não é um certificado A1 (.pfx ou .p12). Um .cer, .crt ou .pem tem só a parte pública: exporte o A1 com a chave privada.`,
    )
  const senha = config.FISCAL_CERTIFICADO_SENHA ?? (await askSenha('Senha do certificado: '))
  return {
    chave,
    certificado: conteudo.toString('base64'),
    senha,
    manifestar: opcoes.manifestar === true,
    ...(opcoes.simular && { simular: true }),
    ...(opcoes.cnpj !== undefined && { cnpj: readDocumento(opcoes.cnpj, 'cnpj').documento }),
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
    tellAside(`XML em ${onde}.`)
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
