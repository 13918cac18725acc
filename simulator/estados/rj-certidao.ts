import type { Pergunta } from '../mundo/pergunta.ts'
import type { Mensagem } from '../platform/mensagem.ts'
import { escapar } from '../platform/xml.ts'
import { conversaDeCertidao, peloMotivo } from '../portal/conversa.ts'
import { COM_MASCARA, campoErrado } from '../portal/exigencia.ts'
import { botao, elemento, entrada, formulario, ocultos } from '../portal/html.ts'
import { camposDaVista, conferirVista, respostaParcial, veioDoJsf, vistaExpirada } from '../portal/jsf.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { portal } from '../portal/portal.ts'

const CAMINHO = '/certidao-fiscal-web/emitirCertidao.jsf'
const FORM = 'consultaCertidao'
const TIPO = `${FORM}:pessoaFisicaJuridica`
const DOCUMENTO = `${FORM}:cpfCnpj`

/** The values of the radio, in its order, and how each document must come. */
const FORMAS = [
  { tipo: 'cpf', value: 'F', rotulo: 'Pessoa Física', forma: COM_MASCARA.cpf },
  {
    tipo: 'cnpj',
    value: 'J',
    rotulo: 'Pessoa Jurídica',
    forma: COM_MASCARA.cnpj,
  },
] as const

type Forma = (typeof FORMAS)[number]
/** The kind that the page shows: the first until another is chosen. */
type Escolha = { escolhida: Forma }
type Pedido = PedidoPortal<Escolha>

// Form, radio, field, the pause after a choice and the button: two robots, undated, of the old page. The
// radio's script and values, and the button's name, are made up.
export const certidoes = portal<Escolha>({
  uf: 'RJ',
  servico: 'cnd',
  nome: 'SEFAZ-RJ, certidão de regularidade fiscal',
  hosts: ['www4.fazenda.rj.gov.br'],
  atende: (caminho) => caminho.startsWith('/certidao-fiscal-web/'),
  charset: 'utf-8',
  motor: 'java',
  sessao: { em: 'cookie', nome: 'JSESSIONID' },
  novaSessao: () => ({ escolhida: FORMAS[0] }),
  documento: (pedido) => pedido.campo(DOCUMENTO) || undefined,
  responder: (pedido) => {
    if (pedido.caminho !== CAMINHO)
      return pedido.pagina('Erro 404', '<h1>HTTP Status 404</h1>', { status: 404 })
    if (pedido.metodo !== 'POST') return tela(pedido, FORMAS[0])
    return veioDoJsf(pedido) ? escolher(pedido) : emitir(pedido)
  },
  expirada: vistaExpirada,
})

function tela(pedido: Pedido, escolhida: Forma, aviso = ''): Mensagem {
  pedido.sessao.dados.escolhida = escolhida
  const radios = FORMAS.map((forma, i) => {
    const checked = forma === escolhida ? 'checked' : undefined
    const onclick = `mojarra.ab(this,event,'click','@this','${FORM}:painel')`
    const id = `${TIPO}:${i}`
    return (
      elemento('input', { type: 'radio', name: TIPO, id, value: forma.value, checked, onclick }) +
      forma.rotulo
    )
  })
  const form = formulario(
    { id: FORM, name: FORM, action: CAMINHO },
    ocultos({ [FORM]: FORM }),
    ...radios,
    painel(escolhida),
    botao(`${FORM}:j_idt21`, 'Enviar'),
    camposDaVista(pedido, 'certidão'),
  )
  const mensagem = aviso && elemento('ul', { class: 'mensagens' }, `<li>${escapar(aviso)}</li>`)
  return pedido.pagina('Certidão de Regularidade Fiscal', mensagem + form)
}

const painel = ({ tipo }: Forma): string =>
  elemento(
    'span',
    { id: `${FORM}:painel` },
    `${tipo.toUpperCase()}: ${entrada(DOCUMENTO, { id: DOCUMENTO })}`,
  )

/** The field of the other kind takes the place of the first. */
function escolher(pedido: Pedido): Mensagem {
  const escolhida = FORMAS.find(({ value }) => value === pedido.campo(TIPO))
  const id = `${TIPO}:${escolhida ? FORMAS.indexOf(escolhida) : ''}`
  const errado = campoErrado(pedido.campos, {
    [FORM]: FORM,
    'javax.faces.source': id,
    'javax.faces.partial.ajax': 'true',
    'javax.faces.partial.event': 'click',
    'javax.faces.behavior.event': 'click',
    'javax.faces.partial.execute': id,
    'javax.faces.partial.render': `${FORM}:painel`,
  })
  if (!conferirVista(pedido, 'certidão') || !escolhida || errado) return pedido.expirada()
  pedido.sessao.dados.escolhida = escolhida
  return respostaParcial(pedido, 'certidão', { [`${FORM}:painel`]: painel(escolhida) })
}

const perguntaDe = (pedido: Pedido): Pergunta => ({
  tipo: pedido.sessao.dados.escolhida.tipo,
  documento: pedido.campo(DOCUMENTO),
})

const emitir = (pedido: Pedido): Promise<Mensagem> => {
  const { escolhida } = pedido.sessao.dados
  return conversaDeCertidao<Escolha>({
    uf: 'RJ',
    ordem: ['sessao', 'campos', 'documento'],
    sessao: (veio) => conferirVista(veio, 'certidão'),
    campos: ({ campos }) => {
      const exigidos = { [FORM]: FORM, [TIPO]: escolhida.value, [`${FORM}:j_idt21`]: 'Enviar' }
      if (campoErrado(campos, exigidos)) return 'Informe o tipo e o número do documento.'
      return escolhida.forma.test(campos.get(DOCUMENTO) ?? '')
        ? undefined
        : `${escolhida.tipo.toUpperCase()} inválido.`
    },
    pergunta: perguntaDe,
    avisar: (veio, aviso) => tela(veio, escolhida, aviso),
    mensagens: {
      positiva: 'Certidão não emitida: constam débitos perante a Receita Estadual.',
      irregular: peloMotivo,
    },
    entregar: (veio, certidao) => veio.pdf(certidao),
  })(pedido)
}
