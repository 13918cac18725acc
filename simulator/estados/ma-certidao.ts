import { randomBytes } from 'node:crypto'
import type { Pergunta } from '../mundo/pergunta.ts'
import type { Mensagem } from '../platform/mensagem.ts'
import { escapar } from '../platform/xml.ts'
import { conversaDeCertidao, peloMotivo } from '../portal/conversa.ts'
import { campoErrado, recusaDoDocumento } from '../portal/exigencia.ts'
import { botao, elemento, entrada, formulario, ocultos } from '../portal/html.ts'
import { conferirVista, idGerado, vistaExpirada } from '../portal/jsf.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { portal } from '../portal/portal.ts'
import { CPF_CNPJ, documentoDe, FALTA, HOST, INSCRICAO, naoHa, perguntaDe, radios } from './escolha.ts'
import { camposDoAjax, lugarDaVista, respostaAjax, submeter } from './richfaces3.ts'

const EMISSAO = '/certidoes/jsp/emissaoCertidaoNegativa/emissaoCertidaoNegativa.jsf'
const ERRO = '/certidoes/jsp/util/paginaErro.jsf'
const IMAGEM = '/certidoes/a4j/g/3_3_3.Final/org.richfaces.renderkit.html.Paint2DResource/DATA/'

/**
 * The question that AJAX validated, captcha included, for the printing that follows. `erro` is the text of
 * the page of errors.
 */
type Emissao = { imagem: string; validado: Pergunta | undefined; erro: string }

export const certidoes = portal<Emissao>({
  uf: 'MA',
  servico: 'cnd',
  nome: 'SEFAZ-MA, certidão negativa de débito',
  hosts: [HOST],
  atende: (caminho) => caminho.startsWith('/certidoes/'),
  charset: 'iso-8859-1',
  motor: 'java',
  sessao: { em: 'cookie', nome: 'JSESSIONID' },
  novaSessao: () => ({ imagem: '', validado: undefined, erro: '' }),
  captcha: 'imagem',
  documento: documentoDe,
  responder: (pedido) => {
    const { caminho, metodo, sessao, campos } = pedido
    if (caminho === IMAGEM + sessao.dados.imagem) return pedido.captcha.imagem({ letras: 4 })
    if (caminho === ERRO) return pedido.pagina('Erro', mensagemDe(sessao.dados.erro || 'Erro inesperado.'))
    if (caminho !== EMISSAO) return naoHa(pedido)
    if (metodo !== 'POST') return emissao(pedido)
    if (!conferirVista(pedido, 'emissao')) return pedido.expirada()
    return campos.has('AJAXREQUEST') ? validacao(pedido) : emitir(pedido)
  },
  expirada: vistaExpirada,
})

function emissao(pedido: PedidoPortal<Emissao>): Mensagem {
  const form = formulario(
    { id: 'form1', name: 'form1', action: EMISSAO },
    ocultos({ form1: 'form1' }),
    radios('2'),
    `<label>CPF/CNPJ</label>${entrada(CPF_CNPJ)}<label>Inscrição Estadual</label>${entrada(INSCRICAO)}`,
    elemento('span', { id: 'form1:imagem' }, novaImagem(pedido)),
    entrada(idDoTexto(pedido), { maxlength: '4', size: '6' }),
    botao('form1:btn', EMITIR, { onclick: `${submeter('form1', idDaValidacao(pedido))};return false;` }),
    elemento('span', { id: 'form1:mensagens' }, ''),
    lugarDaVista(pedido, 'emissao'),
  )
  return pedido.pagina('Certidão Negativa de Débito', form)
}

const EMITIR = 'Emitir Certidão'

function idDoTexto(pedido: PedidoPortal<Emissao>): string {
  return idGerado(pedido, 0, 'form1:j_id')
}

function idDaValidacao(pedido: PedidoPortal<Emissao>): string {
  return idGerado(pedido, 2, 'form1:j_id')
}

function novaImagem({ sessao }: PedidoPortal<Emissao>): string {
  sessao.dados.imagem = `${randomBytes(9).toString('base64url')}.jsf`
  return elemento('img', { src: IMAGEM + sessao.dados.imagem, width: '100', height: '25' })
}

function mensagemDe(erro: string): string {
  return erro && `<span class="pf-messages-error-detail">${escapar(erro)}</span>`
}

const validacao = conversaDeCertidao<Emissao>({
  uf: 'MA',
  ordem: ['campos', 'captcha', 'documento'],
  campos: (pedido) => {
    const ajax = camposDoAjax(idDaValidacao(pedido))
    const exigidos = { ...ajax, form1: 'form1', 'form1:tipoEmissao': /^[12]$/, [idDoTexto(pedido)]: /^/ }
    return campoErrado(pedido.campos, exigidos) || !perguntaDe(pedido).documento ? FALTA : undefined
  },
  captcha: {
    confere: (pedido) => pedido.captcha.conferirTexto(pedido.campo(idDoTexto(pedido))),
    errado: 'Código da imagem inválido.',
  },
  pergunta: perguntaDe,
  recusa: (pergunta, pedido) =>
    recusaDoDocumento('MA', pergunta) ?? (temAtiva(pedido, pergunta) ? PELA_INSCRICAO : undefined),
  avisar: (pedido, aviso) => validar(pedido, aviso),
  mensagens: { positiva: 'Este CPF/CNPJ é devedor.', irregular: peloMotivo },
  entregar: (pedido) => validar(pedido),
})

const PELA_INSCRICAO =
  'Existe Inscrição Estadual ativa para este CPF/CNPJ. Favor emitir pela Inscrição Estadual'

function temAtiva(pedido: PedidoPortal<Emissao>, pergunta: Pergunta): boolean {
  if (pergunta.tipo === 'ie') return false
  return pedido.procurar(pergunta).some(({ inscricao }) => inscricao.situacao === 'habilitado')
}

/** The script of the answer presses the button when nothing is wrong. */
function validar(pedido: PedidoPortal<Emissao>, erro = ''): Mensagem {
  pedido.sessao.dados.validado = erro ? undefined : perguntaDe(pedido)
  const trocas = { 'form1:mensagens': mensagemDe(erro), 'form1:imagem': novaImagem(pedido) }
  const script = `if(${erro === ''}){document.getElementById('form1:btn').form.submit();}`
  return respostaAjax(pedido, 'emissao', trocas, script)
}

async function emitir(pedido: PedidoPortal<Emissao>): Promise<Mensagem> {
  const { dados } = pedido.sessao
  const pergunta = perguntaDe(pedido)
  const mesma = dados.validado?.tipo === pergunta.tipo && dados.validado.documento === pergunta.documento
  dados.validado = undefined
  if (!mesma || campoErrado(pedido.campos, { form1: 'form1', 'form1:btn': EMITIR })) {
    dados.erro = 'Os dados informados não foram validados. Reinicie a emissão.'
    return pedido.redirecionar(ERRO)
  }
  return pedido.pdf(pedido.certidao(pergunta))
}
