import type { Certidao } from '../certidao/certidao.ts'
import { limparDocumento, mascararDocumento } from '../documento/mascara.ts'
import type { Pergunta } from '../mundo/pergunta.ts'
import type { Mensagem } from '../platform/mensagem.ts'
import { escapar } from '../platform/xml.ts'
import { conversaDeCertidao } from '../portal/conversa.ts'
import { campoErrado, invalido, recusaDoDocumento } from '../portal/exigencia.ts'
import { botao, elemento } from '../portal/html.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'
import { conferirTrio, estadoInvalido, idDe, paginaWebForms, recursoAusente } from '../portal/webforms.ts'
import { cadesp } from './cadesp.ts'

const PASTA = '/CertidaoNegativaDeb/Pages/'
const EMISSAO = `${PASTA}EmissaoCertidaoNegativa.aspx`.toLowerCase()
const IMPRESSAO = `${PASTA}ImpressaoCertidaoNegativa.aspx`
const CAMPO = 'ctl00$MainContent$'
const BOTAO = `${CAMPO}btnPesquisar`
const tipos = new Map<string, Pergunta['tipo']>([
  ['cnpjradio', 'cnpj'],
  ['cpfradio', 'cpf'],
])

/** The certificate found, until it is printed. */
type Dados = { certidao: Certidao | undefined; impressa: boolean }

const certidoes = portal<Dados>({
  uf: 'SP',
  servico: 'cnd',
  nome: 'SEFAZ-SP, certidão negativa de débitos não inscritos',
  hosts: ['www10.fazenda.sp.gov.br'],
  charset: 'utf-8',
  motor: 'asp.net',
  sessao: { em: 'cookie', nome: 'ASP.NET_SessionId' },
  novaSessao: () => ({ certidao: undefined, impressa: false }),
  captcha: 'recaptcha-v2',
  documento: (pedido) => pedido.campo(`${CAMPO}txtDocumento`) || undefined,
  responder: async (pedido) => {
    const caminho = pedido.caminho.toLowerCase()
    if (caminho === IMPRESSAO.toLowerCase() && pedido.metodo === 'GET') return imprimir(pedido)
    if (caminho !== EMISSAO) return recursoAusente(pedido)
    return pedido.metodo === 'POST' ? postback(pedido) : tela(pedido)
  },
  expirada: estadoInvalido,
  fechada: (pedido) => tela(pedido, 'Serviço disponível em dias úteis, das 06:00 às 21:00.'),
})

const TITULO = 'Certidão Negativa de Débitos Tributários Não Inscritos na Dívida Ativa'

function tela(pedido: PedidoPortal<Dados>, aviso = ''): Mensagem {
  const radio = (value: string, texto: string): string =>
    `<label>${elemento('input', { type: 'radio', id: `MainContent_${value}`, name: `${CAMPO}grupoDocumento`, value, checked: value === 'cnpjradio' ? 'checked' : undefined })} ${texto}</label>`
  const caixa = (nome: string, type: string): string =>
    elemento('input', { type, name: CAMPO + nome, id: idDe(CAMPO + nome) })
  return paginaWebForms(pedido, {
    titulo: TITULO,
    etapa: 'emissao',
    id: 'ctl01',
    conteudo: [
      aviso && elemento('div', { class: 'bg-danger' }, escapar(aviso)),
      radio('cnpjradio', 'CNPJ'),
      radio('cpfradio', 'CPF'),
      caixa('txtDocumento', 'text'),
      elemento('div', { class: 'g-recaptcha', 'data-sitekey': pedido.captcha.chave }, ''),
      caixa('hdgrecaptcha', 'hidden'),
      botao(BOTAO, ' Emitir ', { id: idDe(BOTAO) }),
    ].join('\n'),
  })
}

function postback(pedido: PedidoPortal<Dados>): Mensagem | Promise<Mensagem> {
  const { dados } = pedido.sessao
  if (pedido.campos.has(`${CAMPO}btnImpressao`)) {
    if (!conferirTrio(pedido, 'impressao') || !dados.certidao) return pedido.expirada()
    dados.impressa = true
    return pedido.redirecionar(IMPRESSAO)
  }
  if (!conferirTrio(pedido, 'emissao')) return pedido.expirada()
  dados.certidao = undefined
  dados.impressa = false
  return pedido.campos.get(BOTAO) === ' Emitir ' ? pesquisa(pedido) : tela(pedido)
}

const PELO_SIPET = 'Solicite a certidão pelo SIPET (Sistema de Peticionamento Eletrônico).'

/**
 * The outcomes without paper. A certificate with suspended debts is asked for by petition, and printed here
 * once it is granted.
 */
const recusas: Partial<Record<Certidao['desfecho'], string>> = {
  positiva: `Não foi possível emitir a certidão: constam débitos em nome do contribuinte. ${PELO_SIPET}`,
  irregular: `Não foi possível emitir a certidão pela internet. ${PELO_SIPET}`,
}

const pesquisa = conversaDeCertidao<Dados>({
  uf: 'SP',
  ordem: ['campos', 'captcha', 'documento'],
  campos: (pedido) => (perguntaDe(pedido) ? undefined : 'Informe o CNPJ ou o CPF.'),
  captcha: {
    confere: ({ captcha, campos, campo }) => {
      const token = campo('g-recaptcha-response')
      const repetido = campoErrado(campos, { [`${CAMPO}hdgrecaptcha`]: token }) === undefined
      // The token is used up whatever the hidden field says.
      return captcha.conferirToken(token) && repetido
    },
    errado: 'Captcha inválido.',
  },
  pergunta: perguntaDe,
  recusa: (pergunta) => {
    const mascarada = mascararDocumento(limparDocumento(pergunta.documento)) === pergunta.documento
    return recusaDoDocumento('SP', pergunta) || !mascarada ? `${invalido(pergunta)}.` : undefined
  },
  avisar: tela,
  mensagens: recusas,
  entregar: (pedido, certidao) => {
    pedido.sessao.dados.certidao = certidao
    return paginaWebForms(pedido, {
      titulo: TITULO,
      etapa: 'impressao',
      id: 'ctl01',
      conteudo: [
        `<p>Certidão disponível para impressão: ${escapar(pedido.campo(`${CAMPO}txtDocumento`))}</p>`,
        botao(`${CAMPO}btnImpressao`, 'Imprimir', { id: 'MainContent_btnImpressao' }),
      ].join('\n'),
    })
  },
})

function perguntaDe({ campo }: PedidoPortal<Dados>): Pergunta | undefined {
  const tipo = tipos.get(campo(`${CAMPO}grupoDocumento`))
  const documento = campo(`${CAMPO}txtDocumento`)
  return tipo && documento !== '' ? { tipo, documento } : undefined
}

async function imprimir(pedido: PedidoPortal<Dados>): Promise<Mensagem> {
  const { certidao, impressa } = pedido.sessao.dados
  if (!certidao || !impressa) return pedido.redirecionar(`${PASTA}EmissaoCertidaoNegativa.aspx`)
  return pedido.pdf(certidao)
}

export const portais: readonly Portal[] = [cadesp, certidoes]
