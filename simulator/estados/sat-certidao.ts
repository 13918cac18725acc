import type { Certidao } from '../certidao/certidao.ts'
import { sementeDe } from '../documento/documento.ts'
import { dataBrasileira } from '../documento/mascara.ts'
import type { Mensagem } from '../platform/mensagem.ts'
import { escapar } from '../platform/xml.ts'
import { conversaDeCertidao, porToken } from '../portal/conversa.ts'
import { elemento } from '../portal/html.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { portal } from '../portal/portal.ts'
import { conferirTrio, estadoInvalido, idDe, linkDePostback, recursoAusente } from '../portal/webforms.ts'
import { BUSCAR, buscaSat, CORPO, documentoSat, listaSat, type TelaSat, telaSat } from './sat.ts'

const PASTA = '/tax.net/sat.ctacte.web/'
const IDENTIFICADOR = `${CORPO}sepBusca$idnCnd`
const GERAR = `${CORPO}ctnResultado$btnGerarCnd`
const GRADE = `${CORPO}ctnResultado$grpCnd$gridView`
/** Where a new certificate is shown to be printed. */
const JANELA = 'ImpressaoCnd.aspx'
const TITULO = 'Solicitação de Certidão Negativa de Débitos Fiscais'

/** The certificate of the last search, and the certificates in the grid, newest first. */
type Dados = { pedida: Certidao | undefined; grade: readonly Certidao[] }

/** SC's certificates: a grid of those issued before, and a button for a new one. */
export const certidoesSat = portal<Dados>({
  uf: 'SC',
  servico: 'cnd',
  nome: 'SEF-SC, certidão negativa de débitos',
  hosts: ['sat.sef.sc.gov.br', 'tributario.sef.sc.gov.br'],
  atende: (caminho) => caminho.toLowerCase().startsWith(PASTA),
  charset: 'utf-8',
  motor: 'asp.net',
  sessao: { em: 'cookie', nome: 'ASP.NET_SessionId' },
  novaSessao: () => ({ pedida: undefined, grade: [] }),
  captcha: 'recaptcha-v2',
  documento: (pedido) => documentoSat(pedido, IDENTIFICADOR),
  responder: async (pedido) => {
    const { pedida } = pedido.sessao.dados
    if (pedido.caminho.toLowerCase() === PASTA + JANELA.toLowerCase() && pedida)
      return pedido.paginaDaCertidao(pedida, 'Certidão')
    if (pedido.caminho.toLowerCase() !== `${PASTA}solicitacaocnd.aspx`) return recursoAusente(pedido)
    return pedido.metodo === 'POST' ? postback(pedido) : tela(pedido)
  },
  expirada: estadoInvalido,
})

function tela(pedido: PedidoPortal<Dados>, resto: Partial<TelaSat> = {}): Mensagem {
  const captcha = elemento('div', { class: 'g-recaptcha', 'data-sitekey': pedido.captcha.chave }, '')
  return telaSat(pedido, { titulo: TITULO, etapa: 'cnd', identificador: IDENTIFICADOR, captcha, ...resto })
}

async function postback(pedido: PedidoPortal<Dados>): Promise<Mensagem> {
  if (!conferirTrio(pedido, 'cnd')) return pedido.expirada()
  const alvo = pedido.campo('__EVENTTARGET')
  const { dados } = pedido.sessao
  if (alvo === BUSCAR) {
    Object.assign(dados, { pedida: undefined, grade: [] })
    return busca(pedido)
  }
  const { pedida, grade } = dados
  if (!pedida) return tela(pedido)
  if (alvo === GERAR) return gerar(pedido, pedida)
  const baixada = grade.find((_, i) => alvo === comandoDe(i))
  return baixada ? pedido.pdf(baixada, { nome: 'cnd.pdf' }) : tela(pedido, { resultado: resultado(pedido) })
}

const busca = conversaDeCertidao<Dados>({
  uf: 'SC',
  ordem: ['captcha', 'campos', 'documento'],
  captcha: porToken('g-recaptcha-response', 'Captcha inválido.'),
  ...buscaSat(IDENTIFICADOR),
  avisar: (pedido, erro) => tela(pedido, { erros: [erro] }),
  mensagens: {},
  entregar: (pedido, pedida) => {
    Object.assign(pedido.sessao.dados, { pedida, grade: jaEmitidas(pedida) })
    return tela(pedido, { resultado: resultado(pedido) })
  },
})

/** A new certificate comes as a page in a window, to be printed, or as a link over the grid. */
function gerar(pedido: PedidoPortal<Dados>, pedida: Certidao): Mensagem {
  const { dados } = pedido.sessao
  if (pedida.desfecho === 'positiva') return tela(pedido, { resultado: resultado(pedido) + pendencias })
  if (pedida.desfecho === 'irregular')
    return tela(pedido, {
      erros: ['Não foi possível emitir a certidão pela internet.'],
      resultado: resultado(pedido),
    })
  dados.grade = [pedida, ...dados.grade]
  if (sementeDe(pedida.documento) % 2 === 0) {
    const script = `<script type="text/javascript">window.open('${JANELA}', '_blank');</script>`
    return tela(pedido, { resultado: resultado(pedido) + script })
  }
  const baixar = elemento('a', { href: linkDePostback(comandoDe(0)) }, 'Clique aqui para baixar a certidão')
  const sucesso = listaSat('sat-vs-success', [
    'Certidão gerada com sucesso.',
    `Número: ${pedida.numero}`,
    baixar,
  ])
  return tela(pedido, { resultado: sucesso + resultado(pedido) })
}

const pendencias = elemento(
  'div',
  { id: 'Body_Main_Main_popPendencias', class: 'modal' },
  '<h4>Pendências</h4><p>Existem pendências que impedem a emissão da certidão.</p>',
)

/**
 * Of three companies that may have a certificate, one got it ten days before, and one has an expired one. An
 * old certificate is served with its old dates.
 */
function jaEmitidas(pedida: Certidao): Certidao[] {
  const sorte = sementeDe(pedida.documento) % 3
  if (sorte === 0 && ['negativa', 'efeitos'].includes(pedida.desfecho)) return [recuar(pedida, 10)]
  return sorte === 1 ? [recuar(pedida, 400)] : []
}

function recuar(certidao: Certidao, dias: number): Certidao {
  const antes = (data: string): string =>
    new Date(Date.parse(data) - dias * 86_400_000).toISOString().slice(0, 10)
  const numero = String(BigInt(certidao.numero) - BigInt(dias)).padStart(certidao.numero.length, '0')
  return { ...certidao, numero, emissao: antes(certidao.emissao), validade: antes(certidao.validade) }
}

function resultado(pedido: PedidoPortal<Dados>): string {
  const { grade } = pedido.sessao.dados
  const hoje = pedido.agora.toISOString().slice(0, 10)
  const linhas = grade.map(({ numero, emissao, validade, nome }, i) => {
    const vale = validade >= hoje
    const data = elemento('span', { class: vale ? 'valido' : 'vencido' }, dataBrasileira(validade))
    const baixar = { id: `${idDe(GRADE)}_cmd0_${i}`, href: linkDePostback(comandoDe(i)) }
    const celulas = [
      numero,
      escapar(nome),
      dataBrasileira(emissao),
      data,
      vale ? elemento('a', baixar, 'Baixar') : '&nbsp;',
    ]
    return `<tr>${celulas.map((celula) => `<td>${celula}</td>`).join('')}</tr>`
  })
  const cabeca = '<tr><th>Número</th><th>Nome</th><th>Emissão</th><th>Válida até</th><th>&nbsp;</th></tr>'
  return [
    elemento('table', { id: idDe(GRADE), class: 'grid' }, [cabeca, ...linhas].join('\n')),
    elemento('a', { id: idDe(GERAR), class: 'btn', href: linkDePostback(GERAR) }, '<span>Gerar CND</span>'),
  ].join('\n')
}

function comandoDe(linha: number): string {
  return `${GRADE}$ctl${String(linha + 2).padStart(2, '0')}$cmd0`
}
