import type { Pergunta } from '../mundo/pergunta.ts'
import type { Mensagem } from '../platform/mensagem.ts'
import { conversaDeCertidao, peloMotivo } from '../portal/conversa.ts'
import { elemento, entrada } from '../portal/html.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { portal } from '../portal/portal.ts'
import { avisarSate, botaoSate, ehAcao, formularioSate, naoAchadaSate } from '../portal/sate.ts'

const HOST = 'www4.sefaz.pb.gov.br'
const ATF = '/atf/dia/DIAf_EmitirCertidaoDebito.do'
const SITIO = 'www.sefaz.pb.gov.br'
const SERVIRTUAL = '/servirtual/certidoes/emissao-de-certidao-de-debitos-'
/** What the site's page opens in its frame, word by word (robot, 2026). */
const MOLDURA = `https://${HOST}${ATF}?limparSessao=true&h=https://${SITIO}/ser/servirtual/credenciamento/info&idSERVirtual=S`

type Pedido = PedidoPortal<undefined>

const EMISSAO = 'Emissão de Certidão de Débitos'

// Frame, place of the field and of the button: a robot of 2026, which meets no captcha. Names and the action
// are made up.
export const certidoes = portal<undefined>({
  uf: 'PB',
  servico: 'cnd',
  nome: 'SEFAZ-PB, certidão de débitos',
  hosts: [SITIO, HOST],
  atende: (caminho) => caminho.startsWith('/servirtual/') || caminho.startsWith('/atf/'),
  charset: 'iso-8859-1',
  motor: 'java',
  sessao: { em: 'cookie', nome: 'JSESSIONID' },
  novaSessao: () => undefined,
  documento: (pedido) => pedido.campo('edtNrDocumento') || undefined,
  responder: (pedido) => {
    const { host, caminho, metodo } = pedido
    const [, publico] = caminho.split(SERVIRTUAL)
    if (host === SITIO && (publico === 'cidadao' || publico === 'empresa'))
      return pedido.pagina(EMISSAO, elemento('iframe', { src: MOLDURA, width: '100%' }, ''))
    if (host === HOST && caminho === ATF) return metodo === 'POST' ? emitir(pedido) : solicitacao(pedido)
    return naoAchadaSate(pedido)
  },
  expirada: (pedido) => avisarSate(pedido, EMISSAO, 'Sua sessão expirou. Reinicie a operação.'),
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

/** One field for the three kinds, told apart by their length. */
const porTamanho = new Map<number, Pergunta['tipo']>([
  [9, 'ie'],
  [11, 'cpf'],
])

const emitir = conversaDeCertidao<undefined>({
  uf: 'PB',
  ordem: ['sessao', 'documento'],
  sessao: (pedido) => ehAcao(pedido, 'emitirCertidao', { edtNrDocumento: /^[0-9A-Z]+$/ }),
  pergunta: (pedido) => {
    const documento = pedido.campo('edtNrDocumento')
    return { tipo: porTamanho.get(documento.length) ?? 'cnpj', documento }
  },
  avisar: (pedido, aviso) => avisarSate(pedido, EMISSAO, aviso),
  mensagens: {
    positiva: peloMotivo,
    irregular: peloMotivo,
  },
  entregar: (pedido, certidao) => pedido.pdf(certidao),
})
