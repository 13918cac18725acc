import type { Pergunta } from '../mundo/pergunta.ts'
import type { Mensagem } from '../platform/mensagem.ts'
import { escapar } from '../platform/xml.ts'
import { conversaDeCadastro, porToken } from '../portal/conversa.ts'
import { ativo, type Leiaute, paginaDeFichas, preencher } from '../portal/ficha.ts'
import { botao, elemento, entrada, formulario, ocultos, tabelaDePares } from '../portal/html.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'
import { ENDERECO, OBSERVACAO } from '../portal/sintegra.ts'
import { certidoes } from './pb-certidao.ts'

const HOST = 'www4.sefaz.pb.gov.br'
const SINTEGRA = '/sintegra/SINf_ConsultaSintegra'

/** `tpDocumento` by `tipoDoc`. No source tells the code of registrations. */
const tipos = new Map<string, { tipo: Pergunta['tipo']; codigo: string }>([
  ['CNPJ', { tipo: 'cnpj', codigo: '2' }],
  ['CPF', { tipo: 'cpf', codigo: '3' }],
])

/** No cookie is needed: the answer goes by the form alone. */
const cadastro = portal<undefined>({
  uf: 'PB',
  servico: 'ie',
  nome: 'SEFAZ-PB, SINTEGRA',
  hosts: [HOST],
  atende: (caminho) => caminho.startsWith('/sintegra/'),
  charset: 'iso-8859-1',
  motor: 'java',
  sessao: { em: 'cookie', nome: 'JSESSIONID' },
  novaSessao: () => undefined,
  captcha: 'recaptcha-v2',
  documento: (pedido) => pedido.campo('nrDocumento') || undefined,
  responder: (pedido) => {
    if (pedido.caminho === `${SINTEGRA}.jsp`) return filtro(pedido)
    if (pedido.caminho === SINTEGRA && pedido.metodo === 'POST') return consultar(pedido)
    return pedido.pagina('404 Not Found', '<p>The requested URL was not found on this server.</p>', {
      status: 404,
    })
  },
})

const TITULO = 'Consulta Pública ao Cadastro do Estado da Paraíba'

function filtro(pedido: PedidoPortal<undefined>): Mensagem {
  const form = formulario(
    { action: 'SINf_ConsultaSintegra', name: 'frmConsulta' },
    ocultos({ tipoDoc: 'CNPJ', tpDocumento: '2' }),
    entrada('nrDocumento', { maxlength: '18' }),
    elemento('div', { class: 'g-recaptcha', 'data-sitekey': pedido.captcha.chave }, ''),
    botao('btnConsultar', 'Consultar'),
  )
  return pedido.pagina(TITULO, form)
}

const consultar = conversaDeCadastro<undefined>({
  uf: 'PB',
  ordem: ['campos', 'captcha', 'documento'],
  campos: (pedido) => (perguntaDe(pedido) ? undefined : 'Informe o documento'),
  captcha: porToken('g-recaptcha-response', 'Captcha inválido. Tente novamente.'),
  pergunta: perguntaDe,
  avisar,
  // An unknown document is HTTP 404, on a page that is not the web server's own.
  ninguem: (pedido) => pedido.pagina(TITULO, '<p>Contribuinte não localizado.</p>', { status: 404 }),
  desenhar: paginaDeFichas({
    titulo: TITULO,
    palavras: ativo,
    mascara: '00.000.000-0',
    bloco: (ficha) => tabelaDePares(preencher(RESULTADO, ficha)),
    depois: `<small>${OBSERVACAO}</small>`,
  }),
})

/** `tipoDoc` has the kind too, and one client leaves it out. So only the code decides. */
function perguntaDe(pedido: PedidoPortal<undefined>): Pergunta | undefined {
  const codigo = pedido.campo('tpDocumento')
  const forma = [...tipos.values()].find((um) => um.codigo === codigo)
  const tipoDoc = pedido.campo('tipoDoc')
  const documento = pedido.campo('nrDocumento')
  const certo = forma && /^[0-9A-Z]+$/.test(documento) && (!tipoDoc || tipos.get(tipoDoc) === forma)
  return certo ? { tipo: forma.tipo, documento } : undefined
}

/** Labels and values in turn: from the fourth cell on every second one is a value. */
const RESULTADO: Leiaute = [
  ['CNPJ/CPF:', 'documento'],
  ['Inscrição Estadual:', 'ie'],
  ['Razão Social:', 'nome'],
  ...ENDERECO,
  ['Telefone:', undefined],
  ['Atividade Econômica:', 'atividadeComMascara'],
  ['Regime de Pagamento:', 'pagamento'],
  ['Situação:', 'situacao'],
  ['Data da última atualização:', 'dataDaSituacao'],
]

function avisar(pedido: PedidoPortal<undefined>, aviso: string): Mensagem {
  return pedido.pagina(TITULO, elemento('div', { class: 'mensagem' }, escapar(aviso)))
}

export const portais: readonly Portal[] = [cadastro, certidoes]
