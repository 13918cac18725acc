import type { Pergunta } from '../mundo/pergunta.ts'
import type { Mensagem } from '../platform/mensagem.ts'
import { conversaDeCertidao } from '../portal/conversa.ts'
import { elemento, entrada, formulario, ocultos, selecao } from '../portal/html.ts'
import { camposDaVista, conferirVista, respostaParcial, vistaExpirada } from '../portal/jsf.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { portal } from '../portal/portal.ts'
import { botaoPrime, mensagensPrime, porAjax, veioDoBotao } from './primefaces.ts'
import { baixarDe, escreverGrade, linhasDe, solicitar } from './solicitacoes.ts'

/** How many tabs the visitor opened: their ids count them. */
type Abas = { abertas: number }
type Visita = PedidoPortal<Abas>

const PAGINA = '/certidaonft-web/index.xhtml'
const MENU = 'mainMenuForm'
const ABA = 'tabView:tabContent_tabItem'
const CAMPO = ':contribuinteCpfCnpjId'

/** Both forms of a tab: its end, its button and what the button renews. */
const FORMAS = {
  consultar: { form: ':certidaoSituacaoTv:formConsultar', botao: 'buscarBtn', texto: 'Buscar' },
  solicitar: { form: ':formSolicitar', botao: 'solicitarBtn', texto: 'Solicitar' },
} as const
type Acao = keyof typeof FORMAS

// Menu, tabs, forms, fields, buttons and the place of the status: open code that uses the screens, undated.
// The script of the menu's entries and all words but "Solicitação registrada" are made up.
export const certidoes = portal<Abas>({
  uf: 'PI',
  servico: 'cnd',
  nome: 'SEFAZ-PI, certidões',
  hosts: ['webas.sefaz.pi.gov.br'],
  atende: (caminho) => caminho.startsWith('/certidaonft-web/'),
  charset: 'utf-8',
  motor: 'java',
  sessao: { em: 'cookie', nome: 'JSESSIONID' },
  novaSessao: () => ({ abertas: 0 }),
  documento: (pedido) => documentoDe(pedido) || undefined,
  responder: (pedido) => {
    const { caminho, metodo, campos } = pedido
    if (caminho !== PAGINA) return pedido.pagina('Erro 404', '<h1>404</h1>', { status: 404 })
    if (metodo !== 'POST') return inicio(pedido)
    if (campos.get(MENU) === MENU) return abrir(pedido)
    return campos.has('javax.faces.partial.ajax') ? perguntar(pedido) : baixar(pedido)
  },
  expirada: vistaExpirada,
})

function documentoDe({ campos }: Visita): string {
  return [...campos].find(([nome]) => nome.startsWith(ABA) && nome.endsWith(CAMPO))?.[1].trim() ?? ''
}

const CERTIDOES = ['Certidão Negativa de Dívida Ativa', 'Certidão de Situação Fiscal e Tributária']

/** The id of an entry of the menu: the certificate, from 1, and the action. */
const entradaDe = (certidao: number, acao: Acao): string => `${MENU}:item${certidao}${acao}`

function inicio(pedido: Visita): Mensagem {
  const itens = CERTIDOES.map((nome, i) => {
    const acoes = (['consultar', 'solicitar'] as const).map((acao) => {
      const id = entradaDe(i + 1, acao)
      return `<li>${elemento('a', { id, href: '#', ...porAjax(id, 'tabView') }, FORMAS[acao].texto)}</li>`
    })
    return `<li><a href="#">${nome}</a><ul class="ui-menu-child">${acoes.join('')}</ul></li>`
  })
  const barra = elemento(
    'div',
    { id: `${MENU}:mainMenuBar` },
    `<ul class="ui-menu-list">${itens.join('')}</ul>`,
  )
  const campos = ocultos({ [MENU]: MENU })
  const form = formulario(
    { id: MENU, name: MENU, action: PAGINA },
    campos,
    barra,
    camposDaVista(pedido, 'página'),
  )
  return pedido.pagina('Certidões', `${form}<div id="tabView"></div>`)
}

/** Opens one more tab, for the chosen entry. The entries of the active debt are not played. */
function abrir(pedido: Visita): Mensagem {
  const acao = (['consultar', 'solicitar'] as const).find((uma) =>
    veioDoBotao(pedido, entradaDe(2, uma), 'tabView'),
  )
  if (!conferirVista(pedido, 'página') || !acao) return pedido.expirada()
  const id = ABA + pedido.sessao.dados.abertas + FORMAS[acao].form
  pedido.sessao.dados.abertas += 1
  const botao = `${id}:${FORMAS[acao].botao}`
  const form = formulario(
    { id, name: id, action: PAGINA },
    ocultos({ [id]: id }),
    selecao(`${id}:tipoPessoa_input`, { PJ: 'Pessoa Jurídica', PF: 'Pessoa Física' }, 'PJ'),
    entrada(id + CAMPO, { id: id + CAMPO, maxlength: '18' }),
    acao === 'solicitar' ? entrada(`${id}:contribuinteIncricaoId`) : '',
    botaoPrime(botao, FORMAS[acao].texto, porAjax(botao, alvosDe(id, acao).join(' '))),
    mensagensPrime(`${id}:messages`, ''),
    acao === 'consultar' ? escreverGrade(id, []) : '',
  )
  return respostaParcial(pedido, 'página', { tabView: form })
}

const alvosDe = (id: string, acao: Acao): string[] =>
  acao === 'consultar' ? [`${id}:messages`, `${id}:resultsDataTable`] : [`${id}:messages`]

/** The tab's form that was sent, of those that this visitor opened. */
function formaDe({ campos, sessao }: Visita): { id: string; acao: Acao } | undefined {
  for (let n = 0; n < sessao.dados.abertas; n++)
    for (const acao of ['consultar', 'solicitar'] as const) {
      const id = ABA + n + FORMAS[acao].form
      if (campos.get(id) === id) return { id, acao }
    }
  return undefined
}

function perguntaDe(pedido: Visita, id: string): Pergunta {
  const tipo = pedido.campo(`${id}:tipoPessoa_input`) === 'PF' ? 'cpf' : 'cnpj'
  return { tipo, documento: pedido.campo(id + CAMPO) }
}

function perguntar(pedido: Visita): Mensagem | Promise<Mensagem> {
  const forma = formaDe(pedido)
  if (!forma) return pedido.expirada()
  const { id, acao } = forma
  const avisar = (veio: Visita, aviso: string, grau: 'info' | 'error' = 'error'): Mensagem =>
    respostaParcial(veio, 'página', { [`${id}:messages`]: mensagensPrime(`${id}:messages`, aviso, grau) })
  return conversaDeCertidao<Abas>({
    uf: 'PI',
    ordem: ['sessao', 'campos', 'documento'],
    sessao: (veio) =>
      conferirVista(veio, 'página') &&
      veioDoBotao(veio, `${id}:${FORMAS[acao].botao}`, alvosDe(id, acao).join(' ')),
    campos: (veio) => {
      if (!perguntaDe(veio, id).documento) return 'CPF/CNPJ: campo obrigatório.'
      const semIe = acao === 'solicitar' && !veio.campos.has(`${id}:contribuinteIncricaoId`)
      return semIe ? 'Inscrição: campo não informado.' : undefined
    },
    pergunta: (veio) => perguntaDe(veio, id),
    avisar,
    mensagens: {},
    entregar: (veio, certidao) => {
      if (acao === 'solicitar') {
        solicitar(certidao.documento, veio.agora)
        return avisar(veio, 'Solicitação registrada com sucesso.', 'info')
      }
      return respostaParcial(veio, 'página', {
        [`${id}:messages`]: mensagensPrime(`${id}:messages`, ''),
        [`${id}:resultsDataTable`]: escreverGrade(id, linhasDe(id, certidao)),
      })
    },
  })(pedido)
}

function baixar(pedido: Visita): Mensagem | Promise<Mensagem> {
  const forma = formaDe(pedido)
  if (forma?.acao !== 'consultar') return pedido.expirada()
  const certidao = pedido.certidao(perguntaDe(pedido, forma.id))
  const apertada = baixarDe(forma.id, certidao).some((botao) => pedido.campos.get(botao) === '')
  return apertada ? pedido.pdf(certidao) : inicio(pedido)
}
