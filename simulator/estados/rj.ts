import type { Ocorrencia, Pergunta } from '../mundo/contribuinte.ts'
import type { Mensagem } from '../platform/autoridade.ts'
import { escapeXml } from '../platform/xml.ts'
import {
  COM_MASCARA,
  campoErrado,
  conversaDeCadastro,
  conversaDeCertidao,
  type Exigencias,
  naoHa,
  peloMotivo,
  porTexto,
  recusaDoDocumento,
  unicaPreenchida,
} from '../portal/conversa.ts'
import { habilitado, readFicha } from '../portal/ficha.ts'
import { botao, elemento, entrada, formulario, ocultos } from '../portal/html.ts'
import { cameFromJsf, camposDaVista, checkVista, respostaParcial, vistaExpirada } from '../portal/jsf.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'

const camposDaMudanca = (id: string): Exigencias => ({
  'javax.faces.source': id,
  'javax.faces.partial.event': 'change',
  'javax.faces.partial.execute': id,
  'javax.faces.partial.render': '@component',
  'javax.faces.behavior.event': 'valueChange',
  'org.richfaces.ajax.component': id,
  'AJAX:EVENTS_COUNT': '1',
  'javax.faces.partial.ajax': 'true',
})

function mensagens(aviso: string): string {
  const mensagem =
    aviso && `<span class="rf-msgs-err"><span class="rf-msgs-det">${escapeXml(aviso)}</span></span>`
  return elemento('span', { class: 'rf-msgs', id: 'formulario:mensagens' }, mensagem)
}

function grade(id: string, titulos: readonly string[], linhas: readonly (readonly string[])[]): string {
  const cabeca = titulos.map((titulo) => `<th class="rf-dt-hdr-c">${escapeXml(titulo)}</th>`).join('')
  const corpo = linhas.map(
    (celulas, i) =>
      `<tr id="${id}:${i}" class="rf-dt-r">${celulas.map((texto) => `<td class="rf-dt-c">${escapeXml(texto) || '&nbsp;'}</td>`).join('')}</tr>`,
  )
  return elemento(
    'table',
    { id, class: 'rf-dt' },
    `<thead class="rf-dt-thd"><tr class="rf-dt-hdr">${cabeca}</tr></thead><tbody id="${id}:tb" class="rf-dt-b">${corpo.join('\n')}</tbody>`,
  )
}

const CAMINHO = '/certidao-fiscal-web/emitirCertidao.jsf'
const FORM = 'consultaCertidao'
const TIPO = `${FORM}:pessoaFisicaJuridica`
const DOCUMENTO = `${FORM}:cpfCnpj`

const FORMAS_DA_CERTIDAO = [
  { tipo: 'cpf', value: 'F', rotulo: 'Pessoa Física', forma: COM_MASCARA.cpf },
  { tipo: 'cnpj', value: 'J', rotulo: 'Pessoa Jurídica', forma: COM_MASCARA.cnpj },
] as const

type Forma = (typeof FORMAS_DA_CERTIDAO)[number]
type Escolha = { escolhida: Forma }
type Pedido = PedidoPortal<Escolha>

// Two robots, undated, of the old page. The radio's script and values, and the button's name, are made up.
const certidoes = portal<Escolha>({
  uf: 'RJ',
  servico: 'cnd',
  nome: 'SEFAZ-RJ, certidão de regularidade fiscal',
  hosts: ['www4.fazenda.rj.gov.br'],
  serves: (caminho) => caminho.startsWith('/certidao-fiscal-web/'),
  motor: 'java',
  novaSessao: () => ({ escolhida: FORMAS_DA_CERTIDAO[0] }),
  documento: (pedido) => pedido.campo(DOCUMENTO) || undefined,
  answer: (pedido) => {
    if (pedido.caminho !== CAMINHO) return naoHa(pedido, 'HTTP Status 404')
    if (pedido.metodo !== 'POST') return tela(pedido, FORMAS_DA_CERTIDAO[0])
    return cameFromJsf(pedido) ? choose(pedido) : issue(pedido)
  },
  expirada: vistaExpirada,
})

function tela(pedido: Pedido, escolhida: Forma, aviso = ''): Mensagem {
  pedido.sessao.dados.escolhida = escolhida
  const radios = FORMAS_DA_CERTIDAO.map((forma, i) => {
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
  const mensagem = aviso && elemento('ul', { class: 'mensagens' }, `<li>${escapeXml(aviso)}</li>`)
  return pedido.pagina('Certidão de Regularidade Fiscal', mensagem + form)
}

const painel = ({ tipo }: Forma): string =>
  elemento(
    'span',
    { id: `${FORM}:painel` },
    `${tipo.toUpperCase()}: ${entrada(DOCUMENTO, { id: DOCUMENTO })}`,
  )

function choose(pedido: Pedido): Mensagem {
  const escolhida = FORMAS_DA_CERTIDAO.find(({ value }) => value === pedido.campo(TIPO))
  const id = `${TIPO}:${escolhida ? FORMAS_DA_CERTIDAO.indexOf(escolhida) : ''}`
  const errado = campoErrado(pedido.campos, {
    [FORM]: FORM,
    'javax.faces.source': id,
    'javax.faces.partial.ajax': 'true',
    'javax.faces.partial.event': 'click',
    'javax.faces.behavior.event': 'click',
    'javax.faces.partial.execute': id,
    'javax.faces.partial.render': `${FORM}:painel`,
  })
  if (!checkVista(pedido, 'certidão') || !escolhida || errado) return pedido.expirada()
  pedido.sessao.dados.escolhida = escolhida
  return respostaParcial(pedido, 'certidão', { [`${FORM}:painel`]: painel(escolhida) })
}

const perguntaDaCertidao = (pedido: Pedido): Pergunta => ({
  tipo: pedido.sessao.dados.escolhida.tipo,
  documento: pedido.campo(DOCUMENTO),
})

const issue = (pedido: Pedido): Promise<Mensagem> => {
  const { escolhida } = pedido.sessao.dados
  return conversaDeCertidao<Escolha>({
    ordem: ['sessao', 'campos', 'documento'],
    sessao: (veio) => checkVista(veio, 'certidão'),
    campos: ({ campos }) => {
      const exigidos = { [FORM]: FORM, [TIPO]: escolhida.value, [`${FORM}:j_idt21`]: 'Enviar' }
      if (campoErrado(campos, exigidos)) return 'Informe o tipo e o número do documento.'
      return escolhida.forma.test(campos.get(DOCUMENTO) ?? '')
        ? undefined
        : `${escolhida.tipo.toUpperCase()} inválido.`
    },
    pergunta: perguntaDaCertidao,
    notify: (veio, aviso) => tela(veio, escolhida, aviso),
    mensagens: {
      positiva: 'Certidão não emitida: constam débitos perante a Receita Estadual.',
      irregular: peloMotivo,
    },
    deliver: (veio, certidao) => veio.pdf(certidao),
  })(pedido)
}

const SINCAD = '/sincad-web/'
const CAPTCHA = `${SINCAD}captchaServlet`

const FORMAS = {
  cnpj: { campo: 'formulario:txtCNPJ', rotulo: 'CNPJ', forma: COM_MASCARA.cnpj },
  cpf: { campo: 'formulario:txtCPF', rotulo: 'CPF', forma: COM_MASCARA.cpf },
  ie: { campo: 'formulario:txtInsEst', rotulo: 'Inscrição Estadual', forma: /^\d{8}$/ },
} as const satisfies Record<Pergunta['tipo'], { campo: string; rotulo: string; forma: RegExp }>

const TIPOS = ['cnpj', 'cpf', 'ie'] as const

const cadastro = portal({
  uf: 'RJ',
  servico: 'ie',
  nome: 'SEFAZ-RJ, SINCAD',
  hosts: ['sucief-sincad-web.fazenda.rj.gov.br'],
  motor: 'java',
  captcha: 'imagem',
  documento: (pedido) => perguntaDe(pedido)?.documento,
  answer: (pedido) => {
    const { caminho, metodo, sessao } = pedido
    if (caminho === CAPTCHA) return sessao.nova ? pedido.expirada() : pedido.captcha.imagem()
    if (caminho !== `${SINCAD}index.jsf`) return naoHa(pedido, 'HTTP Status 404')
    if (metodo !== 'POST') return filtro(pedido)
    return pedido.campos.has('javax.faces.partial.ajax') ? change(pedido) : pesquisa(pedido)
  },
  expirada: vistaExpirada,
})

const perguntaDe = (pedido: PedidoPortal<undefined>): Pergunta | undefined =>
  unicaPreenchida(pedido, { cnpj: FORMAS.cnpj.campo, cpf: FORMAS.cpf.campo, ie: FORMAS.ie.campo })

function filtro(pedido: PedidoPortal<undefined>, aviso = '', resultado = ''): Mensagem {
  const campos = TIPOS.map(
    (tipo) => `<tr><td>${FORMAS[tipo].rotulo}:</td><td>${campoDe(FORMAS[tipo].campo)}</td></tr>`,
  )
  const form = formulario(
    { id: 'formulario', name: 'formulario', action: `${SINCAD}index.jsf` },
    ocultos({ formulario: 'formulario', skipValidation: 'false' }),
    elemento('table', {}, campos.join('\n')),
    elemento('img', { id: 'formulario:imgCaptcha', src: CAPTCHA }),
    entrada('formulario:cap', { id: 'formulario:cap', maxlength: '5' }),
    botao('formulario:btnPesquisar', 'Pesquisar'),
    camposDaVista(pedido, 'mudança'),
  )
  return pedido.pagina('Consulta Pública - SINCAD', mensagens(aviso) + form + resultado)
}

function campoDe(id: string, value = ''): string {
  const onchange = `RichFaces.ajax("${id}",event,{"incId":"1"} )`
  return entrada(id, { id, value, onchange })
}

/** The field that has changed is drawn anew, and the search waits for the ViewState that comes with it. */
function change(pedido: PedidoPortal<undefined>): Mensagem {
  if (!cameFromJsf(pedido) || !checkVista(pedido, 'mudança')) return pedido.expirada()
  const pergunta = perguntaDe(pedido)
  const campo = pergunta && FORMAS[pergunta.tipo].campo
  if (!campo || campoErrado(pedido.campos, { ...camposDaMudanca(campo), formulario: 'formulario' }))
    return filtro(pedido, FALTA)
  return respostaParcial(pedido, 'pesquisa', { [campo]: campoDe(campo, pergunta.documento) })
}

const FALTA = 'Informe o CNPJ, o CPF ou a Inscrição Estadual.'

const pesquisa = conversaDeCadastro<undefined>({
  ordem: ['sessao', 'campos', 'captcha', 'documento'],
  sessao: (pedido) => checkVista(pedido, 'pesquisa'),
  campos: (pedido) => (perguntaDe(pedido) && !campoErrado(pedido.campos, EXIGIDOS) ? undefined : FALTA),
  captcha: porTexto('formulario:cap', 'Código da imagem inválido.'),
  pergunta: perguntaDe,
  // The mask of the field is part of the number.
  recusa: (pergunta) => {
    const { forma, rotulo } = FORMAS[pergunta.tipo]
    return forma.test(pergunta.documento)
      ? recusaDoDocumento('RJ', pergunta)
      : `${rotulo} em formato incorreto.`
  },
  notify: filtro,
  ninguem: 'Nenhum resultado encontrado',
  draw: (pedido, achadas) => filtro(pedido, '', grade('formulario:tabelaIE', TITULOS, achadas.map(linhaDe))),
})

const EXIGIDOS = {
  formulario: 'formulario',
  'formulario:cap': /^/,
  'formulario:btnPesquisar': 'formulario:btnPesquisar',
  skipValidation: 'false',
}

const TITULOS =
  'CNPJ/CPF|Razão Social|Município|Inscrição Estadual|Situação Cadastral|Data da Situação Cadastral|Regime de Apuração|Atividade Econômica'.split(
    '|',
  )

function linhaDe(achada: Ocorrencia): readonly string[] {
  const ficha = readFicha(achada, habilitado, '00.000.00-0')
  const situacao = [ficha.situacao, ficha.dataDaSituacao, ficha.regime, ficha.atividadeComMascara]
  return [ficha.documento, ficha.nome, ficha.municipio, ficha.ie, ...situacao]
}

export const portais: readonly Portal[] = [cadastro, certidoes]
