import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logado } from '../contas/acesso.ts'
import { askConfirmacao } from '../contas/cadastro.ts'
import { changeSenha } from '../contas/login.ts'
import { type AjustesDaConta, precoXmlOf, readAjustes } from '../contas/lookup.ts'
import { demais, nomeDaConta } from '../contas/porta.ts'
import { endPreviousKeys, issueKey } from '../contas/store-chaves.ts'
import type { Conta } from '../contas/store-contas.ts'
import { GUARDAS } from '../contas/store-guardadas.ts'
import { ApiError, type ErrorCode, errorCodes } from '../platform/errors.ts'
import { signalOfLeaving, tallyOf } from '../platform/http/outcome.ts'
import { nomeDoPlano, planos, writeReais } from '../platform/ledger/rules.ts'
import { countOf, formatNumero, quando } from '../platform/pages/formatos.ts'
import {
  avisoDasFalhas,
  type CampoDoFormulario,
  campoDe,
  campos,
  type Falhas,
  parametroDe,
} from '../platform/pages/forms.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import { cartao } from '../platform/pages/layout.ts'
import { CARENCIAS, cartaoDaChave, paginaDaChaveNova, type VistaDaChave } from './chave.ts'
import type { OpenSala, PainelRoom, Sala } from './sala.ts'

type Recusada = { code: ErrorCode; falhas: Falhas; esperaS?: number }

/** What a form of the settings does for its account: the name of what was done, or why it was not. */
type Mudanca = (
  room: PainelRoom,
  logado: Logado,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<string | Recusada>

const mudancas: Readonly<Record<string, Mudanca>> = {
  '/chave/nova/': async ({ db, secret, now }, { conta }, request) => {
    const carenciaHoras = CARENCIAS.find((horas) => String(horas) === campoDe(request, 'carencia'))
    if (carenciaHoras === undefined)
      throw new ApiError(
        'PARAMETRO_INVALIDO',
        `Escolha quando a chave de agora termina: ${CARENCIAS.join(', ')} horas.`,
      )
    await issueKey(db, secret, conta.id, { carenciaHoras, now: now() })
    return 'chave'
  },
  '/chave/anterior/': async ({ db, now }, { conta }) => {
    await endPreviousKeys(db, conta.id, now())
    return 'anterior'
  },
  '/senha/': async (room, { conta, acesso }, request, reply) => {
    const [atual, nova] = [campoDe(request, 'atual'), campoDe(request, 'nova')]
    const quem = { acesso: acesso.id, endereco: request.ip, signal: signalOfLeaving(reply.raw) }
    const feito = await changeSenha(room, conta.id, { atual, nova, ...quem })
    if (feito === 'trocada') return 'senha'
    if (feito === 'invalidas')
      return { code: 'CREDENCIAIS_INVALIDAS', falhas: { atual: 'Esta não é a senha atual.' } }
    if ('senhaFraca' in feito) return { code: 'SENHA_FRACA', falhas: { nova: feito.senhaFraca } }
    const { esperaS } = feito
    return { code: 'RATE_LIMIT_EXCEEDED', falhas: { '': demais(esperaS) }, esperaS }
  },
  '/acessos/encerrar/': async ({ acessos }, { conta }, request) => {
    await acessos.end(conta.id, campoDe(request, 'id'))
    return 'acesso'
  },
  '/acessos/encerrar-outros/': async ({ acessos }, { conta, acesso }) => {
    await acessos.endAll(conta.id, { menos: acesso.id })
    return 'acessos'
  },
  '/guarda/': async ({ guardadas }, { conta }, request) => {
    const minutos = GUARDAS.find((one) => String(one) === campoDe(request, 'minutos'))
    if (minutos === undefined)
      throw new ApiError('PARAMETRO_INVALIDO', 'Escolha por quanto tempo as respostas ficam guardadas.')
    await guardadas.setMinutos(conta.id, minutos)
    return 'guarda'
  },
  '/email/carta/': async (room, { conta }) => {
    const pedido = await askConfirmacao(room, conta)
    if ('esperaS' in pedido) {
      const { esperaS } = pedido
      throw new ApiError('RATE_LIMIT_EXCEEDED', demais(esperaS), { retryS: esperaS })
    }
    if (!pedido.carta) throw new ApiError('REQUISICAO_INVALIDA', 'Este serviço não envia e-mails.')
    return 'carta'
  },
}

/** The browsers that people have, each before those whose names it says too. */
const NAVEGADORES: readonly [RegExp, string][] = [
  [/Edg(?:A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
  [/curl\//, 'curl'],
  [/fiscal\//, 'Consulta Fiscal'],
]

const SISTEMAS: readonly [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Macintosh|Mac OS X/, 'Mac'],
  [/CrOS/, 'Chromebook'],
  [/Linux/, 'Linux'],
]

/** A browser by what it says of itself (`User-Agent`): `Chrome no Windows`. */
function navegadorDe(agente: string): string {
  const known = (list: readonly [RegExp, string][]): string | undefined =>
    list.find(([mark]) => mark.test(agente))?.[1]
  const [navegador = 'Programa desconhecido', sistema] = [known(NAVEGADORES), known(SISTEMAS)]
  return sistema === undefined ? navegador : `${navegador} no ${sistema}`
}

type AcessoAberto = {
  id: string
  tipo: 'painel' | 'api'
  agente: string
  endereco: string
  criado_em: Date
  visto_em: Date
}

type VistaDosAcessos = { base: string; csrf: Content; acessos: readonly AcessoAberto[]; atual: string }

function cartaoDosAcessos(vista: VistaDosAcessos): Html {
  const { base, csrf, acessos, atual } = vista
  const outros = acessos.filter(({ id }) => id !== atual)
  return cartao(
    { titulo: 'Acessos abertos', id: 'acessos' },
    html`<ul class="acessos">${acessos.map((one) => acesso(one, vista))}</ul>${
      outros.length > 0 &&
      html`<form method="post" action="${url(`${base}acessos/encerrar-outros/`)}">${csrf}<button class="discreto" type="submit">Encerrar todos os outros</button></form>`
    }`,
  )
}

function acesso(one: AcessoAberto, { base, csrf, atual }: VistaDosAcessos): Html {
  const { id, tipo, agente, endereco, criado_em, visto_em } = one
  const nome = tipo === 'api' ? `Pela API: ${navegadorDe(agente)}` : navegadorDe(agente)
  return html`<li><div><p><strong>${nome}</strong>${id === atual && html` <span class="selo bom">Este navegador</span>`}</p><p class="suave">De ${endereco}, desde ${quando(criado_em)}; último uso ${quando(visto_em)}</p></div>${
    id !== atual &&
    html`<form method="post" action="${url(`${base}acessos/encerrar/`)}">${csrf}<input type="hidden" name="id" value="${id}"/><button class="discreto" type="submit" aria-label="Encerrar ${nome}, de ${endereco}">Encerrar</button></form>`
  }</li>`
}

type VistaDaConta = {
  base: string
  csrf: Content
  conta: Conta
  ajustes: Pick<AjustesDaConta, 'senha_em' | 'email_confirmado_em'>
  cartas: boolean
  falhas: Falhas
}

/** Who the account is, and whether its e-mail is proved: only a letter can prove it. */
const cartaoDoEmail = ({ base, csrf, conta, ajustes, cartas }: VistaDaConta): Html =>
  cartao(
    { titulo: 'Conta', id: 'conta' },
    html`<dl class="fatos"><dt>Nome</dt><dd>${conta.nome}</dd><dt>E-mail</dt><dd>${conta.email} ${
      ajustes.email_confirmado_em === null
        ? cartas && html`<span class="selo lento">Não confirmado</span>`
        : html`<span class="selo bom">Confirmado</span>`
    }</dd><dt>Criada em</dt><dd>${quando(conta.criada_em)}</dd></dl>${
      cartas &&
      ajustes.email_confirmado_em === null &&
      html`<form method="post" action="${url(`${base}email/carta/`)}">${csrf}<button class="discreto" type="submit">Enviar a carta de confirmação</button></form>`
    }<p class="suave">Você entra com este e-mail${cartas && ', e a ele vai o link de uma senha nova'}.</p>`,
  )

function cartaoDoPlano(conta: Conta): Html {
  const { creditos, requisicoesPorMinuto } = planos[conta.plano]
  const xml = precoXmlOf(conta)
  return cartao(
    {
      titulo: 'Plano',
      id: 'plano',
      classe: 'menor',
      lado: html`<span class="selo nota">${nomeDoPlano(conta.plano)}</span>`,
    },
    html`<dl class="fatos"><dt>Créditos por mês</dt><dd>${formatNumero(creditos)}</dd><dt>Requisições por minuto</dt><dd>${formatNumero(requisicoesPorMinuto)}</dd><dt>XML de uma NF-e</dt><dd>${countOf(xml.creditos, 'crédito', 'créditos')} cada${
      xml.reais !== '' && `, que ${xml.creditos === 1 ? 'é' : 'são'} ${writeReais(xml.reais)}`
    }${conta.preco_exclusivo && ' (preço negociado)'}</dd></dl><p class="suave">Quem muda o plano, os créditos extras e os preços é quem opera o serviço.</p>`,
  )
}

/** For how long the answers of the dashboard are kept: the account says it. */
const cartaoDaGuarda = ({
  base,
  csrf,
  minutos,
}: Pick<VistaDaConta, 'base' | 'csrf'> & { minutos: number }): Html =>
  cartao(
    { titulo: 'Rever respostas', id: 'guarda' },
    html`<p>A resposta de uma consulta feita no painel fica guardada, cifrada, para você voltar a ela, imprimir e baixar o papel de novo sem pagar outra vez.</p><form class="acoes" method="post" action="${url(`${base}guarda/`)}">${csrf}<span class="campo"><label for="minutos">Guardar por</label><select id="minutos" name="minutos">${GUARDAS.map(
      (one) =>
        one === minutos
          ? html`<option value="${one}" selected="">${nomeDaGuarda(one)}</option>`
          : html`<option value="${one}">${nomeDaGuarda(one)}</option>`,
    )}</select></span><button class="discreto" type="submit">Salvar</button></form><p class="suave">Só a sua conta as vê. Um tempo menor vale também para as que já estão guardadas. O certificado e a senha de uma nota nunca ficam.</p>`,
  )

const nomeDaGuarda = (minutos: number): string =>
  minutos === 0 ? 'Não guardar' : countOf(minutos / 60, 'hora', 'horas')

const ATUAL: CampoDoFormulario = {
  nome: 'atual',
  rotulo: 'Senha atual',
  tipo: 'password',
  autocomplete: 'current-password',
  maior: 200,
}
const NOVA: CampoDoFormulario = {
  nome: 'nova',
  rotulo: 'Senha nova',
  dica: '10 caracteres ou mais.',
  tipo: 'password',
  autocomplete: 'new-password',
  menor: 10,
  maior: 200,
}

/** The form is in sight where it failed; else a line says how old the password is. */
const cartaoDaSenha = ({ base, csrf, conta, ajustes: { senha_em }, falhas }: VistaDaConta): Html => {
  const formulario = html`<form class="formulario" method="post" action="${url(`${base}senha/`)}">${csrf}${nomeDaConta(conta.email)}${campos([ATUAL, NOVA], falhas)}<p class="suave">A troca encerra todos os outros acessos.</p><p><button class="botao" type="submit">Trocar a senha</button></p></form>`
  return cartao(
    { titulo: 'Senha', id: 'senha' },
    html`${senha_em !== null && html`<p class="suave">${senha_em.getTime() === conta.criada_em.getTime() ? 'Criada' : 'Trocada'} em ${quando(senha_em)}.</p>`}${
      Object.keys(falhas).length > 0
        ? html`${avisoDasFalhas(falhas)}${formulario}`
        : html`<details><summary>Trocar a senha</summary>${formulario}</details>`
    }`,
  )
}

type VistaDasConfiguracoes = Omit<VistaDaConta, 'ajustes'> &
  VistaDosAcessos &
  VistaDaChave & { ajustes: VistaDaConta['ajustes']; feito: string; minutos: number }

/** What is said of what was done just before. Nothing else of an address is ever shown. */
const FEITOS: ReadonlyMap<string, string> = new Map([
  ['chave', 'A chave nova está pronta. Mostre-a abaixo, e troque-a nos seus programas.'],
  ['anterior', 'A chave anterior foi encerrada. Em até 5 segundos ninguém mais a aceita.'],
  ['senha', 'A senha foi trocada, e os outros acessos foram encerrados.'],
  ['acesso', 'O acesso foi encerrado.'],
  ['acessos', 'Os outros acessos foram encerrados.'],
  ['carta', 'A carta de confirmação saiu. Abra o link que está nela.'],
  ['guarda', 'O tempo das respostas guardadas foi mudado.'],
  ['email', 'O e-mail foi confirmado.'],
])

function paginaDasConfiguracoes(vista: VistaDasConfiguracoes): Html {
  const feito = FEITOS.get(vista.feito)
  return html`<div class="topo"><h1>Configurações</h1></div>
${feito !== undefined && html`<div class="faixa-aviso" role="status"><p>${feito}</p></div>\n`}<div class="ajustes">
<div>${cartaoDaChave(vista)}
${cartaoDosAcessos(vista)}
${cartaoDaSenha(vista)}</div>
<div>${cartaoDoPlano(vista.conta)}
${cartaoDaGuarda(vista)}
${cartaoDoEmail(vista)}</div>
</div>`
}

const HIDDEN = { schema: { hide: true } } as const

const PAGINA = {
  titulo: 'Configurações',
  descricao: 'A chave da API, a senha, os acessos abertos e o plano da sua conta.',
  atual: 'configuracoes',
} as const

const MOSTRAR = '/chave/mostrar/'

/** The settings of an account. A form that changes something ends in a page that a reload does not repeat. */
export const openConfiguracoes: OpenSala = (scope, sala) => {
  const base = baseDe(sala)
  scope.get('/', HIDDEN, (request, reply) =>
    drawConfiguracoes(sala, request, reply, { feito: parametroDe(request, 'feito') }),
  )
  scope.get('/chave/nova/', HIDDEN, (request, reply) => drawChaveNova(sala, request, reply))
  scope.post(MOSTRAR, HIDDEN, (request, reply) => drawConfiguracoes(sala, request, reply, { revelada: true }))
  for (const [caminho, change] of Object.entries(mudancas))
    scope.post(caminho, HIDDEN, async (request, reply) => {
      const feito = await change(sala.room, sala.logadoDe(request), request, reply)
      if (typeof feito === 'string') return reply.redirect(`${base}?feito=${feito}`, 303)
      const { code, falhas, esperaS } = feito
      tallyOf(request).error_code = code
      reply.code(errorCodes[code].status)
      if (esperaS !== undefined) reply.header('retry-after', esperaS)
      return drawConfiguracoes(sala, request, reply, { falhas })
    })
  // Who opens the address of a form finds the page that it is on.
  for (const caminho of [MOSTRAR, ...Object.keys(mudancas)])
    if (caminho !== '/chave/nova/')
      scope.get(caminho, HIDDEN, async (_request, reply) => reply.redirect(base, 303))
}

const baseDe = ({ moldura }: Sala): string => `${moldura.prefixo}/painel/configuracoes/`

async function drawConfiguracoes(
  sala: Sala,
  request: FastifyRequest,
  reply: FastifyReply,
  { falhas = {}, feito = '', revelada = false }: { falhas?: Falhas; feito?: string; revelada?: boolean },
): Promise<string> {
  const { room } = sala
  const { conta, acesso } = sala.logadoDe(request)
  const [ajustes, acessos, minutos] = await Promise.all([
    readAjustes(room, conta.id, room.now()),
    room.acessos.list(conta.id),
    room.guardadas.minutosDe(conta.id),
  ])
  return sala.draw(request, reply, {
    ...PAGINA,
    titulo: Object.keys(falhas).length > 0 ? `Erro: ${PAGINA.titulo}` : PAGINA.titulo,
    conteudo: paginaDasConfiguracoes({
      base: baseDe(sala),
      csrf: sala.campoCsrf(request, reply),
      conta,
      ajustes,
      acessos,
      minutos,
      atual: acesso.id,
      cartas: room.config.SMTP_URL !== undefined,
      falhas,
      feito,
      revelada,
    }),
  })
}

async function drawChaveNova(sala: Sala, request: FastifyRequest, reply: FastifyReply): Promise<string> {
  const { room } = sala
  const agora = room.now()
  const { chave } = await readAjustes(room, sala.logadoDe(request).conta.id, agora)
  const csrf = sala.campoCsrf(request, reply)
  return sala.draw(request, reply, {
    ...PAGINA,
    titulo: 'Gerar outra chave',
    conteudo: paginaDaChaveNova({ base: baseDe(sala), csrf, agora, chave }),
  })
}
