import type { Pergunta } from '../mundo/contribuinte.ts'
import type { Mensagem } from '../platform/autoridade.ts'
import { escapeXml } from '../platform/xml.ts'
import { conversaDeCadastro, conversaDeCertidao, peloMotivo, porToken } from '../portal/conversa.ts'
import { ativo, ENDERECO, fill, type Leiaute, OBSERVACAO, paginaDeFichas } from '../portal/ficha.ts'
import { botao, elemento, entrada, formulario, ocultos, tabelaDePares } from '../portal/html.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'
import { botaoSate, formularioSate, isAcao, naoAchadaSate, notifySate } from '../portal/sate.ts'

const HOST = 'www4.sefaz.pb.gov.br'
const ATF = '/atf/dia/DIAf_EmitirCertidaoDebito.do'
const SITIO = 'www.sefaz.pb.gov.br'
const SERVIRTUAL = '/servirtual/certidoes/emissao-de-certidao-de-debitos-'
/** What the site's page opens in its frame, word by word (robot, 2026). */
const MOLDURA = `https://${HOST}${ATF}?limparSessao=true&h=https://${SITIO}/ser/servirtual/credenciamento/info&idSERVirtual=S`

type Pedido = PedidoPortal<undefined>

const EMISSAO = 'Emissão de Certidão de Débitos'

// Frame, field and button: a robot of 2026, which meets no captcha; names and action are made up.
const certidoes = portal({
  uf: 'PB',
  servico: 'cnd',
  nome: 'SEFAZ-PB, certidão de débitos',
  hosts: [SITIO, HOST],
  serves: (caminho) => caminho.startsWith('/servirtual/') || caminho.startsWith('/atf/'),
  charset: 'iso-8859-1',
  motor: 'java',
  documento: (pedido) => pedido.campo('edtNrDocumento') || undefined,
  answer: (pedido) => {
    const { host, caminho, metodo } = pedido
    const [, publico] = caminho.split(SERVIRTUAL)
    if (host === SITIO && (publico === 'cidadao' || publico === 'empresa'))
      return pedido.pagina(EMISSAO, elemento('iframe', { src: MOLDURA, width: '100%' }, ''))
    if (host === HOST && caminho === ATF) return metodo === 'POST' ? issue(pedido) : solicitacao(pedido)
    return naoAchadaSate(pedido)
  },
  expirada: (pedido) => notifySate(pedido, EMISSAO, 'Sua sessão expirou. Reinicie a operação.'),
})

function solicitacao(pedido: Pedido): Mensagem {
  const linha = (...celulas: readonly string[]) =>
    `<tr>${celulas.map((html) => `<td>${html}</td>`).join('')}</tr>`
  const tabela = [
    linha('Emissão de certidão', ''),
    linha('Informe a identificação do contribuinte', ''),
    linha('CPF/CNPJ/Inscrição Estadual', entrada('edtNrDocumento', { maxlength: '18' })),
  ]
  const form = formularioSate(
    'DIAf_EmitirCertidaoDebito.do',
    elemento('table', { id: 'tbCertidao' }, tabela.join('')),
    elemento('table', { id: 'tbCaptcha' }, linha(botaoSate('button', 'Emitir', 'emitirCertidao'))),
  )
  return pedido.pagina(EMISSAO, form)
}

const porTamanho = new Map<number, Pergunta['tipo']>([
  [9, 'ie'],
  [11, 'cpf'],
])

const issue = conversaDeCertidao<undefined>({
  ordem: ['sessao', 'documento'],
  sessao: (pedido) => isAcao(pedido, 'emitirCertidao', { edtNrDocumento: /^[0-9A-Z]+$/ }),
  pergunta: (pedido) => {
    const documento = pedido.campo('edtNrDocumento')
    return { tipo: porTamanho.get(documento.length) ?? 'cnpj', documento }
  },
  notify: (pedido, aviso) => notifySate(pedido, EMISSAO, aviso),
  mensagens: { positiva: peloMotivo, irregular: peloMotivo },
  deliver: (pedido, certidao) => pedido.pdf(certidao),
})

const SINTEGRA = '/sintegra/SINf_ConsultaSintegra'

/** `tpDocumento` by `tipoDoc`. No source tells the code of registrations. */
const tipos = new Map<string, { tipo: Pergunta['tipo']; codigo: string }>([
  ['CNPJ', { tipo: 'cnpj', codigo: '2' }],
  ['CPF', { tipo: 'cpf', codigo: '3' }],
])

/** No cookie is needed: the answer goes by the form alone. */
const cadastro = portal({
  uf: 'PB',
  servico: 'ie',
  nome: 'SEFAZ-PB, SINTEGRA',
  hosts: [HOST],
  serves: (caminho) => caminho.startsWith('/sintegra/'),
  charset: 'iso-8859-1',
  motor: 'java',
  captcha: 'recaptcha-v2',
  documento: (pedido) => pedido.campo('nrDocumento') || undefined,
  answer: (pedido) => {
    if (pedido.caminho === `${SINTEGRA}.jsp`) return filtro(pedido)
    if (pedido.caminho === SINTEGRA && pedido.metodo === 'POST') return query(pedido)
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

const query = conversaDeCadastro<undefined>({
  ordem: ['campos', 'captcha', 'documento'],
  campos: (pedido) => (perguntaDe(pedido) ? undefined : 'Informe o documento'),
  captcha: porToken('g-recaptcha-response', 'Captcha inválido. Tente novamente.'),
  pergunta: perguntaDe,
  notify: notify,
  // An unknown document is HTTP 404, on a page that is not the web server's own.
  ninguem: (pedido) => pedido.pagina(TITULO, '<p>Contribuinte não localizado.</p>', { status: 404 }),
  draw: paginaDeFichas({
    titulo: TITULO,
    palavras: ativo,
    mascara: '00.000.000-0',
    bloco: (ficha) => tabelaDePares(fill(RESULTADO, ficha)),
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

function notify(pedido: PedidoPortal<undefined>, aviso: string): Mensagem {
  return pedido.pagina(TITULO, elemento('div', { class: 'mensagem' }, escapeXml(aviso)))
}

export const portais: readonly Portal[] = [cadastro, certidoes]
