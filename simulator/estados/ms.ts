import type { Mensagem } from '../autoridades/mensagem.ts'
import { escapar } from '../autoridades/xml.ts'
import { recusaDoDocumento } from '../familias/exigencia.ts'
import { ativo, type Ficha, lerFicha } from '../familias/ficha.ts'
import { recursoAusente } from '../familias/webforms.ts'
import type { Certidao } from '../mundo/certidao.ts'
import type { Pergunta } from '../mundo/pergunta.ts'
import { conversaDeCadastro, conversaDeCertidao } from '../portal/conversa.ts'
import { botao, elemento, entrada, formulario, ocultos, selecao } from '../portal/html.ts'
import { limparDocumento, mascararDocumento } from '../portal/mascara.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'

const HOST = 'servicos.efazenda.ms.gov.br'
const CONSULTA = '/consultacci'
const CAPTCHA_ERRADO = 'O Texto digitado não confere com a Imagem'

const cadastro = portal<undefined>({
  uf: 'MS',
  servico: 'ie',
  nome: 'SEFAZ-MS, consulta ao CCI',
  hosts: [HOST],
  atende: (caminho) => caminho.toLowerCase().startsWith(CONSULTA),
  charset: 'utf-8',
  motor: 'asp.net',
  sessao: { em: 'cookie', nome: 'ASP.NET_SessionId' },
  novaSessao: () => undefined,
  captcha: 'imagem',
  documento: (pedido) => pedido.campo('cnpj') || pedido.campo('ie') || undefined,
  responder: (pedido) => {
    const caminho = pedido.caminho.toLowerCase().replace(/\/$/, '')
    if (caminho === CONSULTA && pedido.metodo === 'GET') return filtro(pedido)
    if (caminho === `${CONSULTA}/home/getcaptcha`) return pedido.captcha.imagem({ letras: 5 })
    if (caminho === `${CONSULTA}/home/buscar` && pedido.metodo === 'POST') return consultar(pedido)
    return recursoAusente(pedido)
  },
})

function filtro(pedido: PedidoPortal<undefined>, aviso = ''): Mensagem {
  const form = formulario(
    { action: `${CONSULTA}/Home/Buscar`, id: 'frmBusca' },
    `<label>Inscrição Estadual</label>${entrada('ie', { id: 'ie' })}`,
    `<label>CNPJ</label>${entrada('cnpj', { id: 'cnpj' })}`,
    `<img id="imgCaptcha" src="${CONSULTA}/Home/GetCaptcha" alt="captcha">`,
    entrada('captcha', { id: 'captcha', autocomplete: 'off' }),
    elemento('button', { type: 'submit', class: 'btn' }, 'Buscar'),
  )
  return pedido.pagina('Consulta Pública ao CCI', alerta(aviso) + form)
}

function alerta(aviso: string): string {
  return aviso && elemento('div', { class: 'alert alert-danger' }, escapar(aviso))
}

const consultar = (pedido: PedidoPortal<undefined>): Promise<Mensagem> =>
  conversaDeCadastro(pedido, {
    uf: 'MS',
    ordem: ['captcha', 'campos', 'documento'],
    captcha: { confere: () => pedido.captcha.conferirTexto(pedido.campo('captcha')), errado: CAPTCHA_ERRADO },
    campos: () => (perguntaDeCadastro(pedido) ? undefined : 'Informe a Inscrição Estadual ou o CNPJ'),
    pergunta: perguntaDeCadastro,
    recusa: (pergunta) => recusaDoDocumento('MS', pergunta) ?? semMascara(pergunta),
    avisar: filtro,
    ninguem: 'Nenhum resultado encontrado',
    desenhar: (_, achadas) => {
      const blocos = achadas.map((achada) => resultado(lerFicha(achada, ativo, '00.000.000-0')))
      return pedido.pagina('Consulta Pública ao CCI', blocos.join('\n<hr>\n'))
    },
  })

/** Both fields come, and one of them is filled. */
function perguntaDeCadastro(pedido: PedidoPortal<undefined>): Pergunta | undefined {
  const [cnpj, ie] = [pedido.campo('cnpj'), pedido.campo('ie')]
  if (!pedido.campos.has('cnpj') || !pedido.campos.has('ie') || (cnpj === '') === (ie === ''))
    return undefined
  return cnpj ? { tipo: 'cnpj', documento: cnpj } : { tipo: 'ie', documento: ie }
}

const semMascara = ({ tipo, documento }: Pergunta): string | undefined =>
  tipo === 'ie' || mascararDocumento(limparDocumento(documento)) === documento ? undefined : 'CNPJ inválido'

function resultado(ficha: Ficha): string {
  const emVigor = ficha.situacao === ativo.habilitado
  const linhas = [
    ['cnpj', ficha.tipo === 'cpf' ? 'CPF' : 'CNPJ', ficha.documento],
    ['inscricaoEstadual', 'Inscrição Estadual', ficha.ie],
    ['razaoSocial', 'Razão Social/Nome', ficha.nome],
    ['logradouro', 'Logradouro', ficha.logradouro],
    ['numero', 'Numero', ficha.numero],
    ['complemento', 'Complemento', ficha.complemento],
    ['cep', 'CEP', ficha.cep],
    ['bairro', 'Bairro', ficha.bairro],
    ['municipio', 'Município', ficha.municipio],
    ['uf', 'UF', ficha.uf],
    ['dataInicio', 'Data de Início da Atividade', ficha.inicio],
    ['dataAtualizacao', 'Data da Última Atualização', ficha.dataDaSituacao],
    ['situacao', 'Situação Cadastral', ficha.situacao],
    ['motivo', 'Motivo da Situação', emVigor ? '' : ficha.situacao],
  ] as const
  const escritas = linhas.map(
    ([id, rotulo, value]) =>
      `<div class="form-group"><label for="${id}">${rotulo}</label>${elemento('input', { type: 'text', id, value, readonly: 'readonly' })}</div>`,
  )
  return elemento('div', { class: 'panel' }, `\n${escritas.join('\n')}\n`)
}

const CERTIDAO = '/pndfis'
const tipos = { 1: 'CNPJ', 2: 'CPF', 3: 'Inscrição Estadual' } as const
const perguntas = new Map<string, Pergunta['tipo']>([
  ['1', 'cnpj'],
  ['2', 'cpf'],
  ['3', 'ie'],
])

const certidoes = portal<undefined>({
  uf: 'MS',
  servico: 'cnd',
  nome: 'SEFAZ-MS, certidão tributária',
  hosts: [HOST],
  atende: (caminho) => caminho.toLowerCase().startsWith(CERTIDAO),
  charset: 'utf-8',
  motor: 'asp.net',
  sessao: { em: 'cookie', nome: 'ASP.NET_SessionId' },
  novaSessao: () => undefined,
  captcha: 'imagem',
  documento: (pedido) => pedido.campo('numeroIdentificacao') || undefined,
  responder: async (pedido) => {
    const caminho = pedido.caminho.toLowerCase()
    if (caminho === `${CERTIDAO}/home/emissao` && pedido.metodo === 'GET') return solicitacao(pedido)
    if (caminho === `${CERTIDAO}/captcha/show`) return pedido.captcha.imagem({ letras: 6 })
    if (caminho === `${CERTIDAO}/home/validar` && pedido.metodo === 'POST') return emitir(pedido)
    return recursoAusente(pedido)
  },
})

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

const emitir = (pedido: PedidoPortal<undefined>): Promise<Mensagem> =>
  conversaDeCertidao(pedido, {
    uf: 'MS',
    ordem: ['captcha', 'campos', 'documento'],
    captcha: {
      confere: () => pedido.captcha.conferirTexto(pedido.campo('CaptchaNumero')),
      errado: CAPTCHA_ERRADO,
    },
    campos: () => (perguntaDeCertidao(pedido) ? undefined : 'Informe o tipo e o número do documento'),
    pergunta: perguntaDeCertidao,
    avisar: solicitacao,
    mensagens,
    entregar: (_, certidao) => pedido.pdf(certidao, { nome: 'certidao.pdf' }),
  })

function perguntaDeCertidao(pedido: PedidoPortal<undefined>): Pergunta | undefined {
  const tipo = perguntas.get(pedido.campo('tipoIdentificacao'))
  const documento = pedido.campo('numeroIdentificacao')
  return tipo && documento ? { tipo, documento } : undefined
}

export const portais: readonly Portal[] = [cadastro, certidoes]
