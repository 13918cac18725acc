import type { Pergunta } from '../mundo/pergunta.ts'
import type { Mensagem } from '../platform/mensagem.ts'
import { conversaDeCertidao, peloMotivo } from '../portal/conversa.ts'
import { elemento, entrada } from '../portal/html.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { portal } from '../portal/portal.ts'
import { avisarSate, botaoSate, ehAcao, formularioSate } from '../portal/sate.ts'

/** The function of SATE, and the address behind it, which is made up. */
export const CERTIDAO = { funcao: 'DIA_060', caminho: '/sate/dia/DIAf_EmitirCertidaoInternet.do' }

type Pedido = PedidoPortal<undefined>

const EMISSAO = 'SATE - Emissão de Certidão'

// Screen, button and refusal follow the images of a robot of 2020-05. Names, codes and the action are made
// up.
export const certidoes = portal<undefined>({
  uf: 'AP',
  servico: 'cnd',
  nome: 'SEFAZ-AP, certidão',
  hosts: ['www.sefaz.ap.gov.br'],
  atende: (caminho) => caminho === CERTIDAO.caminho,
  charset: 'iso-8859-1',
  motor: 'java',
  sessao: { em: 'cookie', nome: 'JSESSIONID' },
  novaSessao: () => undefined,
  documento: (pedido) => pedido.campo('edtNrDocumento') || undefined,
  responder: (pedido) => (pedido.metodo === 'GET' ? solicitacao(pedido) : emitir(pedido)),
  expirada: (pedido) => avisarSate(pedido, EMISSAO, 'Sua sessão expirou. Acesse novamente a função.'),
})

/** Kinds of document by the radio's value, each with its label. */
const tipos = new Map<string, { tipo: Pergunta['tipo']; rotulo: string }>([
  ['1', { tipo: 'ie', rotulo: 'Estadual' }],
  ['2', { tipo: 'cnpj', rotulo: 'CNPJ' }],
  ['3', { tipo: 'cpf', rotulo: 'CPF' }],
])

function solicitacao(pedido: Pedido): Mensagem {
  const radios = [...tipos].map(([value, { rotulo }]) => {
    const id = `rdbTpDocumento${value}`
    const radio = elemento('input', { type: 'radio', name: 'rdbTpDocumento', id, value })
    return radio + elemento('label', { for: id }, rotulo)
  })
  const campos = [...radios, `${entrada('edtNrDocumento', { maxlength: '18' })} *`]
  const form = formularioSate(CERTIDAO.caminho, ...campos, botaoSate('input', 'Submeter', 'emitirCertidao'))
  return pedido.pagina(EMISSAO, form)
}

const emitir = conversaDeCertidao<undefined>({
  uf: 'AP',
  ordem: ['sessao', 'documento'],
  sessao: (pedido) =>
    ehAcao(pedido, 'emitirCertidao', { rdbTpDocumento: /^[123]$/, edtNrDocumento: /^[0-9A-Z]+$/ }),
  pergunta: (pedido) => {
    const { tipo = 'cnpj' } = tipos.get(pedido.campo('rdbTpDocumento')) ?? {}
    return { tipo, documento: pedido.campo('edtNrDocumento') }
  },
  avisar: (pedido, aviso) => avisarSate(pedido, EMISSAO, aviso),
  mensagens: {
    positiva: 'Não foi possível atender a sua solicitação. Favor comparecer a repartição fiscal.',
    irregular: peloMotivo,
  },
  entregar: (pedido, certidao) => pedido.pdf(certidao),
})
