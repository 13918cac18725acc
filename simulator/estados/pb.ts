import { escapar } from '../autoridades/xml.ts'
import { ativo, type Ficha, lerFicha } from '../familias/ficha.ts'
import { OBSERVACAO, paresDoEndereco } from '../familias/sintegra.ts'
import type { Mensagem } from '../gateway/mensagem.ts'
import type { Pergunta } from '../mundo/pergunta.ts'
import { conversaDeCadastro } from '../portal/conversa.ts'
import { botao, elemento, entrada, formulario, ocultos, tabelaDePares } from '../portal/html.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'
import { certidoes } from './pb/certidao.ts'

const HOST = 'www4.sefaz.pb.gov.br'
const SINTEGRA = '/sintegra/SINf_ConsultaSintegra'

/** `tpDocumento` by `tipoDoc`. No source tells the one of registrations. */
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

const consultar = (pedido: PedidoPortal<undefined>): Promise<Mensagem> =>
  conversaDeCadastro(pedido, {
    uf: 'PB',
    ordem: ['campos', 'captcha', 'documento'],
    campos: () => (perguntaDe(pedido) ? undefined : 'Informe o documento'),
    captcha: {
      confere: () => pedido.captcha.conferirToken(pedido.campo('g-recaptcha-response')),
      errado: 'Captcha inválido. Tente novamente.',
    },
    pergunta: perguntaDe,
    avisar,
    // Nobody is HTTP 404, on a page that is not the web server's own.
    ninguem: () => pedido.pagina(TITULO, '<p>Contribuinte não localizado.</p>', { status: 404 }),
    desenhar: (_, achadas) => {
      const tabelas = achadas.map((achada) => resultado(lerFicha(achada, ativo, '00.000.000-0')))
      return pedido.pagina(TITULO, `${tabelas.join('\n')}<small>${OBSERVACAO}</small>`)
    },
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
function resultado(ficha: Ficha): string {
  return tabelaDePares([
    ['CNPJ/CPF:', ficha.documento],
    ['Inscrição Estadual:', ficha.ie],
    ['Razão Social:', ficha.nome],
    ...paresDoEndereco(ficha),
    ['Telefone:', ''],
    ['Atividade Econômica:', `${ficha.cnaeComMascara} - ${ficha.atividade}`],
    ['Regime de Pagamento:', ficha.pagamento],
    ['Situação:', ficha.situacao],
    ['Data da última atualização:', ficha.dataDaSituacao],
  ])
}

function avisar(pedido: PedidoPortal<undefined>, aviso: string): Mensagem {
  return pedido.pagina(TITULO, elemento('div', { class: 'mensagem' }, escapar(aviso)))
}

export const portais: readonly Portal[] = [cadastro, certidoes]
