import { readFileSync } from 'node:fs'
import { type Command, Option } from 'commander'
import { say } from '../platform/terminal.ts'
import {
  COOKIE_DO_SIGEF,
  COOKIES_DO_LOGIN,
  type CookieDaSessao,
  CookiesError,
  type DadosDaSessao,
  HOST_DO_SIGEF,
  isDoLogin,
  readCookies,
  situacaoDaSessao,
} from './rules.ts'
import type { Sessoes } from './store.ts'

type Options = {
  open: () => Promise<{ sessoes: Sessoes; close: () => Promise<void> }>
  now: () => Date
  /** Whether the simulator plays a session, which serves where none was imported. */
  hasSimulated: boolean
}

const COMO = `
Entre no SIGEF (https://sigef.incra.gov.br) com a sua conta gov.br, de nível Prata ou mais, e exporte os cookies:
  - um cookies.txt (formato Netscape), com os de sigef.incra.gov.br e de sso.acesso.gov.br, ou
  - o valor do cabeçalho Cookie, copiado das ferramentas do navegador (uma linha para cada um dos dois sites).
Só os cookies desses sites são guardados, cifrados com o segredo do servidor. Nenhuma senha é pedida.
O cabeçalho colado não aparece no histórico do terminal se vier pela entrada: fiscal sigef sessao importar -`

/** `fiscal sigef sessao`: the operator's session with SIGEF. It works beside a running server. */
export function addSigefCommands(program: Command, { open, now, hasSimulated }: Options): void {
  const sessao = program
    .command('sigef')
    .description('SIGEF (INCRA): a sessão do operador, pela qual o serviço pergunta')
    .command('sessao')
    .description('importa, mostra e apaga a sessão do operador no SIGEF')
  const using = async (work: (sessoes: Sessoes) => Promise<void>): Promise<void> => {
    const opened = await open()
    try {
      await work(opened.sessoes)
    } finally {
      await opened.close()
    }
  }
  sessao
    .command('importar <arquivo>')
    .description('guarda a sessão de um cookies.txt ou de um cabeçalho Cookie colado; "-" lê da entrada')
    .addOption(json())
    .addHelpText('after', COMO)
    .action((arquivo: string, options: { json?: true }) => {
      const cookies = readCookies(readText(arquivo), now())
      return using(async (sessoes) => {
        const dados = await sessoes.keepImported(cookies)
        if (options.json) console.log(JSON.stringify({ ...toJson(dados, now()), cookies: namesOf(cookies) }))
        else showImported(cookies, dados, now())
      })
    })
  sessao
    .command('mostrar')
    .description('diz como está a sessão e quando acaba, sem mostrar cookie algum')
    .addOption(json())
    .action((options: { json?: true }) =>
      using(async (sessoes) => {
        const dados = await sessoes.look()
        if (!dados && hasSimulated) showSimulada(options)
        else if (options.json) console.log(JSON.stringify(toJson(dados, now())))
        else showSessao(dados, now())
      }),
    )
  sessao
    .command('apagar')
    .description('apaga a sessão: sem outra, o serviço responde SIGEF_NO_SESSION')
    .addOption(json())
    .action((options: { json?: true }) =>
      using(async (sessoes) => {
        const apagada = await sessoes.delete()
        if (options.json) console.log(JSON.stringify({ apagada }))
        else say(apagada ? 'Sessão apagada.' : 'Não havia sessão.')
      }),
    )
}

const json = (): Option => new Option('--json', 'escreve JSON em vez de texto')

const MOST_BYTES = 16 * 1024 * 1024

function readText(arquivo: string): string {
  try {
    const bytes = readFileSync(arquivo === '-' ? 0 : arquivo)
    if (bytes.length > MOST_BYTES) throw new CookiesError('O texto é grande demais para ser de cookies.')
    return bytes.toString('utf8')
  } catch (error) {
    if (error instanceof CookiesError) throw error
    throw new CookiesError(`O arquivo ${arquivo} não pôde ser lido.`)
  }
}

const namesOf = (cookies: readonly CookieDaSessao[]): string[] =>
  cookies.map(({ dominio, nome }) => `${dominio} ${nome}`)

function showImported(cookies: readonly CookieDaSessao[], dados: DadosDaSessao, now: Date): void {
  say(`Cookies guardados: ${namesOf(cookies).join(', ')}`)
  const missing = [
    ...(cookies.some(({ nome, dominio }) => nome === COOKIE_DO_SIGEF && dominio === HOST_DO_SIGEF)
      ? []
      : [`${COOKIE_DO_SIGEF} (${HOST_DO_SIGEF}): o serviço o obtém pelo login gov.br`]),
    ...COOKIES_DO_LOGIN.filter((name) => !cookies.some((one) => isDoLogin(one) && one.nome === name)),
  ]
  if (missing.length > 0) say(`Faltam: ${missing.join(', ')}`)
  showSessao(dados, now)
}

function showSessao(dados: DadosDaSessao | undefined, now: Date): void {
  const { situacao, aviso } = situacaoDaSessao(dados, now)
  say(`Sessão: ${situacao}`)
  if (dados) {
    say(`Importada em: ${instant(dados.importada_em)}`)
    say(`Conferida em: ${dados.renovada_em ? instant(dados.renovada_em) : 'ainda não'}`)
    say(`No SIGEF até: ${instant(dados.vence_em)}${dados.renovavel ? ', e é renovada antes' : ''}`)
    if (dados.renovavel)
      say(`Login gov.br até: ${dados.login_ate ? instant(dados.login_ate) : 'não se sabe'}`)
  }
  if (aviso !== '') say(aviso)
}

function showSimulada({ json }: { json?: true }): void {
  if (json) console.log(JSON.stringify({ situacao: 'simulador', aviso: '' }))
  else say('Sessão: simulador (nenhuma foi importada, e o simulador não precisa de uma)')
}

function toJson(dados: DadosDaSessao | undefined, now: Date) {
  const { situacao, aviso } = situacaoDaSessao(dados, now)
  if (!dados) return { situacao, aviso }
  const { importada_em, renovada_em, vence_em, login_ate, renovavel } = dados
  return { situacao, aviso, importada_em, renovada_em, vence_em, login_ate, renovavel }
}

const instant = (at: Date): string =>
  at.toLocaleString('pt-BR', { timeZone: 'America/Sao_Paulo', dateStyle: 'short', timeStyle: 'medium' })
