import type { Mensagem } from '../autoridades/mensagem.ts'
import { escapar } from '../autoridades/xml.ts'
import { campoErrado, recusaDoDocumento } from '../familias/exigencia.ts'
import { ativo, type Ficha, lerFicha } from '../familias/ficha.ts'
import { blocosDoSintegra } from '../familias/sintegra.ts'
import type { Certidao } from '../mundo/certidao.ts'
import type { Pergunta } from '../mundo/pergunta.ts'
import { elemento, entrada, formulario, type Par, selecao, tabelaDePares } from '../portal/html.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'

const HOST = 'app.sefa.pa.gov.br'
const SINTEGRA = '/sintegra/'
const CERTIDAO = '/emissao-certidao/'

/** The pages of 2019: those of today are a script's. */
const cadastro = portal<undefined>({
  uf: 'PA',
  servico: 'ie',
  nome: 'SEFA-PA, SINTEGRA',
  hosts: [HOST],
  atende: (caminho) => caminho.startsWith(SINTEGRA),
  charset: 'utf-8',
  motor: 'java',
  sessao: { em: 'cookie', nome: 'JSESSIONID' },
  novaSessao: () => undefined,
  captcha: 'recaptcha-v2',
  documento: (pedido) => pedido.campo('CNPJ') || undefined,
  responder: (pedido) => {
    if (pedido.caminho === SINTEGRA) return filtro(pedido)
    if (pedido.caminho === `${SINTEGRA}consulta.do` && pedido.metodo === 'POST') return consultar(pedido)
    return naoAchada(pedido)
  },
})

const TITULO = 'SINTEGRA - Consulta Pública ao Cadastro do Estado do Pará'

/** The token goes in a field of its own, not in the widget's. */
function filtro(pedido: PedidoPortal<undefined>): Mensagem {
  const form = formulario(
    { action: 'consulta.do', name: 'formConsulta' },
    entrada('CNPJ', { maxlength: '14' }),
    elemento('input', { type: 'hidden', name: 'CODIGO', value: '' }),
    elemento('div', { class: 'g-recaptcha', 'data-sitekey': pedido.captcha.chave }, ''),
    '<input type="submit" value="Consultar">',
  )
  return pedido.pagina(TITULO, form)
}

function consultar(pedido: PedidoPortal<undefined>): Mensagem {
  if (pedido.sessao.nova) return pedido.expirada()
  if (campoErrado(pedido.campos, { CNPJ: /^[0-9A-Z]+$/, CODIGO: /^/ }))
    return avisar(pedido, 'Informe o CNPJ')
  if (!pedido.captcha.conferirToken(pedido.campo('CODIGO')))
    return avisar(pedido, 'Captcha inválido. Tente novamente.')
  const pergunta = { tipo: 'cnpj' as const, documento: pedido.campo('CNPJ') }
  const recusa = recusaDoDocumento('PA', pergunta)
  if (recusa) return avisar(pedido, recusa)
  const achadas = pedido.procurar(pergunta)
  if (achadas.length === 0) return avisar(pedido, 'Nenhum registro encontrado')
  const tabelas = achadas.map((achada) => tabela(lerFicha(achada, ativo, '00-000000-0')))
  return pedido.pagina(TITULO, tabelas.join('<br>\n'))
}

/** The third value is the IE. */
function tabela(ficha: Ficha): string {
  const [, ...resto] = blocosDoSintegra(ficha)
  const pares: readonly Par[] = [
    ['CNPJ:', ficha.documento],
    ['Razão Social:', ficha.nome],
    ['Inscrição Estadual:', ficha.ie],
    ...resto.flatMap((bloco) => bloco.pares),
  ]
  const estilo = { rotulo: { class: 'td-titulo' }, valor: { class: 'td-conteudo' } }
  return tabelaDePares(pares, estilo, { class: 'tb-contribuinte' })
}

function avisar(pedido: PedidoPortal<undefined>, aviso: string): Mensagem {
  return pedido.pagina(TITULO, elemento('div', { class: 'mensagem' }, escapar(aviso)))
}

function naoAchada<S>(pedido: PedidoPortal<S>): Mensagem {
  return pedido.pagina('HTTP Status 404', '<h1>404</h1>', { status: 404 })
}

/** The certificate that the page on the screen shows. */
type Emissao = { certidao: Certidao | undefined }

const certidoes = portal<Emissao>({
  uf: 'PA',
  servico: 'cnd',
  nome: 'SEFA-PA, emissão de certidão',
  hosts: [HOST],
  atende: (caminho) => caminho.startsWith(CERTIDAO),
  charset: 'utf-8',
  motor: 'java',
  sessao: { em: 'cookie', nome: 'JSESSIONID' },
  novaSessao: () => ({ certidao: undefined }),
  documento: (pedido) => pedido.campo('identificacao') || undefined,
  responder: (pedido) => {
    const { caminho, metodo } = pedido
    if (caminho === CERTIDAO || caminho === `${CERTIDAO}template.action`) return solicitacao(pedido)
    if (caminho === `${CERTIDAO}consultarCertidao.action` && metodo === 'POST') return continuar(pedido)
    if (caminho === `${CERTIDAO}emitirCertidao.action`) return visualizar(pedido)
    return naoAchada(pedido)
  },
})

const EMISSAO = 'Emissão de Certidão'

const tipos = new Map<string, Pergunta['tipo']>([
  ['1', 'cpf'],
  ['2', 'cnpj'],
  ['3', 'ie'],
])

function solicitacao(pedido: PedidoPortal<Emissao>, aviso = ''): Mensagem {
  pedido.sessao.dados.certidao = undefined
  const form = formulario(
    { action: 'consultarCertidao.action', id: 'consultarCertidao' },
    selecao('tipo', { '': 'Selecione', 1: 'CPF', 2: 'CNPJ', 3: 'INSCRIÇÃO ESTADUAL' }, '', { id: 'tipo' }),
    entrada('identificacao', { id: 'identificacao', maxlength: '18' }),
    '<input type="submit" value="Continuar">',
  )
  const erros = aviso && `<ul class="errorMessage"><li><span>${escapar(aviso)}</span></li></ul>`
  return pedido.pagina(EMISSAO, erros + form)
}

/** Who has a registration must be asked for by it. */
function continuar(pedido: PedidoPortal<Emissao>): Mensagem {
  const { sessao, campos } = pedido
  if (sessao.nova) return pedido.expirada()
  const tipo = tipos.get(pedido.campo('tipo'))
  if (!tipo || campoErrado(campos, { identificacao: /^[0-9A-Z]+$/ }))
    return solicitacao(pedido, 'Informe o tipo e a identificação')
  const pergunta = { tipo, documento: pedido.campo('identificacao') }
  const recusa = recusaDoDocumento('PA', pergunta)
  if (recusa) return solicitacao(pedido, recusa)
  if (tipo === 'cnpj' && pedido.procurar(pergunta).length > 0)
    return solicitacao(pedido, 'Contribuinte possui Inscrição Estadual: informe a IE.')
  const certidao = pedido.certidao(pergunta)
  if (certidao.desfecho === 'irregular') return solicitacao(pedido, certidao.motivo)
  sessao.dados.certidao = certidao
  const linhas = Object.entries({ T: 'Natureza Tributária', N: 'Natureza Não Tributária' }).map(
    ([natureza, nome]) => {
      const href = `emitirCertidao.action?natureza=${natureza}`
      return `<tr><td>${nome}</td><td>${elemento('a', { href }, 'Visualizar Certidão')}</td></tr>`
    },
  )
  return pedido.pagina(EMISSAO, elemento('table', { class: 'certidoes' }, linhas.join('\n')))
}

/** Of the two certificates the simulator prints the one on taxes. */
async function visualizar(pedido: PedidoPortal<Emissao>): Promise<Mensagem> {
  const { certidao } = pedido.sessao.dados
  if (!certidao) return pedido.expirada()
  if (pedido.consulta.get('natureza') === 'T') return pedido.pdf(certidao)
  return pedido.pagina(EMISSAO, '<p>Certidão de Natureza Não Tributária indisponível no momento.</p>')
}

export const portais: readonly Portal[] = [cadastro, certidoes]
