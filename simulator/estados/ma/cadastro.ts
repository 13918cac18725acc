import type { Mensagem } from '../../autoridades/mensagem.ts'
import { escapar } from '../../autoridades/xml.ts'
import { campoErrado, recusaDoDocumento } from '../../familias/exigencia.ts'
import { habilitado, lerFicha } from '../../familias/ficha.ts'
import { conferirVista, idGerado, vistaExpirada } from '../../familias/jsf.ts'
import { camposDoAjax, lugarDaVista, respostaAjax, submeter } from '../../familias/richfaces3.ts'
import { blocosDoSintegra, OBSERVACAO } from '../../familias/sintegra.ts'
import type { Ocorrencia } from '../../mundo/contribuinte.ts'
import { botao, elemento, entrada, formulario, ocultos } from '../../portal/html.ts'
import type { PedidoPortal } from '../../portal/pedido.ts'
import { portal } from '../../portal/portal.ts'

import { CAMPOS, documentoDe, FALTA, HOST, naoHa, perguntaDe, radios } from './escolha.ts'

const FILTRO = '/sintegra/jsp/consultaSintegra/consultaSintegraFiltro.jsf'

/** The kind of search on the screen, which the radio buttons change by AJAX. */
type Filtro = { tipo: '1' | '2' }

export const cadastro = portal<Filtro>({
  uf: 'MA',
  servico: 'ie',
  nome: 'SEFAZ-MA, SINTEGRA',
  hosts: [HOST],
  atende: (caminho) => caminho.startsWith('/sintegra/'),
  charset: 'iso-8859-1',
  motor: 'java',
  sessao: { em: 'cookie', nome: 'JSESSIONID' },
  novaSessao: () => ({ tipo: '1' }),
  captcha: 'recaptcha-v2',
  documento: documentoDe,
  responder: (pedido) => {
    if (pedido.caminho !== FILTRO) return naoHa(pedido)
    if (pedido.metodo !== 'POST') {
      pedido.sessao.dados.tipo = '1'
      return filtro(pedido)
    }
    if (!conferirVista(pedido, 'filtro')) return pedido.expirada()
    return pedido.campos.has('AJAXREQUEST') ? trocarTipo(pedido) : consultar(pedido)
  },
  expirada: vistaExpirada,
})

function filtro(pedido: PedidoPortal<Filtro>, aviso = ''): Mensagem {
  const { tipo } = pedido.sessao.dados
  const form = formulario(
    { id: 'form1', name: 'form1', action: FILTRO },
    ocultos({ form1: 'form1' }),
    radios(tipo, submeter('form1', idDoTipo(pedido))),
    elemento('span', { id: 'form1:painel' }, campoDoTipo(tipo)),
    elemento('div', { class: 'g-recaptcha', 'data-sitekey': pedido.captcha.chave }, ''),
    botao(idDaConsulta(pedido), 'Consulta'),
    ocultos({ 'form1:panel_loadingOpenedState': '' }),
    lugarDaVista(pedido, 'filtro'),
  )
  const mensagem = aviso && `<span class="rich-messages-label">${escapar(aviso)}</span>`
  return pedido.pagina('SINTEGRA/ICMS - Maranhão', mensagem + form)
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

function consultar(pedido: PedidoPortal<Filtro>): Mensagem {
  const { tipo } = pedido.sessao.dados
  const errado = campoErrado(pedido.campos, {
    form1: 'form1',
    'form1:tipoEmissao': tipo,
    [CAMPOS[tipo]]: /\S/,
    [idDaConsulta(pedido)]: 'Consulta',
    'form1:panel_loadingOpenedState': '',
    'g-recaptcha-response': /^/,
  })
  if (errado) return filtro(pedido, FALTA)
  if (!pedido.captcha.conferirToken(pedido.campo('g-recaptcha-response')))
    return filtro(pedido, 'Captcha inválido.')
  const pergunta = perguntaDe(pedido)
  const recusa = recusaDoDocumento('MA', pergunta)
  if (recusa) return filtro(pedido, recusa)
  const achadas = pedido.procurar(pergunta)
  if (achadas.length === 0) return filtro(pedido, 'Nenhum resultado encontrado')
  return pedido.pagina('SINTEGRA/ICMS - Maranhão', `${achadas.map(resultado).join('\n')}<p>${OBSERVACAO}</p>`)
}

/** The registration comes first. */
function resultado(achada: Ocorrencia): string {
  const blocos = blocosDoSintegra(lerFicha(achada, habilitado, '00.000.000-0'))
  const linhas = blocos.map(({ titulo, pares }) => {
    const ordem = [...pares].sort(([a], [b]) => Number(ehDaInscricao(b)) - Number(ehDaInscricao(a)))
    const celulas = ordem.map(
      ([rotulo, valor]) =>
        `<tr><td><span class="rotulo">${rotulo}</span></td><td><span class="textoPequeno">${escapar(valor) || '&nbsp;'}</span></td></tr>`,
    )
    return `<tr><th colspan="2">${titulo}</th></tr>\n${celulas.join('\n')}`
  })
  return elemento('table', { class: 'tabelaResultado' }, linhas.join('\n'))
}

function ehDaInscricao(rotulo: string): boolean {
  return rotulo === 'Inscrição Estadual:'
}
