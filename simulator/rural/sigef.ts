import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { type Efeito, OUTRO_DOCUMENTO } from '../mundo/comportamento.ts'
import { sendWithEfeito } from '../mundo/efeito.ts'
import { type Autoridade, type Mensagem, type Opcoes, type Pedido, send } from '../platform/autoridade.ts'
import { writePagina } from '../platform/soap.ts'
import { readPedido } from '../portal/mensagem.ts'
import { casoRural, efeitoRural } from './efeito.ts'
import { imoveisReservados } from './imoveis.ts'
import { type Parcela, parcelaDo, parcelasDe } from './parcelas.ts'
import {
  layoutNovo,
  POR_PAGINA,
  paginaDaLista,
  paginaDaParcela,
  paginaDeLogin,
  paginaDoSigef,
  paginaMudada,
  redirectTo,
  requestRejected,
} from './sigef-paginas.ts'

/** Makes and knows values that only this simulator gives: they carry their end, so nothing is remembered. */
export type Selo = {
  /** 32 small letters and digits, as Django's `sessionid`. `sal`: four of them; drawn when left out. */
  issue: (uso: string, ate: Date, sal?: string) => string
  /** How a value stands: ours and in force, ours and over, or none of ours. */
  check: (uso: string, valor: string | undefined, agora: Date) => 'vale' | 'vencido' | 'alheio'
}

/** The seals of one seed. A simulator that starts again with the same seed knows what it gave before. */
export function createSelo(semente: string): Selo {
  const mark = (uso: string, corpo: string): string =>
    createHmac('sha256', semente).update(`${uso} ${corpo}`).digest('hex').slice(0, 20)
  return {
    issue: (uso, ate, sal = randomBytes(2).toString('hex')) => {
      const corpo = Math.floor(ate.getTime() / 1000)
        .toString(36)
        .padStart(8, '0')
      return corpo + sal + mark(uso, corpo + sal)
    },
    check: (uso, valor = '', agora) => {
      if (!/^[0-9a-z]{32}$/.test(valor)) return 'alheio'
      const nosso = timingSafeEqual(Buffer.from(mark(uso, valor.slice(0, 12))), Buffer.from(valor.slice(12)))
      if (!nosso) return 'alheio'
      return Number.parseInt(valor.slice(0, 8), 36) * 1000 > agora.getTime() ? 'vale' : 'vencido'
    },
  }
}

/** SIGEF's own cookies, and those of gov.br that renew them. */
const COOKIES = {
  sessao: 'sessionid',
  csrf: 'csrftoken',
  f5: 'TS0128ff67',
  sessaoGovBr: 'Session_Gov_Br_Prod',
  govBr: 'Govbrid',
} as const

/** About four hours (a public client's notes, 2026-01-18). */
const SESSAO_MS = 4 * 3_600_000

const SEMPRE = new Date('2099-12-31T00:00:00Z')
const OUTRORA = new Date('2020-01-01T00:00:00Z')

type Cookies = ReadonlyMap<string, string>

type Visitante = {
  /** The firewall refuses a cookie of its own that it did not give. None at all is taken. */
  barrado: boolean
  comSessao: boolean
}

function readVisitante(selo: Selo, cookies: Cookies, agora: Date): Visitante {
  const f5 = cookies.get(COOKIES.f5)
  return {
    barrado: f5 !== undefined && selo.check('f5', f5, agora) !== 'vale',
    comSessao: selo.check('sigef', cookies.get(COOKIES.sessao), agora) === 'vale',
  }
}

/** Whether gov.br still knows its visitor: by both of its cookies. */
function hasLogin(selo: Selo, cookies: Cookies, agora: Date): boolean {
  const isValid = (uso: string, nome: string) => selo.check(uso, cookies.get(nome), agora) === 'vale'
  return isValid('govbr', COOKIES.sessaoGovBr) && isValid('govbrid', COOKIES.govBr)
}

function novaSessao(selo: Selo, agora: Date): string[] {
  const sessao = selo.issue('sigef', new Date(agora.getTime() + SESSAO_MS))
  return [
    `${COOKIES.sessao}=${sessao}; HttpOnly; Max-Age=${SESSAO_MS / 1000}; Path=/; SameSite=Lax; Secure`,
    `${COOKIES.f5}=${selo.issue('f5', SEMPRE)}; Path=/`,
  ]
}

/** `Cookie` headers for a service to try: the first is good, the others each fail in their way. */
type AcessoAoSigef = {
  cookies: string
  outros: {
    renovavel: string
    encerrado: string
    recusado: string
  }
}

/** The cookies of a seed: the same after a restart. */
function acessoAoSigef(selo: Selo): AcessoAoSigef {
  const write = (sessao: Date, govBr: Date, f5 = selo.issue('f5', SEMPRE, '0000')): string =>
    [
      `${COOKIES.sessao}=${selo.issue('sigef', sessao, '0000')}`,
      `${COOKIES.csrf}=${selo.issue('csrf', SEMPRE, '0000')}`,
      `${COOKIES.f5}=${f5}`,
      `${COOKIES.sessaoGovBr}=${selo.issue('govbr', govBr, '0000')}`,
      `${COOKIES.govBr}=${selo.issue('govbrid', govBr, '0000')}`,
    ].join('; ')
  return {
    cookies: write(SEMPRE, SEMPRE),
    outros: {
      renovavel: write(OUTRORA, SEMPRE),
      encerrado: write(OUTRORA, OUTRORA),
      recusado: write(SEMPRE, SEMPRE, '01a2b3c4d5'),
    },
  }
}

const HOST = 'sigef.incra.gov.br'
/** Where SIGEF sends who has no session. */
const ENTRADA = '/oauth2/authorization/govbr'

const SSO = 'sso.acesso.gov.br'
const VOLTA = '/login/oauth2/code/govbr'

/** A login that began, and the code that ends it, are good for so long. */
const PRAZO_MS = 120_000

/** The login of gov.br: it sends back who has its cookies, and shows its form to all others. */
export const createGovBr = ({ agora, selo }: Opcoes & { selo: Selo }): Autoridade => ({
  nome: 'gov.br, acesso único',
  hosts: [SSO],
  asksCertificado: false,
  answer: (pedido, resposta) => send(enter(pedido, selo, agora()), resposta),
})

function enter(pedido: Pedido, selo: Selo, agora: Date): Mensagem {
  const { caminho, consulta } = pedido
  if (caminho === '/login') return paginaDeLogin()
  const nosso = consulta.get('redirect_uri') === `https://${HOST}${VOLTA}`
  if (caminho !== '/authorize' || !nosso) return writePagina(404, 'Not Found')
  const { cookies } = readPedido(pedido, { charset: 'utf-8', motor: 'java' })
  if (!hasLogin(selo, cookies, agora))
    return redirectTo(
      `https://${SSO}/login?client_id=${HOST}&authorization_id=${selo.issue('visita', depois(agora))}`,
    )
  const volta = new URLSearchParams({
    code: selo.issue('codigo', depois(agora)),
    state: consulta.get('state') ?? '',
  })
  return redirectTo(`https://${HOST}${VOLTA}?${volta}`)
}

/** The first step of a login at SIGEF: to gov.br. */
function startLogin(selo: Selo, agora: Date): Mensagem {
  const pergunta = new URLSearchParams({
    response_type: 'code',
    client_id: HOST,
    scope: 'openid email phone profile govbr_confiabilidades',
    state: selo.issue('state', depois(agora)),
    redirect_uri: `https://${HOST}${VOLTA}`,
    nonce: selo.issue('nonce', depois(agora)),
  })
  return redirectTo(`https://${SSO}/authorize?${pergunta}`)
}

/** The last step: a new session for who comes back with a code; the login again for all others. */
function finishLogin(selo: Selo, consulta: URLSearchParams, agora: Date, resposta: ServerResponse): Mensagem {
  const isValid = (uso: string, nome: string) => selo.check(uso, consulta.get(nome) ?? '', agora) === 'vale'
  if (!isValid('codigo', 'code') || !isValid('state', 'state')) return redirectTo(ENTRADA)
  resposta.setHeader('set-cookie', novaSessao(selo, agora))
  return redirectTo('/')
}

const depois = (agora: Date): Date => new Date(agora.getTime() + PRAZO_MS)

const LISTA = '/consultar/parcelas/'
const DETALHE = /^\/geo\/parcela\/detalhe\/([0-9a-f-]{36})\/$/

type Respondido = { mensagem: Mensagem; efeito?: Efeito | undefined }

/** SIGEF's pages for who has logged in by gov.br: search by holder, and the page of each parcel. */
export const createSigef = ({ agora, ritmo, selo }: Opcoes & { selo: Selo }): Autoridade => ({
  nome: 'SIGEF',
  hosts: [HOST],
  asksCertificado: false,
  ambiente: () => ({ sigef: acessoAoSigef(selo) }),
  answer: (pedido, resposta) => {
    const { mensagem, efeito } = answer(pedido, resposta, selo, agora())
    sendWithEfeito(efeito, mensagem, resposta, pedido.conexao, ritmo)
  },
})

function answer(pedido: Pedido, resposta: ServerResponse, selo: Selo, agora: Date): Respondido {
  const { caminho, consulta, metodo } = pedido
  const { cookies } = readPedido(pedido, { charset: 'utf-8', motor: 'java' })
  const { barrado, comSessao } = readVisitante(selo, cookies, agora)
  if (barrado) return { mensagem: requestRejected() }
  if (metodo !== 'GET' && metodo !== 'HEAD') return { mensagem: writePagina(405, 'Method Not Allowed') }
  if (caminho === ENTRADA) return { mensagem: startLogin(selo, agora) }
  if (caminho.startsWith('/login/')) return { mensagem: finishLogin(selo, consulta, agora, resposta) }
  if (caminho === '/')
    return { mensagem: paginaDoSigef('Início', `<a href="${ENTRADA}">Entrar com gov.br</a>`) }
  if (!caminho.endsWith('/'))
    return { mensagem: { ...redirectTo(`${caminho}/${writeConsulta(consulta)}`), status: 301 } }
  const codigo = DETALHE.exec(caminho)?.[1]
  if (caminho !== LISTA && codigo === undefined) return naoAchada()
  if (!comSessao) return { mensagem: redirectTo(ENTRADA) }
  return codigo === undefined ? search(consulta) : show(codigo)
}

const writeConsulta = (consulta: URLSearchParams): string => (consulta.size > 0 ? `?${consulta}` : '')

const naoAchada = (): Respondido => ({
  mensagem: paginaDoSigef('Página não encontrada', '<h1>Not Found</h1>', 404),
})

/** The list of a holder's parcels. His document is digits only, with all its zeros: else nothing is found. */
function search(consulta: URLSearchParams): Respondido {
  const documento = consulta.get('cpf_cnpj') ?? ''
  if (documento === '') return { mensagem: paginaDaLista(undefined) }
  const efeito = efeitoRural(documento, 'sigef')
  const caso = casoRural(efeito)
  const pagina = Math.max(1, Number.parseInt(consulta.get('page') ?? '1', 10) || 1)
  if (efeito?.tipo === 'waf' || (caso === 'barrado-na-segunda' && pagina === 2))
    return { mensagem: requestRejected() }
  if (efeito?.tipo === 'sessao-velha') return { mensagem: redirectTo(ENTRADA) }
  if (efeito?.tipo === 'layout') return { mensagem: layoutNovo() }
  const parcelas = /^(?:\d{11}|[0-9A-Z]{12}\d{2})$/.test(documento) ? parcelasDe(documento) : []
  if (pagina > 1 && (pagina - 1) * POR_PAGINA >= parcelas.length) return naoAchada()
  const desenho = caso === 'paginacao-nova' ? 'novo' : 'antigo'
  const aMais = caso === 'conta-errada' ? 3 : 0
  return { mensagem: paginaDaLista({ parcelas, pagina, desenho, consulta, aMais }), efeito }
}

/** The page of one parcel. Effects that spoil the sending of the search do not spoil it again. */
function show(codigo: string): Respondido {
  const parcela = parcelaDo(codigo)
  if (!parcela) return naoAchada()
  const efeito = efeitoRural(parcela.imovel.donos[0].documento, 'sigef')
  switch (casoRural(efeito)) {
    case 'detalhe-404':
      return naoAchada()
    case 'sessao-cai-no-detalhe':
      return { mensagem: redirectTo(ENTRADA) }
    case 'detalhe-mudado':
      return { mensagem: paginaMudada(parcela) }
  }
  return { mensagem: paginaDaParcela(comDetentores(parcela, efeito)) }
}

/** The holders as the page shows them: another one, or one without a document, where the effect says so. */
function comDetentores(parcela: Parcela, efeito: Efeito | undefined): Parcela {
  const alheios = efeito?.tipo === 'outro' ? imoveisReservados(OUTRO_DOCUMENTO, 1) : [parcela.imovel]
  const semDocumento = casoRural(efeito) === 'sem-documento'
  const detentores = alheios.flatMap(({ donos }) => donos)
  return {
    ...parcela,
    detentores: semDocumento ? detentores.map((um) => ({ ...um, documento: '' })) : detentores,
  }
}
