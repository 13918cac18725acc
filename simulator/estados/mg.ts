import type { Certidao } from '../certidao/certidao.ts'
import { maskDocumento } from '../documento/documento.ts'
import type { Pergunta } from '../mundo/contribuinte.ts'
import type { Mensagem } from '../platform/autoridade.ts'
import { escapeXml } from '../platform/xml.ts'
import {
  COM_MASCARA,
  campoErrado,
  conversaDeCertidao,
  naoHa,
  peloMotivo,
  tiposPor,
} from '../portal/conversa.ts'
import { elemento, entrada, formulario, ocultos } from '../portal/html.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'

const SERVICO = '/sol/ctrl/SOL/CDT/SERVICO_'
const CONFIRMAR = '/sol/images/sicaf/bt_confirmar2.gif'

type Visita = { certidao: Certidao | undefined; servico: number }
type Pedido = PedidoPortal<Visita>

// Robot of the government of MG, 2026-01-19; fields of DAE, a page of the same framework; the actions are
// made up.
const certidoes = portal<Visita>({
  uf: 'MG',
  servico: 'cnd',
  nome: 'SEF-MG, certidão de débitos tributários',
  hosts: ['www2.fazenda.mg.gov.br'],
  charset: 'iso-8859-1',
  motor: 'java',
  novaSessao: () => ({ certidao: undefined, servico: 0 }),
  documento: (pedido) => pedido.campo('txtIdentificacao') || undefined,
  answer: (pedido) => {
    const { caminho, consulta, metodo } = pedido
    if (caminho === `${SERVICO}829` && consulta.get('ACAO') === 'INICIAR') return identificacao(pedido)
    if (caminho === `${SERVICO}839` && consulta.get('ACAO') === 'DESISTIR') return identificacao(pedido)
    if (metodo !== 'POST') return naoHa(pedido)
    const { certidao, servico } = pedido.sessao.dados
    if (caminho !== `${SERVICO}${servico}`) return pedido.expirada()
    if (caminho === `${SERVICO}841`) return identify(pedido)
    if (!certidao) return pedido.expirada()
    if (caminho === `${SERVICO}839` && is(pedido, 'CONFIRMAR_EMISSAO')) return impressao(pedido)
    if (caminho === `${SERVICO}863` && is(pedido, 'IMPRIMIR'))
      return pedido.paginaDaCertidao(certidao, TITULO)
    return pedido.expirada()
  },
  expirada: (pedido) => pedido.pagina(TITULO, aviso('Sessão expirada')),
})

const TITULO = 'SOL - Certidão de Débitos Tributários'

const is = ({ campos }: Pedido, ACAO: string): boolean =>
  campoErrado(campos, { ACAO, unifwScrollTop: /^\d+$/, unifwScrollLeft: /^\d+$/ }) === undefined

const SCRIPT =
  '<script>function submeter(acao) { document.formTela.ACAO.value = acao; document.formTela.submit(); }\n' +
  "function emitir() { if (confirm('Confirma a emissão da certidão?')) { submeter('CONFIRMAR_EMISSAO'); } }</script>"

function tela(pedido: Pedido, servico: number, ...conteudo: readonly string[]): Mensagem {
  pedido.sessao.dados.servico = servico
  const campos = ocultos({ ACAO: '', unifwScrollTop: '0', unifwScrollLeft: '0' })
  const form = formulario({ name: 'formTela', action: `${SERVICO}${servico}` }, campos, ...conteudo)
  return pedido.pagina(TITULO, SCRIPT + form)
}

const aviso = (texto: string): string => texto && elemento('div', { class: 'msgErro' }, escapeXml(texto))

const tipos = tiposPor({ 1: 'cnpj', 2: 'cpf', 3: 'ie' })
const mascaras = { ...COM_MASCARA, ie: /^[\d./-]+$/ } as const

function identificacao(pedido: Pedido, erro = ''): Mensagem {
  pedido.sessao.dados.certidao = undefined
  const lista = elemento(
    'select',
    { name: 'cmbTipoIdentificacao' },
    '<option value=""></option><option value="2">CPF</option><option value="1">CNPJ</option><option value="3">Inscrição Estadual</option>',
  )
  const imagem = elemento('img', { src: CONFIRMAR, alt: 'Confirmar', title: 'Confirmar', border: '0' })
  const link = elemento('a', { href: '#', onclick: "submeter('CONFIRMAR');" }, imagem)
  return tela(pedido, 841, aviso(erro), 'Identificação:', lista, entrada('txtIdentificacao'), link)
}

const perguntaDe = (pedido: Pedido): Pergunta | undefined => {
  const tipo = tipos.get(pedido.campo('cmbTipoIdentificacao'))
  const documento = pedido.campo('txtIdentificacao')
  return tipo && mascaras[tipo].test(documento) ? { tipo, documento } : undefined
}

const identify = conversaDeCertidao<Visita>({
  ordem: ['sessao', 'campos', 'documento'],
  sessao: (pedido) => !pedido.sessao.nova && is(pedido, 'CONFIRMAR'),
  campos: (pedido) => (perguntaDe(pedido) ? undefined : 'Identificação inválida'),
  pergunta: perguntaDe,
  notify: identificacao,
  mensagens: { irregular: peloMotivo },
  deliver: confirmacao,
})

/** The document of the question. A taxpayer without an address in the state's system is told to give one. */
function confirmacao(pedido: Pedido, certidao: Certidao): Mensagem {
  const quem = `<p>${escapeXml(`${maskDocumento(certidao.documento)} ${certidao.nome}`.trim())}</p>`
  const desistir = elemento('a', { href: `${SERVICO}839?ACAO=DESISTIR` }, 'Desistir')
  if (certidao.inscricao === '') {
    const link = elemento(
      'a',
      { href: '#', onclick: "submeter('ENDERECO');" },
      '(Clique aqui para informar endereço)',
    )
    return tela(pedido, 839, quem, `<table><tr><td class="tabftrlnk">${link}</td></tr></table>`, desistir)
  }
  pedido.sessao.dados.certidao = certidao
  const imagem = elemento('img', { src: CONFIRMAR, border: '0' })
  return tela(pedido, 839, quem, elemento('a', { href: '#', onclick: 'emitir();' }, imagem), desistir)
}

function impressao(pedido: Pedido): Mensagem {
  const link = elemento('a', { href: '#', onclick: "submeter('IMPRIMIR');" }, 'Imprimir Certidão')
  return tela(pedido, 863, `<table><tr><td class="ctnftr">${link}</td></tr></table>`)
}

export const portais: readonly Portal[] = [certidoes]
