import { Type } from 'typebox'
import { ApiError } from '../platform/errors.ts'
import { lookup, publicLookup } from '../platform/http/lookup.ts'
import { BodySwitch, isOn } from '../platform/http/parameters.ts'
import { count, mes, OneOf, RequestId, text } from '../platform/http/schemas.ts'
import { nomesDosPlanos } from '../platform/ledger/rules.ts'
import { signUp } from './cadastro.ts'
import type { ContasRoom } from './contas.ts'
import { logIn } from './login.ts'
import { summarize } from './lookup.ts'
import { issueToken } from './token.ts'

const instant = (description: string) =>
  Type.String({ format: 'date-time', description: `${description}, ISO 8601 UTC` })

const Creditos = Type.Object(
  {
    cota: count('A cota que a conta recebeu neste mês; uma mudança para um plano maior a aumenta na hora'),
    cota_restante: count('O que resta dela, fora o que está reservado'),
    extras: count('Créditos extras que restam: não expiram, e são gastos depois da cota'),
    reservados: count('Créditos das consultas em andamento: voltam, se não forem cobrados'),
    disponiveis: count('O que se pode gastar agora: cota_restante + extras'),
  },
  { title: 'CreditosDaConta', description: 'Os créditos da conta neste instante' },
)

const PrecoXml = Type.Object(
  {
    creditos: count('Créditos de uma nota entregue'),
    reais: Type.String({
      pattern: '^([0-9]+[.][0-9]+)?$',
      description:
        'Preço de uma nota em reais, decimal exato com ponto, como 0.195: o do plano, ou o negociado; vazio quando não há preço em reais negociado',
    }),
  },
  {
    title: 'PrecoXml',
    description: 'O preço de um XML de NF-e (/api/consultar-nfe-xml), a única consulta com preço em reais',
  },
)

const Uso = Type.Object(
  {
    mes: mes('Mês da cota, AAAA-MM, horário de Brasília'),
    desde: instant('O primeiro instante do mês'),
    endpoints: Type.Array(
      Type.Object(
        {
          endpoint: Type.String({ description: 'Caminho, como /api/consultar' }),
          chamadas: count('Quantas chamadas foram cobradas; as gratuitas e as que falharam não contam'),
          creditos: count('Créditos que elas custaram'),
        },
        { title: 'UsoDoEndpoint', description: 'O que um endpoint custou' },
      ),
      { description: 'Por endpoint, do que mais custou ao que menos custou' },
    ),
    creditos_total: count('A soma dos créditos de endpoints'),
    extras_concedidos: count('Créditos extras que o operador acrescentou neste mês'),
    creditos_debitados: count('Créditos que o operador debitou neste mês, fora das consultas'),
  },
  {
    title: 'UsoDoMes',
    description:
      'O que foi cobrado neste mês, somado dos lançamentos da conta. Uma consulta que atravessa a virada do mês conta no mês em que termina',
  },
)

export const conta = lookup({
  url: '/api/v1/conta',
  words: {
    nome: 'Conta',
    tag: 'Conta',
    description:
      'O plano da conta desta chave, os limites dele, os créditos que restam e quando a cota renova, o preço de um XML de NF-e e o que cada endpoint custou neste mês. ' +
      'Créditos e uso são do mesmo instante e saem dos mesmos lançamentos, por isso fecham ao crédito. Não custa créditos.',
  },
  query: Type.Object({}),
  example: {},
  response: Type.Object(
    {
      request_id: RequestId,
      nome: Type.String({ description: 'Nome da conta' }),
      plano: OneOf(nomesDosPlanos, { title: 'Plano', description: 'O plano da conta' }),
      limites: Type.Object(
        { requisicoes_por_minuto: count('Requisições por minuto que o plano permite') },
        { description: 'Os limites do plano' },
      ),
      creditos: Creditos,
      renova_em: instant('Quando a cota renova'),
      preco_exclusivo: Type.Boolean({ description: 'true: a conta tem preço negociado para o XML de NF-e' }),
      preco_xml: PrecoXml,
      uso: Uso,
    },
    { title: 'RespostaConta' },
  ),
  errors: { http: [] },
  price: 'free',
  ask: (_query, { request_id, conta }, room: ContasRoom) => ({
    run: async () => {
      const { resumo } = await summarize(room, conta.id)
      return { request_id, ...resumo }
    },
  }),
})

/** The most octets of a body with a name, an e-mail and a password. */
const CORPO_DO_ACESSO = 8 * 1024

const corpo = Type.Object(
  {
    email: Type.String({ description: 'E-mail da conta' }),
    senha: Type.String({ description: 'Senha da conta' }),
  },
  { title: 'Credenciais', description: 'De quem entra' },
)

export const login = publicLookup({
  url: '/api/v1/auth/login',
  words: {
    nome: 'Login',
    tag: 'Conta',
    description: `Troca e-mail e senha por um token (JWT), que vale 60 minutos em todos os endereços com chave, em \`Authorization: Bearer\`. Para programas de servidor, prefira a chave de API.

E-mail desconhecido e senha errada têm a mesma resposta. Cada rede (um endereço IP; em IPv6, um /64) pode errar 60 vezes em 15 minutos, e 20 com o mesmo e-mail. De redes em que o dono da conta nunca entrou, um e-mail aceita 100 tentativas por hora ao todo: as de estranhos não fecham a conta na rede do dono. A senha certa não conta. O token deixa de valer antes dos 60 minutos em até 5 segundos depois de \`POST /api/v1/auth/sair\`, de uma troca de senha, ou de ser encerrado em Configurações.`,
  },
  body: { schema: corpo, limit: CORPO_DO_ACESSO },
  example: { email: 'ana@exemplo.com.br', senha: 'uma frase bem longa' },
  response: Type.Object(
    {
      request_id: RequestId,
      access_token: Type.String({ description: 'O token. Guarde-o como uma senha' }),
      token_type: OneOf(['Bearer'], 'Como enviá-lo: Authorization: Bearer'),
      expires_in: Type.Integer({ minimum: 0, description: 'Segundos que ele vale' }),
    },
    { title: 'RespostaLogin' },
  ),
  errors: { http: ['PARAMETRO_AUSENTE', 'CREDENCIAIS_INVALIDAS'] },
  ask: async ({ email, senha }, { request_id, endereco, agente, leaving }, room: ContasRoom) => {
    const quem = { tipo: 'api', agente, endereco, signal: leaving() } as const
    const aberto = await logIn(room, { email, senha, ...quem })
    if (aberto === 'invalidas')
      throw new ApiError('CREDENCIAIS_INVALIDAS', 'O e-mail ou a senha não está certo.')
    if ('esperaS' in aberto) throw tooManyTries(aberto)
    return { request_id, token_type: 'Bearer' as const, ...(await issueToken(room, aberto.acesso)) }
  },
})

const tooManyTries = ({ esperaS }: { esperaS: number }): ApiError =>
  new ApiError('RATE_LIMIT_EXCEEDED', `Houve tentativas demais. Tente de novo em ${esperaS} s.`, {
    retryS: esperaS,
  })

const corpoDoCadastro = Type.Object(
  {
    nome: Type.String({ description: 'Nome de quem usa a conta, ou da empresa, de até 120 caracteres' }),
    email: Type.String({ description: 'E-mail, único entre as contas, de até 254 caracteres' }),
    senha: Type.String({
      description: 'De 10 a 200 caracteres; não o e-mail, o nome, nem uma das senhas mais usadas',
    }),
    convite: Type.Optional(
      Type.String({ description: 'Código de convite, onde o cadastro o pede; ele pode dar um plano maior' }),
    ),
  },
  { title: 'PedidoDeCadastro', description: 'De quem é a conta nova' },
)

const SITUACOES = ['criada', 'confirmar'] as const

const mensagens: Record<(typeof SITUACOES)[number], string> = {
  criada: 'A conta foi criada, com uma chave de API. Entre para vê-la.',
  confirmar:
    'Enviamos uma mensagem a este e-mail, com o que falta para entrar. Ela pode levar alguns minutos.',
}

export const registrar = publicLookup({
  url: '/api/v1/auth/registrar',
  words: {
    nome: 'Cadastro',
    tag: 'Conta',
    description: `Cria uma conta no plano lite, com a primeira chave de API, que a página de configurações mostra. Quem pode se cadastrar, o operador decide (\`CADASTRO\`).

Onde o serviço envia e-mails, a resposta é a mesma para qualquer e-mail (\`situacao\` = confirmar): a conta é aberta quando o endereço da mensagem for confirmado, e quem já tem conta é avisado. Onde não envia, a conta é criada na hora, e um e-mail em uso é recusado.

Cada endereço IP (em IPv6, cada rede /64) pode tentar 10 cadastros por hora, 3 deles com o mesmo e-mail; cada e-mail recebe até 5 mensagens de cadastro por hora.`,
  },
  body: { schema: corpoDoCadastro, limit: CORPO_DO_ACESSO },
  example: { nome: 'Ana Souza', email: 'ana@exemplo.com.br', senha: 'uma frase bem longa' },
  response: Type.Object(
    {
      request_id: RequestId,
      situacao: OneOf(SITUACOES, 'criada: já se pode entrar; confirmar: siga a mensagem enviada ao e-mail'),
      mensagem: text('O que fazer agora, em uma frase'),
    },
    { title: 'RespostaCadastro' },
  ),
  errors: { http: ['PARAMETRO_AUSENTE', 'SENHA_FRACA', 'CADASTRO_FECHADO', 'EMAIL_JA_CADASTRADO'] },
  ask: async (sent, { request_id, endereco, leaving }, room: ContasRoom) => {
    const feito = await signUp(room, { ...sent, endereco, signal: leaving() })
    if (feito === 'fechado')
      throw new ApiError(
        'CADASTRO_FECHADO',
        'Este serviço não aceita cadastros. Peça uma conta a quem o opera.',
      )
    if (feito === 'convite-invalido') throw withoutConvite(sent.convite)
    if (feito === 'email-em-uso')
      throw new ApiError(
        'EMAIL_JA_CADASTRADO',
        'Este e-mail já tem uma conta. Entre com ela, ou use outro e-mail.',
      )
    if ('senhaFraca' in feito) throw new ApiError('SENHA_FRACA', feito.senhaFraca)
    if ('esperaS' in feito) throw tooManyTries(feito)
    if ('parametro' in feito) {
      const { parametro: parameter, motivo: reason } = feito
      const detail = `Parâmetro ${parameter}: ${reason}.`
      throw new ApiError('PARAMETRO_INVALIDO', detail, { errors: [{ parameter, reason }] })
    }
    const situacao: (typeof SITUACOES)[number] = feito.carta ? 'confirmar' : 'criada'
    return { request_id, situacao, mensagem: mensagens[situacao] }
  },
})

const withoutConvite = (convite = ''): ApiError =>
  convite === ''
    ? new ApiError('CADASTRO_FECHADO', 'O cadastro é por convite. Envie o código que recebeu, em convite.')
    : new ApiError('PARAMETRO_INVALIDO', 'Este convite não vale: foi usado, venceu, ou é de outro e-mail.', {
        errors: [{ parameter: 'convite', reason: 'foi usado, venceu, ou é de outro e-mail' }],
      })

export const sair = lookup({
  url: '/api/v1/auth/sair',
  words: {
    nome: 'Sair',
    tag: 'Conta',
    description:
      'Encerra o login de quem envia um token: ele e os outros tokens do mesmo login deixam de valer em até 5 segundos. Com uma chave de API, que não é um login, só `todos` encerra alguma coisa.',
  },
  body: {
    schema: Type.Object(
      {
        todos: Type.Optional(
          BodySwitch('true: encerra todos os logins da conta, também as sessões das páginas', false),
        ),
      },
      { title: 'PedidoDeSaida', description: 'O que encerrar' },
    ),
    limit: CORPO_DO_ACESSO,
  },
  example: { todos: false },
  response: Type.Object(
    {
      request_id: RequestId,
      encerrados: Type.Integer({ minimum: 0, description: 'Quantos logins foram encerrados' }),
    },
    { title: 'RespostaSaida' },
  ),
  errors: { http: [] },
  price: 'free',
  ask: ({ todos }, { request_id, conta, acesso }, { acessos, logins }: ContasRoom) => ({
    run: async () => {
      const encerrados = isOn(todos)
        ? await acessos.endAll(conta.id)
        : Number(acesso !== undefined && (await acessos.end(conta.id, acesso)))
      if (acesso !== undefined) logins.forget(acesso)
      return { request_id, encerrados }
    },
  }),
})
