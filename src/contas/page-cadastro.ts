import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorCode } from '../platform/errors.ts'
import { signalOfLeaving } from '../platform/http/outcome.ts'
import { creditosPorXml, nomeDoPlano, planos, writeReais } from '../platform/ledger/rules.ts'
import {
  avisoDasFalhas,
  type CampoDoFormulario,
  campoDe,
  campos,
  type Falhas,
  parametroDe,
} from '../platform/pages/forms.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import { giveBoasVindas } from './acesso.ts'
import { confirmEmail, emailDoCadastro, signUp } from './cadastro.ts'
import {
  demais,
  doNavegador,
  emailDe,
  formulario,
  levado,
  nomeDaConta,
  type OpenPorta,
  onlyVisitors,
  type Porta,
  porta,
  SENHA_NOVA,
} from './porta.ts'

type VistaDoCadastro = {
  prefixo: string
  simulador: boolean
  csrf: Content
  cadastro: 'aberto' | 'convite'
  cartas: boolean
  nome: string
  email: string
  convite: string
  para: string
  falhas: Falhas
}

function paginaDoCadastro(vista: VistaDoCadastro): Html {
  const { prefixo, csrf, cadastro, para, falhas } = vista
  const query = para === '' ? '' : `?para=${encodeURIComponent(para)}`
  return porta({
    titulo: 'Criar conta',
    formulario: html`${avisoDasFalhas(falhas)}${formulario({
      acao: `${prefixo}/criar-conta/`,
      csrf,
      botao: 'Criar conta',
      campos: html`${levado('para', para)}${campos(camposDe(vista), falhas, true)}`,
    })}`,
    ligacoes: html`Já tem uma conta? <a href="${url(`${prefixo}/entrar/${query}`)}">Entrar</a>`,
    aoLado: html`<h2>O que vem com a conta</h2><dl class="tres-numeros">${oQueVem(vista).map(([numero, nome, dito]) => html`<div><dt><b>${numero}</b> ${nome}</dt><dd>${dito}</dd></div>`)}</dl><p class="suave">A chave da API fica pronta ${vista.cartas ? 'assim que você abre o link da carta que enviamos' : 'na hora'}. O nome aparece no painel, e o e-mail serve para entrar${vista.cartas && ' e para o link de uma senha nova'}: nenhum dos dois vai aos órgãos.</p>${cadastro === 'convite' && html`<p class="suave">Neste serviço só cria conta quem tem um convite. Peça um a quem opera o serviço.</p>`}`,
  })
}

/** Three facts, each led by its number. */
const oQueVem = ({ simulador, cartas }: VistaDoCadastro): readonly (readonly [string, string, string])[] => [
  [
    String(planos.lite.creditos),
    'créditos por mês',
    `É a cota do plano ${nomeDoPlano('lite')}, que renova no dia\u00a01º.`,
  ],
  [
    '1',
    'crédito por órgão que respondeu',
    `O XML de uma nota custa ${creditosPorXml(false)} créditos${simulador ? '' : `: no ${nomeDoPlano('lite')}, ${writeReais(planos.lite.reaisPorXml)}`}. Falha não custa nada, e o preço aparece no botão antes de consultar.`,
  ],
  simulador
    ? [
        writeReais('0'),
        'no modo simulador',
        `Os créditos não custam nada${cartas ? '' : ', e o e-mail pode ser inventado'}. Quem responde são órgãos simulados.`,
      ]
    : [
        String(planos.lite.requisicoesPorMinuto),
        'requisições por minuto',
        'Quem responde é o próprio órgão: as SEFAZ dos estados, a Receita Federal, o INCRA.',
      ],
]

function camposDe({ nome, email, convite, cadastro }: VistaDoCadastro): readonly CampoDoFormulario[] {
  const campoDoConvite: CampoDoFormulario = {
    nome: 'convite',
    rotulo: 'Código do convite',
    dica: 'Quem opera o serviço o faz, com npx fiscal contas convidar.',
    tipo: 'text',
    autocomplete: 'off',
    maior: 100,
    valor: convite,
  }
  const campoDoNome: CampoDoFormulario = {
    nome: 'nome',
    rotulo: 'Nome',
    dica: 'O seu, ou o da empresa.',
    tipo: 'text',
    autocomplete: 'name',
    maior: 100,
    valor: nome,
  }
  return [...(cadastro === 'convite' ? [campoDoConvite] : []), campoDoNome, emailDe(email), SENHA_NOVA]
}

const paginaDoCadastroFechado = (prefixo: string): Html =>
  porta({
    titulo: 'Criar conta',
    formulario: html`<p>O cadastro deste serviço está fechado. Peça uma conta a quem o opera: ele cria uma com <code>npx fiscal contas criar</code>.</p>`,
    ligacoes: html`Já tem uma conta? <a href="${url(`${prefixo}/entrar/`)}">Entrar</a>`,
  })

/** What a sign-up by letter ends in, whether or not the e-mail has an account already. */
const paginaDaCartaEnviada = (email: string): Html =>
  porta({
    titulo: 'Confira o seu e-mail',
    formulario: html`<p>Enviamos uma carta a <strong>${email}</strong>. Abra o link que está nela para terminar.</p><p class="suave">Não chegou em alguns minutos? Confira a caixa de spam e o endereço, e tente de novo.</p>`,
  })

const CADASTRO = {
  titulo: 'Criar conta',
  descricao: 'Crie uma conta e receba a chave da API: consultas fiscais às próprias autoridades.',
  atual: undefined,
}

/** Where a new account begins, unless it was wanted for a page. The overview is where all others begin. */
const COMECO = '/painel/comecar/'

const isWanted = (para: string): boolean => para !== '' && para !== '/painel/'

type Dito = Pick<VistaDoCadastro, 'nome' | 'email' | 'convite' | 'para'>

export const portaDoCadastro: OpenPorta = (scope, porta) => {
  onlyVisitors(scope, porta)
  scope.get('/', { schema: { hide: true } }, (request, reply) =>
    drawCadastro(
      porta,
      request,
      reply,
      ditoPor((nome) => parametroDe(request, nome)),
    ),
  )
  scope.post('/', { schema: { hide: true } }, async (request, reply) => {
    const dito = ditoPor((nome) => campoDe(request, nome))
    const { email, nome, convite } = dito
    const senha = campoDe(request, 'senha')
    const quem = { endereco: request.ip, signal: signalOfLeaving(reply.raw) }
    const feito = await signUp(porta.room, { nome, email, convite: convite.trim(), senha, ...quem })
    if (typeof feito === 'object' && 'carta' in feito) {
      if (!feito.conta) return porta.draw(reply, { ...CADASTRO, conteudo: paginaDaCartaEnviada(email) })
      const { acessos } = porta.room
      const aberto = await acessos.open({ ...doNavegador(request), conta_id: feito.conta.id })
      giveBoasVindas(reply, porta.moldura)
      return porta.letIn(request, reply, aberto, isWanted(dito.para) ? dito.para : COMECO)
    }
    const [code, falhas, esperaS] = recusaDe(feito)
    porta.refuse(request, reply, code, esperaS)
    return drawCadastro(porta, request, reply, dito, falhas)
  })
}

const ditoPor = (read: (nome: string) => string): Dito => ({
  nome: read('nome'),
  email: read('email'),
  convite: read('convite'),
  para: read('para'),
})

type Recusa = Exclude<Awaited<ReturnType<typeof signUp>>, { carta: boolean }>

function recusaDe(recusa: Recusa): [ErrorCode, Falhas, number?] {
  if (recusa === 'fechado') return ['CADASTRO_FECHADO', {}]
  if (recusa === 'convite-invalido')
    return [
      'CADASTRO_FECHADO',
      { convite: 'Este convite não vale: já foi usado, venceu ou é de outro e-mail.' },
    ]
  if (recusa === 'email-em-uso')
    return [
      'EMAIL_JA_CADASTRADO',
      { email: 'Já existe uma conta com este e-mail. Entre com ela, ou recupere a senha.' },
    ]
  if ('senhaFraca' in recusa) return ['SENHA_FRACA', { senha: recusa.senhaFraca }]
  if ('esperaS' in recusa) return ['RATE_LIMIT_EXCEEDED', { '': demais(recusa.esperaS) }, recusa.esperaS]
  const { parametro, motivo } = recusa
  return ['PARAMETRO_INVALIDO', { [parametro]: `${motivo.charAt(0).toUpperCase()}${motivo.slice(1)}.` }]
}

function drawCadastro(
  { draw, campoCsrf, cadastro, cartas, moldura }: Porta,
  request: FastifyRequest,
  reply: FastifyReply,
  dito: Dito,
  falhas: Falhas = {},
): string {
  const { prefixo, simulador } = moldura
  if (cadastro === 'fechado') return draw(reply, { ...CADASTRO, conteudo: paginaDoCadastroFechado(prefixo) })
  const csrf = campoCsrf(request, reply)
  const conteudo = paginaDoCadastro({ prefixo, simulador, cadastro, cartas, csrf, falhas, ...dito })
  return draw(reply, { ...CADASTRO, conteudo, falhas })
}

type Confirmar = { prefixo: string; csrf: Content; codigo: string; email: string | undefined; falhas: Falhas }

const paginaDeConfirmar = ({ prefixo, csrf, codigo, email, falhas }: Confirmar): Html =>
  porta({
    titulo: 'Confirmar o e-mail',
    formulario: html`<p>${
      email === undefined
        ? 'Falta um toque: confirme que foi você quem pediu, e que este e-mail é seu.'
        : html`Falta um passo para abrir a conta de <strong>${email}</strong>: a senha que você escolheu no cadastro.`
    }</p>${avisoDasFalhas(falhas)}${formulario({
      acao: `${prefixo}/confirmar-email/`,
      csrf,
      botao: 'Confirmar o e-mail',
      campos: html`${levado('codigo', codigo)}${email !== undefined && html`${nomeDaConta(email)}${campos([SENHA_DO_CADASTRO], falhas, true)}`}`,
    })}`,
    ligacoes: html`Não foi você? Feche esta página, e nada acontece.`,
  })

const SENHA_DO_CADASTRO = {
  nome: 'senha',
  rotulo: 'Senha do cadastro',
  tipo: 'password',
  autocomplete: 'current-password',
  maior: 200,
} as const

const RECUSAS = {
  'codigo-invalido':
    'O link já foi usado, venceu, ou não foi copiado inteiro. Se a conta já existe, entre com ela.',
  'convite-invalido':
    'O convite com que a conta foi pedida já foi usado, ou venceu. Peça outro a quem opera o serviço.',
  'email-em-uso': 'Já existe uma conta com este e-mail. Entre com ela, ou recupere a senha.',
} as const

const paginaDaRecusa = (prefixo: string, recusa: keyof typeof RECUSAS): Html =>
  porta({
    titulo: 'Este link não vale mais',
    formulario: html`<p>${RECUSAS[recusa]}</p><p><a class="botao" href="${url(`${prefixo}/entrar/`)}">Entrar</a></p>`,
    ligacoes: html`<a href="${url(`${prefixo}/recuperar-senha/`)}">Recuperar a senha</a>`,
  })

const CONFIRMAR = {
  titulo: 'Confirmar o e-mail',
  descricao: 'Confirme que o e-mail da conta é seu, com o link que a carta trouxe.',
}

const SENHA_ERRADA =
  'Esta não é a senha do cadastro. Se não foi você quem o fez, feche esta página e crie a sua conta.'

/** Where the link of a confirmation leads to. A GET confirms nothing, because machines open links too. */
export const portaDaConfirmacao: OpenPorta = (scope, porta) => {
  const { room, moldura, draw, refuse } = porta
  const { prefixo } = moldura
  scope.get('/', { schema: { hide: true } }, (request, reply) =>
    drawConfirmar(porta, request, reply, parametroDe(request, 'codigo')),
  )
  scope.post('/', { schema: { hide: true } }, async (request, reply) => {
    const [codigo, senha] = [campoDe(request, 'codigo'), campoDe(request, 'senha')]
    const quem = { endereco: request.ip, signal: signalOfLeaving(reply.raw) }
    const feito = await confirmEmail(room, { codigo, senha, ...quem })
    if (feito === 'senha-errada') {
      refuse(request, reply, 'CREDENCIAIS_INVALIDAS')
      return drawConfirmar(porta, request, reply, codigo, { senha: SENHA_ERRADA })
    }
    if (typeof feito === 'string') {
      refuse(request, reply, 'REQUISICAO_INVALIDA')
      return draw(reply, { ...CONFIRMAR, conteudo: paginaDaRecusa(prefixo, feito) })
    }
    if ('esperaS' in feito) {
      refuse(request, reply, 'RATE_LIMIT_EXCEEDED', feito.esperaS)
      return drawConfirmar(porta, request, reply, codigo, { '': demais(feito.esperaS) })
    }
    const isIn = request.logado?.conta.id === feito.id
    return reply.redirect(
      prefixo + (isIn ? '/painel/configuracoes/?feito=email' : '/entrar/?aviso=email'),
      303,
    )
  })
}

async function drawConfirmar(
  { room, moldura, campoCsrf, draw }: Porta,
  request: FastifyRequest,
  reply: FastifyReply,
  codigo: string,
  falhas: Falhas = {},
): Promise<string> {
  const email = await emailDoCadastro(room, codigo)
  const csrf = campoCsrf(request, reply)
  const conteudo = paginaDeConfirmar({ ...moldura, csrf, codigo, email, falhas })
  return draw(reply, { ...CONFIRMAR, conteudo, falhas })
}
