import type { Certidao } from '../certidao/certidao.ts'
import type { Ocorrencia, Pergunta } from '../mundo/contribuinte.ts'
import type { Mensagem } from '../platform/autoridade.ts'
import { escapeXml } from '../platform/xml.ts'
import { conversaDeCadastro, conversaDeCertidao, porTexto, porToken, tiposPor } from '../portal/conversa.ts'
import { ativo, paresDoSintegra, readFicha } from '../portal/ficha.ts'
import { botao, elemento, entrada, formulario, ocultos, selecao, tabelaDePares } from '../portal/html.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'
import { recursoAusente } from '../portal/webforms.ts'

const HOST = 'servicos.efazenda.ms.gov.br'
const CONSULTA = '/consultapublica'
const CAPTCHA_ERRADO = 'O Texto digitado não confere com a Imagem'

type Achado = { documento: string; achadas: readonly Ocorrencia[] }

const cadastro = portal<Achado>({
  uf: 'MS',
  servico: 'ie',
  nome: 'SEFAZ-MS, consulta pública',
  hosts: [HOST],
  serves: (caminho) => caminho.toLowerCase().startsWith(CONSULTA),
  motor: 'asp.net',
  novaSessao: () => ({ documento: '', achadas: [] }),
  captcha: 'recaptcha-v2',
  documento: (pedido) =>
    pedido.caminho === RESULTADO ? pedido.sessao.dados.documento : perguntaDeCadastro(pedido)?.documento,
  answer: (pedido) => {
    const caminho = pedido.caminho.toLowerCase().replace(/\/$/, '')
    if (caminho === `${CONSULTA}/home/consulta` && pedido.metodo === 'POST') return query(pedido)
    if (pedido.metodo !== 'GET') return recursoAusente(pedido)
    if (caminho === CONSULTA || caminho === `${CONSULTA}/home/index`) return filtro(pedido)
    if (caminho === RESULTADO.toLowerCase()) return resultado(pedido)
    return recursoAusente(pedido)
  },
})

const RESULTADO = `${CONSULTA}/Home/Resultado`

function filtro(pedido: PedidoPortal<Achado>, aviso = ''): Mensagem {
  const form = formulario(
    { action: `${CONSULTA}/Home/Consulta`, id: 'frmConsulta' },
    elemento('input', { type: 'hidden', id: 'error', value: aviso }),
    `<label>Inscrição Estadual</label>${entrada('documentoIE', { id: 'documentoIE' })}`,
    `<label>CNPJ</label>${entrada('documentoCNPJ', { id: 'documentoCNPJ' })}`,
    elemento('div', { class: 'g-recaptcha', 'data-sitekey': pedido.captcha.chave }, ''),
    elemento('button', { type: 'submit', class: 'btn' }, 'Consultar'),
  )
  return pedido.pagina('Consulta Pública', form)
}

const query = conversaDeCadastro<Achado>({
  ordem: ['captcha', 'campos', 'documento'],
  captcha: porToken('g-recaptcha-response', 'Marque a opção "Não sou um robô".'),
  campos: (pedido) => (perguntaDeCadastro(pedido) ? undefined : 'Informe a Inscrição Estadual ou o CNPJ'),
  pergunta: perguntaDeCadastro,
  notify: filtro,
  ninguem: (pedido) => pedido.redirect(`${CONSULTA}/Home/Index`),
  draw: (pedido, achadas) => {
    const documento = perguntaDeCadastro(pedido)?.documento ?? ''
    Object.assign(pedido.sessao.dados, { documento, achadas })
    return pedido.redirect(RESULTADO)
  },
})

/** Both fields come, and one of them is filled. */
function perguntaDeCadastro(pedido: PedidoPortal<Achado>): Pergunta | undefined {
  const [cnpj, ie] = [pedido.campo('documentoCNPJ'), pedido.campo('documentoIE')]
  const vieram = pedido.campos.has('documentoCNPJ') && pedido.campos.has('documentoIE')
  if (!vieram || (cnpj === '') === (ie === '')) return undefined
  return cnpj ? { tipo: 'cnpj', documento: cnpj } : { tipo: 'ie', documento: ie }
}

function resultado(pedido: PedidoPortal<Achado>): Mensagem {
  const tabelas = pedido.sessao.dados.achadas.map((achada) => {
    const ficha = readFicha(achada, ativo, '00.000.000-0')
    return tabelaDePares(
      paresDoSintegra(ficha).map(([rotulo, valor]) => [
        rotulo.replace(/:$/, '').replace(' Vigente', ''),
        valor,
      ]),
      {},
      { class: 'table' },
    )
  })
  return pedido.pagina('Consulta Pública', tabelas.join('\n<hr>\n'))
}

const CERTIDAO = '/pndfis'
const tipos = { 1: 'CNPJ', 2: 'CPF', 3: 'Inscrição Estadual' } as const
const perguntas = tiposPor({ 1: 'cnpj', 2: 'cpf', 3: 'ie' })

const certidoes = portal({
  uf: 'MS',
  servico: 'cnd',
  nome: 'SEFAZ-MS, certidão tributária',
  hosts: [HOST],
  serves: (caminho) => caminho.toLowerCase().startsWith(CERTIDAO),
  motor: 'asp.net',
  captcha: 'imagem',
  documento: (pedido) => pedido.campo('numeroIdentificacao') || undefined,
  answer: async (pedido) => {
    const caminho = pedido.caminho.toLowerCase()
    if (caminho === `${CERTIDAO}/home/emissao` && pedido.metodo === 'GET') return solicitacao(pedido)
    if (caminho === `${CERTIDAO}/captcha/show`) return pedido.captcha.imagem({ letras: 6 })
    if (caminho === `${CERTIDAO}/home/validar` && pedido.metodo === 'POST') return issue(pedido)
    return recursoAusente(pedido)
  },
})

const alerta = (aviso: string): string =>
  aviso && elemento('div', { class: 'alert alert-danger' }, escapeXml(aviso))

/** What the script sends is not what the fields are called. */
function solicitacao(pedido: PedidoPortal<undefined>, aviso = ''): Mensagem {
  const form = formulario(
    { action: `${CERTIDAO}/Home/Validar`, id: 'frmEmissao' },
    ocultos({ TipoCertidao: '1' }),
    selecao('Tipo', tipos, '1', { id: 'Tipo' }),
    entrada('Numero', { id: 'Numero' }),
    `<img src="${CERTIDAO}/Captcha/Show" alt="captcha">`,
    entrada('CaptchaValue', { id: 'CaptchaValue' }),
    botao('btnEmitir', 'Emitir'),
  )
  return pedido.pagina('Emissão de Certidão', alerta(aviso) + form)
}

const mensagens: Partial<Record<Certidao['desfecho'], string>> = {
  positiva: 'Constam débitos em nome do contribuinte. Procure a Agência Fazendária.',
  irregular: 'Não foi possível emitir a certidão pela internet. Procure a Agência Fazendária.',
  'nao-inscrito': 'Documento não cadastrado no Estado de Mato Grosso do Sul.',
}

const issue = conversaDeCertidao<undefined>({
  ordem: ['captcha', 'campos', 'documento'],
  captcha: porTexto('CaptchaNumero', CAPTCHA_ERRADO),
  campos: (pedido) => (perguntaDeCertidao(pedido) ? undefined : 'Informe o tipo e o número do documento'),
  pergunta: perguntaDeCertidao,
  notify: solicitacao,
  mensagens,
  deliver: (pedido, certidao) => pedido.pdf(certidao, { nome: 'certidao.pdf' }),
})

function perguntaDeCertidao(pedido: PedidoPortal<undefined>): Pergunta | undefined {
  const tipo = perguntas.get(pedido.campo('tipoIdentificacao'))
  const documento = pedido.campo('numeroIdentificacao')
  return tipo && documento ? { tipo, documento } : undefined
}

export const portais: readonly Portal[] = [cadastro, certidoes]
