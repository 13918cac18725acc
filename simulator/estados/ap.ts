import type { Pergunta } from '../mundo/contribuinte.ts'
import type { Mensagem } from '../platform/autoridade.ts'
import { conversaDeCadastro, conversaDeCertidao, peloMotivo, porTexto, tiposPor } from '../portal/conversa.ts'
import { ativo, type Ficha, paginaDeFichas, paresDoSintegra } from '../portal/ficha.ts'
import { botao, elemento, entrada, selecao, tabelaDePares } from '../portal/html.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'
import { botaoSate, captchaSate, formularioSate, isAcao, naoAchadaSate, notifySate } from '../portal/sate.ts'

const CERTIDAO = { funcao: 'DIA_060', caminho: '/sate/dia/DIAf_EmitirCertidaoInternet.do' }

type Pedido = PedidoPortal<undefined>

const EMISSAO = 'SATE - Emissão de Certidão'

// Screen, button and refusal follow the images of a robot of 2020-05; names, codes and action are made up.
const certidoes = portal({
  uf: 'AP',
  servico: 'cnd',
  nome: 'SEFAZ-AP, certidão',
  hosts: ['www.sefaz.ap.gov.br'],
  serves: (caminho) => caminho === CERTIDAO.caminho,
  charset: 'iso-8859-1',
  motor: 'java',
  documento: (pedido) => pedido.campo('edtNrDocumento') || undefined,
  answer: (pedido) => (pedido.metodo === 'GET' ? solicitacao(pedido) : issue(pedido)),
  expirada: (pedido) => notifySate(pedido, EMISSAO, 'Sua sessão expirou. Acesse novamente a função.'),
})

const TIPOS_DA_CERTIDAO = new Map<string, { tipo: Pergunta['tipo']; rotulo: string }>([
  ['1', { tipo: 'ie', rotulo: 'Estadual' }],
  ['2', { tipo: 'cnpj', rotulo: 'CNPJ' }],
  ['3', { tipo: 'cpf', rotulo: 'CPF' }],
])

function solicitacao(pedido: Pedido): Mensagem {
  const radios = [...TIPOS_DA_CERTIDAO].map(([value, { rotulo }]) => {
    const id = `rdbTpDocumento${value}`
    const radio = elemento('input', { type: 'radio', name: 'rdbTpDocumento', id, value })
    return radio + elemento('label', { for: id }, rotulo)
  })
  const campos = [...radios, `${entrada('edtNrDocumento', { maxlength: '18' })} *`]
  const form = formularioSate(CERTIDAO.caminho, ...campos, botaoSate('input', 'Submeter', 'emitirCertidao'))
  return pedido.pagina(EMISSAO, form)
}

const issue = conversaDeCertidao<undefined>({
  ordem: ['sessao', 'documento'],
  sessao: (pedido) =>
    isAcao(pedido, 'emitirCertidao', { rdbTpDocumento: /^[123]$/, edtNrDocumento: /^[0-9A-Z]+$/ }),
  pergunta: (pedido) => {
    const { tipo = 'cnpj' } = TIPOS_DA_CERTIDAO.get(pedido.campo('rdbTpDocumento')) ?? {}
    return { tipo, documento: pedido.campo('edtNrDocumento') }
  },
  notify: (pedido, aviso) => notifySate(pedido, EMISSAO, aviso),
  mensagens: {
    positiva: 'Não foi possível atender a sua solicitação. Favor comparecer a repartição fiscal.',
    irregular: peloMotivo,
  },
  deliver: (pedido, certidao) => pedido.pdf(certidao),
})

const HOST = 'www.sefaz.ap.gov.br'
/** One door for all functions, told apart by `cdFuncao`. */
const PORTA = '/sate/seg/SEGf_AcessarFuncao.jsp'
const DAR = { funcao: 'ARR_305', caminho: '/sate/arr/ARRf_DarInternetEmitir.do' }
const JCAPTCHA = '/sate/servicos/JCaptcha'

/** Kinds of document by their code; 2 is CNPJ, the others are guesses. */
const tipos = tiposPor({ 1: 'ie', 2: 'cnpj', 3: 'cpf' })

type Dar = { tipo: string }

const cadastro = portal<Dar>({
  uf: 'AP',
  servico: 'ie',
  nome: 'SEFAZ-AP, SATE',
  hosts: [HOST],
  serves: (caminho) => caminho !== CERTIDAO.caminho,
  charset: 'iso-8859-1',
  motor: 'java',
  novaSessao: () => ({ tipo: '' }),
  captcha: 'imagem',
  documento: (pedido) => pedido.campo('edtNrDocumento') || undefined,
  answer: (pedido) => {
    const { caminho, consulta } = pedido
    if (caminho === PORTA && consulta.get('cdFuncao') === CERTIDAO.funcao)
      return pedido.redirect(CERTIDAO.caminho)
    if (caminho === PORTA && consulta.get('cdFuncao') === DAR.funcao) return escolha(pedido)
    if (caminho === JCAPTCHA) return pedido.captcha.imagem()
    if (caminho === DAR.caminho)
      return isAcao(pedido, 'obterTipoContribuinte') ? numero(pedido) : dados(pedido)
    return naoAchadaSate(pedido)
  },
  expirada: (pedido) => notifySate(pedido, TITULO, 'Sua sessão expirou. Acesse novamente a função.'),
})

const TITULO = 'SATE - Documento de Arrecadação'

const listaDeTipos = (escolhido?: string): string =>
  selecao('cmbTpDocumento', { 0: '', 1: 'Inscrição Estadual', 2: 'CNPJ', 3: 'CPF' }, escolhido)

function escolha(pedido: PedidoPortal<Dar>): Mensagem {
  pedido.sessao.dados.tipo = ''
  return pedido.pagina(TITULO, formularioSate(DAR.caminho, listaDeTipos()))
}

function numero(pedido: PedidoPortal<Dar>): Mensagem {
  const tipo = pedido.campo('cmbTpDocumento')
  if (!tipos.has(tipo)) return notifySate(pedido, TITULO, 'Informe o tipo do documento')
  pedido.sessao.dados.tipo = tipo
  const campos = [listaDeTipos(tipo), entrada('edtNrDocumento'), captchaSate(JCAPTCHA, 'edtCaptchaResponse')]
  return pedido.pagina(TITULO, formularioSate(DAR.caminho, ...campos, botao('btnPesquisar', 'Pesquisar')))
}

const dados = conversaDeCadastro<Dar>({
  ordem: ['sessao', 'captcha', 'documento'],
  sessao: (pedido) => {
    const { tipo } = pedido.sessao.dados
    const exigidos = { cmbTpDocumento: tipo, edtNrDocumento: /^[0-9A-Z]+$/, edtCaptchaResponse: /^/ }
    return tipo !== '' && isAcao(pedido, 'obterDadosContribuinte', exigidos)
  },
  captcha: porTexto('edtCaptchaResponse', 'Código da imagem inválido'),
  pergunta: ({ sessao, campo }) => ({
    tipo: tipos.get(sessao.dados.tipo) ?? 'cnpj',
    documento: campo('edtNrDocumento'),
  }),
  notify: (pedido, aviso) => notifySate(pedido, TITULO, aviso),
  ninguem: 'Contribuinte inexistente',
  draw: paginaDeFichas({ titulo: TITULO, palavras: ativo, bloco: tabela, entre: '<br>\n' }),
})

function tabela(ficha: Ficha): string {
  return tabelaDePares(paresDoSintegra(ficha), { rotulo: { class: 'tdRotulo' } }, { class: 'tbContribuinte' })
}

export const portais: readonly Portal[] = [cadastro, certidoes]
