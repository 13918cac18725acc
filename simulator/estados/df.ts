import type { Mensagem } from '../autoridades/mensagem.ts'
import { escapar } from '../autoridades/xml.ts'
import { campoErrado, recusaDoDocumento } from '../familias/exigencia.ts'
import { ativo, type Ficha, lerFicha } from '../familias/ficha.ts'
import type { Ocorrencia } from '../mundo/contribuinte.ts'
import type { Pergunta } from '../mundo/pergunta.ts'
import { elemento, formulario, ocultos } from '../portal/html.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'

const SINTEGRA = '/aplicacoes/sintegra/'

const tipos = new Map<string, Pergunta['tipo']>([
  ['1', 'cpf'],
  ['2', 'cnpj'],
  ['3', 'ie'],
])

/** What the list showed last, for its details. */
type Lista = { achadas: readonly Ocorrencia[] }

/** The ColdFusion pages; the new site, behind a challenge that wants a browser, is not played. */
const cadastro = portal<Lista>({
  uf: 'DF',
  servico: 'ie',
  nome: 'SEEC-DF, SINTEGRA',
  hosts: ['www.fazenda.df.gov.br'],
  charset: 'utf-8',
  motor: 'asp.net',
  sessao: { em: 'cookie', nome: 'CFID' },
  novaSessao: () => ({ achadas: [] }),
  documento: (pedido) => pedido.campo('argumento') || undefined,
  responder: (pedido) => {
    const caminho = pedido.caminho.toLowerCase()
    if (caminho === `${SINTEGRA}consulta.cfm`) return consultar(pedido)
    if (caminho === `${SINTEGRA}detalhamento.cfm`) return detalhar(pedido)
    if (caminho === '/area.cfm')
      return pedido.pagina('SINTEGRA', '<a href="aplicacoes/sintegra/consulta.cfm">Consulta</a>')
    return pedido.pagina('Object not found', '<h1>404</h1>', { status: 404 })
  },
})

const INDISPONIVEL = 'No momento não podemos atender a sua solicitação. Por favor tente mais tarde.'

function consultar(pedido: PedidoPortal<Lista>): Mensagem {
  const errado = campoErrado(pedido.campos, {
    sefp: '1',
    estado: 'DF',
    identificador: /^[123]$/,
    argumento: /./,
  })
  if (pedido.metodo !== 'POST' || !veioDe(pedido, /\.cfm/) || errado) return avisar(pedido, INDISPONIVEL)
  const pergunta = {
    tipo: tipos.get(pedido.campo('identificador')) ?? 'cnpj',
    documento: pedido.campo('argumento'),
  }
  const recusa = recusaDoDocumento('DF', pergunta)
  if (recusa) return avisar(pedido, recusa)
  const achadas = pedido.procurar(pergunta)
  pedido.sessao.dados.achadas = achadas
  if (achadas.length === 0) return avisar(pedido, 'Nenhum resultado encontrado')
  const linhas = achadas.map((achada) => {
    const { ie, nome, situacao } = lerFicha(achada, ativo, MASCARA)
    return `<tr><td>${ie}</td><td>${escapar(nome)}</td><td>${situacao}</td><td>${abrir(achada)}</td></tr>`
  })
  const cabeca = '<tr><th>CF/DF</th><th>RAZÃO SOCIAL</th><th>SITUAÇÃO</th><th>&nbsp;</th></tr>'
  return pedido.pagina('SINTEGRA - DF', elemento('table', { border: '1' }, cabeca + linhas.join('\n')))
}

const MASCARA = '00000000000-00'

function abrir({ inscricao }: Ocorrencia): string {
  const botao = elemento('input', { type: 'image', src: 'lupa.gif', alt: 'Detalhar' })
  return formulario({ action: 'detalhamento.cfm' }, ocultos({ cCFDF: inscricao.ie }), botao)
}

function detalhar(pedido: PedidoPortal<Lista>): Mensagem {
  const ie = pedido.campo('cCFDF')
  if (pedido.metodo !== 'POST' || !veioDe(pedido, /\/consulta\.cfm/)) return avisar(pedido, INDISPONIVEL)
  const achada =
    pedido.sessao.dados.achadas.find(({ inscricao }) => inscricao.ie === ie) ??
    pedido.procurar({ tipo: 'ie', documento: ie })[0]
  if (!achada) return avisar(pedido, 'Nenhum resultado encontrado')
  return pedido.pagina('SINTEGRA - DF', detalhe(lerFicha(achada, ativo, MASCARA)))
}

/** Code and text of the activity stand in two lines, and so do their cells' neighbours: labels in capitals but for two. */
function detalhe(ficha: Ficha): string {
  const pares = [
    ['CNPJ/CPF', escapar(ficha.documento)],
    ['CF/DF', escapar(ficha.ie)],
    ['RAZÃO SOCIAL', escapar(ficha.nome)],
    ['NOME FANTASIA', escapar(ficha.fantasia)],
    ['LOGRADOURO', escapar(ficha.logradouro)],
    ['NÚMERO', escapar(ficha.numero)],
    ['Complemento', escapar(ficha.complemento)],
    ['BAIRRO', escapar(ficha.bairro)],
    ['MUNICÍPIO', escapar(ficha.municipio)],
    ['UF', escapar(ficha.uf)],
    ['CEP', escapar(ficha.cep)],
    ['Telefone', ''],
    ['ATIVIDADE PRINCIPAL', `${ficha.cnaeComMascara}<br>\n${escapar(ficha.atividade)}`],
    ['ATIVIDADE SECUNDÁRIA', ''],
    ['REGIME DE APURAÇÃO', escapar(ficha.regime)],
    ['SITUAÇÃO CADASTRAL', escapar(ficha.situacao)],
    ['DATA DESSA SITUAÇÃO CADASTRAL', escapar(ficha.dataDaSituacao)],
  ]
  const linhas = pares.map(
    ([rotulo, html]) => `<tr><td><b>${rotulo}</b></td><td>${html || '&nbsp;'}</td></tr>`,
  )
  return elemento('table', { border: '0' }, linhas.join('\n'))
}

/** Both pages answer only to who comes from a page of the house. */
function veioDe({ cabecalhos, host }: PedidoPortal<Lista>, pagina: RegExp): boolean {
  const url = URL.parse(cabecalhos.referer ?? '')
  return url?.hostname === host && pagina.test(url.pathname)
}

function avisar(pedido: PedidoPortal<Lista>, aviso: string): Mensagem {
  return pedido.pagina('SINTEGRA - DF', `<table><tr><td>${escapar(aviso)}</td></tr></table>`)
}

export const portais: readonly Portal[] = [cadastro]
