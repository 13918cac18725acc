import type { Ocorrencia } from '../mundo/contribuinte.ts'
import type { Mensagem } from '../platform/mensagem.ts'
import { escapar } from '../platform/xml.ts'
import { conversaDeCadastro, porToken } from '../portal/conversa.ts'
import { campoErrado } from '../portal/exigencia.ts'
import { habilitado, lerFicha } from '../portal/ficha.ts'
import { botao, elemento, entrada, formulario, ocultos } from '../portal/html.ts'
import { conferirVista, idGerado, vistaExpirada } from '../portal/jsf.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'
import { CAMPOS, documentoDe, FALTA, HOST, naoHa, perguntaDe, radios } from './escolha.ts'
import { certidoes } from './ma-certidao.ts'
import { ficha, lista } from './resultado.ts'
import { camposDoAjax, lugarDaVista, respostaAjax, submeter } from './richfaces3.ts'

const PASTA = '/sintegra/jsp/consultaSintegra/'
const FILTRO = `${PASTA}consultaSintegraFiltro.jsf`
const LISTA = `${PASTA}consultaSintegraResultadoListaConsulta.jsf`
const FICHA = `${PASTA}consultaSintegraResultadoConsulta.jsf`

/**
 * The kind of search on the screen, which the radio buttons change by AJAX. Also what was found, and which of
 * it is open.
 */
type Filtro = {
  tipo: '1' | '2'
  documento: string
  achadas: readonly Ocorrencia[]
  aberta: Ocorrencia | undefined
}

const cadastro = portal<Filtro>({
  uf: 'MA',
  servico: 'ie',
  nome: 'SEFAZ-MA, SINTEGRA',
  hosts: [HOST],
  atende: (caminho) => caminho.startsWith('/sintegra/'),
  charset: 'iso-8859-1',
  motor: 'java',
  sessao: { em: 'cookie', nome: 'JSESSIONID' },
  novaSessao: () => ({ tipo: '1', documento: '', achadas: [], aberta: undefined }),
  captcha: 'recaptcha-v2',
  documento: (pedido) => documentoDe(pedido) ?? (pedido.sessao.dados.documento || undefined),
  responder: (pedido) => {
    const { caminho, metodo, sessao } = pedido
    const { achadas, aberta } = sessao.dados
    if (caminho === LISTA && achadas.length > 0)
      return metodo === 'POST' ? abrir(pedido) : mostrarLista(pedido)
    if (caminho === FICHA && aberta)
      return pedido.pagina(TITULO, ficha(lerFicha(aberta, habilitado, MASCARA), pedido.agora))
    if (caminho !== FILTRO) return naoHa(pedido)
    if (metodo !== 'POST') return filtro(pedido)
    if (!conferirVista(pedido, 'filtro')) return pedido.expirada()
    return pedido.campos.has('AJAXREQUEST') ? trocarTipo(pedido) : consultar(pedido)
  },
  expirada: vistaExpirada,
})

const TITULO = 'SINTEGRA/ICMS - Maranhão'
const MASCARA = '00.000.000-0'

function filtro(pedido: PedidoPortal<Filtro>, aviso = ''): Mensagem {
  const { dados } = pedido.sessao
  if (pedido.metodo !== 'POST') dados.tipo = '1'
  const form = formulario(
    { id: 'form1', name: 'form1', action: FILTRO },
    ocultos({ form1: 'form1' }),
    elemento('span', { id: 'form1:msgs' }, aviso && elemento('div', {}, escapar(aviso))),
    radios(dados.tipo, submeter('form1', idDoTipo(pedido))),
    elemento('span', { id: 'form1:painel' }, campoDoTipo(dados.tipo)),
    elemento('div', { class: 'g-recaptcha', 'data-sitekey': pedido.captcha.chave }, ''),
    elemento(
      'div',
      { id: 'form1:pnlPrincipal4' },
      elemento('input', { type: 'button', value: 'Limpar' }) + botao(idDaConsulta(pedido), 'Consulta'),
    ),
    ocultos({ 'form1:panel_loadingOpenedState': '' }),
    lugarDaVista(pedido, 'filtro'),
  )
  return pedido.pagina(TITULO, form)
}

function idDoTipo(pedido: PedidoPortal<Filtro>): string {
  return idGerado(pedido, 0, 'form1:j_id')
}

function idDaConsulta(pedido: PedidoPortal<Filtro>): string {
  return idGerado(pedido, 13, 'form1:j_id')
}

function campoDoTipo(tipo: '1' | '2'): string {
  const id = CAMPOS[tipo]
  return `<label for="${id}">${tipo === '1' ? 'Inscrição Estadual' : 'CPF/CNPJ'}</label>${entrada(id, { id, size: '20' })}`
}

function trocarTipo(pedido: PedidoPortal<Filtro>): Mensagem {
  const exigidos = { ...camposDoAjax(idDoTipo(pedido)), form1: 'form1', 'AJAX:EVENTS_COUNT': '1' }
  if (campoErrado(pedido.campos, { ...exigidos, 'form1:tipoEmissao': /^[12]$/ })) return filtro(pedido, FALTA)
  const tipo = pedido.campo('form1:tipoEmissao') === '1' ? '1' : '2'
  pedido.sessao.dados.tipo = tipo
  return respostaAjax(pedido, 'filtro', { 'form1:painel': campoDoTipo(tipo) })
}

const consultar = conversaDeCadastro<Filtro>({
  uf: 'MA',
  ordem: ['campos', 'captcha', 'documento'],
  campos: (pedido) => {
    const { tipo } = pedido.sessao.dados
    const exigidos = { form1: 'form1', 'form1:tipoEmissao': tipo, [CAMPOS[tipo]]: /\S/ }
    const enviado = { [idDaConsulta(pedido)]: 'Consulta', 'form1:panel_loadingOpenedState': '' }
    return campoErrado(pedido.campos, { ...exigidos, ...enviado }) && FALTA
  },
  captcha: porToken('g-recaptcha-response', 'Captcha inválido.'),
  pergunta: perguntaDe,
  avisar: filtro,
  ninguem: 'Nenhum resultado encontrado',
  desenhar: (pedido, achadas) => {
    Object.assign(pedido.sessao.dados, { achadas, documento: perguntaDe(pedido).documento })
    return pedido.redirecionar(LISTA)
  },
})

function mostrarLista(pedido: PedidoPortal<Filtro>): Mensagem {
  const { achadas } = pedido.sessao.dados
  const fichas = achadas.map((achada) => lerFicha(achada, habilitado, MASCARA))
  return pedido.pagina(TITULO, lista(LISTA, fichas))
}

/** The image that was pressed says which. The server keeps the list's view: it may be sent again. */
function abrir(pedido: PedidoPortal<Filtro>): Mensagem {
  const { dados } = pedido.sessao
  const linha = [...pedido.campos.keys()].map((nome) => /^j_id6:tabela:(\d+):j_id12\.x$/.exec(nome)?.[1])
  const errado = campoErrado(pedido.campos, { j_id6: 'j_id6', 'javax.faces.ViewState': 'j_id2' })
  dados.aberta = dados.achadas[Number(linha.find(Boolean) ?? -1)]
  return dados.aberta && !errado ? pedido.redirecionar(FICHA) : pedido.expirada()
}

export const portais: readonly Portal[] = [cadastro, certidoes]
