import type { Mensagem } from '../autoridades/mensagem.ts'
import { escapar } from '../autoridades/xml.ts'
import { campoErrado, recusaDoDocumento } from '../familias/exigencia.ts'
import { ativo, type Ficha, lerFicha } from '../familias/ficha.ts'
import { avisarSate, captchaSate, ehAcao, formularioSate, naoAchadaSate } from '../familias/sate.ts'
import { blocosDoSintegra, OBSERVACAO } from '../familias/sintegra.ts'
import type { Pergunta } from '../mundo/pergunta.ts'
import { botao, elemento, entrada, formulario, ocultos } from '../portal/html.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'

const HOST = 'www4.sefaz.pb.gov.br'
const SINTEGRA = '/sintegra/SINf_ConsultaSintegra'
const SITIO = 'www.sefaz.pb.gov.br'
const SERVIRTUAL = '/servirtual/certidoes/emissao-de-certidao-de-debitos-'
const ATF = { emitir: '/atf/dia/DIAf_EmitirCertidaoDebito.do', imagem: '/atf/servicos/JCaptcha' }

/** `tpDocumento` by `tipoDoc`: 2 is CNPJ, the others are guesses. */
const tipos = new Map<string, { tipo: Pergunta['tipo']; codigo: string }>([
  ['CNPJ', { tipo: 'cnpj', codigo: '2' }],
  ['CPF', { tipo: 'cpf', codigo: '3' }],
  ['IE', { tipo: 'ie', codigo: '1' }],
])

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
    return naoAchadaSate(pedido)
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

function consultar(pedido: PedidoPortal<undefined>): Mensagem {
  const forma = tipos.get(pedido.campo('tipoDoc'))
  const documento = pedido.campo('nrDocumento')
  const exigidos = { tpDocumento: forma?.codigo ?? '', nrDocumento: /^[0-9A-Z]+$/ }
  if (pedido.sessao.nova) return pedido.expirada()
  if (!forma || campoErrado(pedido.campos, exigidos)) return avisar(pedido, 'Informe o documento')
  if (!pedido.captcha.conferirToken(pedido.campo('g-recaptcha-response')))
    return avisar(pedido, 'Captcha inválido. Tente novamente.')
  const pergunta = { tipo: forma.tipo, documento }
  const recusa = recusaDoDocumento('PB', pergunta)
  if (recusa) return avisar(pedido, recusa)
  const achadas = pedido.procurar(pergunta)
  if (achadas.length === 0) return avisar(pedido, 'Nenhum registro encontrado')
  const blocos = achadas.map((achada) => conteudo(lerFicha(achada, ativo, '00.000.000-0')))
  return pedido.pagina(TITULO, `${blocos.join('\n')}<small>${OBSERVACAO}</small>`)
}

/** The values, and they alone, are in `b` elements: the second is the IE. */
function conteudo(ficha: Ficha): string {
  const linhas = blocosDoSintegra(ficha).flatMap(({ titulo, pares }) => [
    `<h4>${escapar(titulo)}</h4>`,
    ...pares.map(([rotulo, valor]) => `${escapar(rotulo)} <b>${escapar(valor) || '&nbsp;'}</b><br>`),
  ])
  return elemento('div', { id: 'conteudo' }, linhas.join('\n'))
}

function avisar(pedido: PedidoPortal<undefined>, aviso: string): Mensagem {
  return pedido.pagina(TITULO, elemento('div', { class: 'mensagem' }, escapar(aviso)))
}

const certidoes = portal<undefined>({
  uf: 'PB',
  servico: 'cnd',
  nome: 'SEFAZ-PB, certidão de débitos',
  hosts: [SITIO, HOST],
  atende: (caminho) => caminho.startsWith('/servirtual/') || caminho.startsWith('/atf/'),
  charset: 'iso-8859-1',
  motor: 'java',
  sessao: { em: 'cookie', nome: 'JSESSIONID' },
  novaSessao: () => undefined,
  captcha: 'imagem',
  documento: (pedido) => pedido.campo('edtNrDocumento') || undefined,
  responder: (pedido) => {
    const { host, caminho, metodo } = pedido
    const [, publico] = caminho.split(SERVIRTUAL)
    if (host === SITIO && (publico === 'cidadao' || publico === 'empresa')) return moldura(pedido)
    if (host === HOST && caminho === ATF.imagem) return pedido.captcha.imagem()
    if (host === HOST && caminho === ATF.emitir)
      return metodo === 'POST' ? emitir(pedido) : solicitacao(pedido)
    return naoAchadaSate(pedido)
  },
  expirada: (pedido) => avisarSate(pedido, EMISSAO, 'Sua sessão expirou. Reinicie a operação.'),
})

const EMISSAO = 'Emissão de Certidão de Débitos'

/** The site's page, around the one of ATF. */
function moldura(pedido: PedidoPortal<undefined>): Mensagem {
  const consulta = `limparSessao=true&h=https://${SITIO}/servirtual&idSERVirtual=S`
  const iframe = elemento('iframe', { src: `https://${HOST}${ATF.emitir}?${consulta}`, width: '100%' }, '')
  return pedido.pagina(EMISSAO, `<h2>${EMISSAO}</h2>${iframe}`)
}

function solicitacao(pedido: PedidoPortal<undefined>): Mensagem {
  const linha = (rotulo: string, html: string) => `<tr><td>${rotulo}</td><td>${html}</td></tr>`
  const form = formularioSate(
    'DIAf_EmitirCertidaoDebito.do',
    elemento(
      'table',
      { id: 'tbCertidao' },
      linha('CPF/CNPJ/Inscrição Estadual', entrada('edtNrDocumento', { maxlength: '18' })),
    ),
    elemento(
      'table',
      { id: 'tbCaptcha' },
      linha('Código da imagem', captchaSate(ATF.imagem, 'edtDsCaptcha')),
    ),
    elemento('input', { type: 'button', name: 'btnEmitir', value: 'Emitir' }),
  )
  return pedido.pagina(EMISSAO, form)
}

/** One field for the three kinds, told apart by their length. */
const porTamanho = new Map<number, Pergunta['tipo']>([
  [9, 'ie'],
  [11, 'cpf'],
])

async function emitir(pedido: PedidoPortal<undefined>): Promise<Mensagem> {
  const exigidos = { edtNrDocumento: /^[0-9A-Z]+$/, edtDsCaptcha: /^/ }
  if (!ehAcao(pedido, 'emitir', exigidos)) return pedido.expirada()
  if (!pedido.captcha.conferirTexto(pedido.campo('edtDsCaptcha')))
    return avisarSate(pedido, EMISSAO, 'Código da imagem inválido')
  const documento = pedido.campo('edtNrDocumento')
  const pergunta = { tipo: porTamanho.get(documento.length) ?? ('cnpj' as const), documento }
  const recusa = recusaDoDocumento('PB', pergunta)
  if (recusa) return avisarSate(pedido, EMISSAO, recusa)
  const certidao = pedido.certidao(pergunta)
  const { desfecho, motivo } = certidao
  if (desfecho === 'positiva' || desfecho === 'irregular') return avisarSate(pedido, EMISSAO, motivo)
  return pedido.pdf(certidao)
}

export const portais: readonly Portal[] = [cadastro, certidoes]
