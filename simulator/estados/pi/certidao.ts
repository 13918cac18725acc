import { LRUCache } from 'lru-cache'
import type { Mensagem } from '../../autoridades/mensagem.ts'
import { escapar } from '../../autoridades/xml.ts'
import { campoErrado, recusaDoDocumento } from '../../familias/exigencia.ts'
import { camposDaVista, conferirVista, idGerado, respostaParcial, vistaExpirada } from '../../familias/jsf.ts'
import { botaoPrime, mensagensPrime, porAjax, veioDoBotao } from '../../familias/primefaces.ts'
import type { Certidao } from '../../mundo/certidao.ts'
import { sementeDe } from '../../mundo/documento.ts'
import type { Pergunta } from '../../mundo/pergunta.ts'
import { elemento, entrada, formulario, ocultos, selecao } from '../../portal/html.ts'
import { dataBrasileira, limparDocumento } from '../../portal/mascara.ts'
import type { PedidoPortal } from '../../portal/pedido.ts'
import { portal } from '../../portal/portal.ts'

type Visita = PedidoPortal<undefined>

const BASE = '/certidaonft-web/'
const FORM = 'form'
const MENSAGENS = `${FORM}:messages`
const GRADE = `${FORM}:resultsDataTable`
const TIPOS = { PJ: 'Pessoa Jurídica', PF: 'Pessoa Física' }
/** In the order of the grid: the one of the active debt comes first. */
const CERTIDOES = ['Negativa de Dívida Ativa', 'Situação Fiscal e Tributária']

/** One request, and how many more times it is found in the making. Whoever comes may fetch what was asked for. */
type Solicitacao = { numero: number; em: Date; faltam: number }

/** The last ones of each document, newest first. */
const solicitacoes = new LRUCache<string, readonly Solicitacao[]>({ max: 10_000 })
const LEMBRADAS = 3
let feitas = 0

export const certidoes = portal<undefined>({
  uf: 'PI',
  servico: 'cnd',
  nome: 'SEFAZ-PI, certidões',
  hosts: ['webas.sefaz.pi.gov.br'],
  atende: (caminho) => caminho.startsWith(BASE),
  charset: 'utf-8',
  motor: 'java',
  sessao: { em: 'cookie', nome: 'JSESSIONID' },
  novaSessao: () => undefined,
  documento: (pedido) => pedido.campo('cpfCnpj') || undefined,
  responder: (pedido) => {
    const { caminho, metodo } = pedido
    if (caminho === `${BASE}index.xhtml`) return menu(pedido)
    if (caminho === `${BASE}solicitar.xhtml`)
      return metodo === 'POST' ? solicitar(pedido) : tela(pedido, 'Solicitar')
    if (caminho === `${BASE}consultar.xhtml`)
      return metodo === 'POST' ? consultar(pedido) : tela(pedido, 'Consultar')
    return pedido.pagina('Erro 404', '<h1>404</h1>', { status: 404 })
  },
  expirada: vistaExpirada,
})

function menu(pedido: Visita): Mensagem {
  const itens = ['Solicitar', 'Consultar'].map(
    (texto) =>
      `<li><a href="${texto.toLowerCase()}.xhtml"><span class="ui-menuitem-text">${texto}</span></a></li>`,
  )
  return pedido.pagina('Certidões', `<h3>Certidões</h3><ul class="ui-menu-list">${itens.join('')}</ul>`)
}

/** Both screens: the same fields, and a button that asks by AJAX. */
function tela(pedido: Visita, acao: 'Solicitar' | 'Consultar'): Mensagem {
  const grade = acao === 'Consultar'
  const form = formulario(
    { id: FORM, name: FORM, action: pedido.caminho },
    ocultos({ [FORM]: FORM }),
    selecao('tipoPessoa', TIPOS, 'PJ'),
    entrada('cpfCnpj', { id: 'cpfCnpj', maxlength: '18' }),
    grade ? '' : entrada('contribuinteIncricaoId', { placeholder: 'Inscrição Estadual (opcional)' }),
    botaoPrime(idDo(pedido), acao, porAjax(idDo(pedido), grade ? `${MENSAGENS} ${GRADE}` : MENSAGENS)),
    mensagensPrime(MENSAGENS, ''),
    grade ? escreverGrade([]) : '',
    camposDaVista(pedido, acao),
  )
  return pedido.pagina(`${acao} certidão`, form)
}

function idDo(pedido: Visita): string {
  return `${FORM}:${idGerado(pedido, 7)}`
}

function perguntaDe(pedido: Visita): Pergunta {
  return { tipo: pedido.campo('tipoPessoa') === 'PF' ? 'cpf' : 'cnpj', documento: pedido.campo('cpfCnpj') }
}

/** Why the document is not taken; undefined when it is. */
function recusar(pedido: Visita): string | undefined {
  if (campoErrado(pedido.campos, { [FORM]: FORM, tipoPessoa: /^P[JF]$/, cpfCnpj: /\S/ }))
    return 'CPF/CNPJ: campo obrigatório.'
  return recusaDoDocumento('PI', perguntaDe(pedido))
}

function solicitar(pedido: Visita): Mensagem {
  if (!conferirVista(pedido, 'Solicitar') || !veioDoBotao(pedido, idDo(pedido), MENSAGENS))
    return pedido.expirada()
  const inscricao = pedido.campos.has('contribuinteIncricaoId')
  const recusa = inscricao ? recusar(pedido) : 'Inscrição: campo não informado.'
  if (recusa) return respostaParcial(pedido, 'Solicitar', { [MENSAGENS]: mensagensPrime(MENSAGENS, recusa) })
  const documento = limparDocumento(pedido.campo('cpfCnpj'))
  feitas += 1
  // One in eight takes longer.
  const faltam = sementeDe(documento) % 8 === 7 ? 1 : 0
  const todas = [{ numero: 700_000 + 2 * feitas, em: pedido.agora, faltam }, ...solicitacoesDe(pedido)]
  solicitacoes.set(documento, todas.slice(0, LEMBRADAS))
  const mensagens = mensagensPrime(MENSAGENS, 'Solicitação registrada com sucesso.', 'info')
  return respostaParcial(pedido, 'Solicitar', { [MENSAGENS]: mensagens })
}

function consultar(pedido: Visita): Mensagem | Promise<Mensagem> {
  if (!conferirVista(pedido, 'Consultar')) return pedido.expirada()
  if (!pedido.campos.has('javax.faces.partial.ajax')) return baixar(pedido)
  if (!veioDoBotao(pedido, idDo(pedido), `${MENSAGENS} ${GRADE}`)) return pedido.expirada()
  const recusa = recusar(pedido)
  return respostaParcial(pedido, 'Consultar', {
    [MENSAGENS]: mensagensPrime(MENSAGENS, recusa ?? ''),
    [GRADE]: escreverGrade(recusa ? [] : linhasDe(pedido)),
  })
}

function solicitacoesDe(pedido: Visita): readonly Solicitacao[] {
  return solicitacoes.get(limparDocumento(pedido.campo('cpfCnpj'))) ?? []
}

function linhasDe(pedido: Visita): string[][] {
  const certidao = pedido.certidao(perguntaDe(pedido))
  const todas = solicitacoesDe(pedido)
  return todas.flatMap((solicitacao, i) => {
    const emProcesso = solicitacao.faltam > 0
    solicitacao.faltam -= emProcesso ? 1 : 0
    const situacao = emProcesso ? 'Em processamento' : situacaoDe(certidao)
    const pronta = situacao === CONCLUIDA
    return CERTIDOES.map((nome, j) => [
      String(solicitacao.numero + j),
      quando(solicitacao.em),
      nome,
      escapar(situacao),
      pronta ? dataBrasileira(certidao.validade) : '',
      pronta ? botaoPrime(baixarDe(pedido, CERTIDOES.length * i + j), 'Baixar') : '',
    ])
  })
}

const CONCLUIDA = 'Concluída'

function situacaoDe({ desfecho, motivo }: Certidao): string {
  if (desfecho === 'positiva') return 'Não emitida: existem débitos'
  return desfecho === 'irregular' ? `Não emitida: ${motivo}` : CONCLUIDA
}

/** dd/mm/aaaa hh:mm in Brasília, three hours behind UTC. */
function quando(momento: Date): string {
  const [data = '', hora = ''] = new Date(momento.getTime() - 3 * 3_600_000).toISOString().split('T')
  return `${dataBrasileira(data)} ${hora.slice(0, 5)}`
}

function baixarDe(pedido: Visita, linha: number): string {
  return `${GRADE}:${linha}:${idGerado(pedido, 9)}`
}

/** The cells are HTML. */
function escreverGrade(linhas: readonly (readonly string[])[]): string {
  const titulos = ['Número', 'Data da Solicitação', 'Certidão', 'Situação', 'Validade', '']
  const corpo = linhas.map(
    (celulas, i) =>
      `<tr data-ri="${i}" class="ui-widget-content" role="row">${celulas.map((html) => `<td role="gridcell">${html}</td>`).join('')}</tr>`,
  )
  const vazia = `<tr class="ui-datatable-empty-message"><td colspan="${titulos.length}">Nenhum registro encontrado</td></tr>`
  const cabeca = titulos.map((titulo) => `<th role="columnheader">${titulo}</th>`).join('')
  const tabela = `<table role="grid"><thead><tr>${cabeca}</tr></thead><tbody id="${GRADE}_data">${corpo.join('\n') || vazia}</tbody></table>`
  return elemento('div', { id: GRADE, class: 'ui-datatable ui-widget' }, tabela)
}

function baixar(pedido: Visita): Mensagem | Promise<Mensagem> {
  const certidao = pedido.certidao(perguntaDe(pedido))
  const prontas = solicitacoesDe(pedido).flatMap(({ faltam }) => CERTIDOES.map(() => faltam === 0))
  const apertada = prontas.some((pronta, i) => pronta && pedido.campos.get(baixarDe(pedido, i)) === '')
  if (!apertada || recusar(pedido) || situacaoDe(certidao) !== CONCLUIDA) return tela(pedido, 'Consultar')
  return pedido.pdf(certidao)
}
