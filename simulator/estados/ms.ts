import type { Mensagem } from '../autoridades/mensagem.ts'
import { escapar } from '../autoridades/xml.ts'
import { recusaDoDocumento } from '../familias/exigencia.ts'
import { ativo, type Ficha, lerFicha } from '../familias/ficha.ts'
import { recursoAusente } from '../familias/webforms.ts'
import type { Certidao } from '../mundo/certidao.ts'
import type { Pergunta } from '../mundo/pergunta.ts'
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

function consultar(pedido: PedidoPortal<undefined>): Mensagem {
  if (!pedido.captcha.conferirTexto(pedido.campo('captcha'))) return filtro(pedido, CAPTCHA_ERRADO)
  const { campos } = pedido
  const [cnpj, ie] = [pedido.campo('cnpj'), pedido.campo('ie')]
  if (!campos.has('cnpj') || !campos.has('ie') || (cnpj === '') === (ie === ''))
    return filtro(pedido, 'Informe a Inscrição Estadual ou o CNPJ')
  const pergunta: Pergunta = cnpj ? { tipo: 'cnpj', documento: cnpj } : { tipo: 'ie', documento: ie }
  const mascarado = !cnpj || mascararDocumento(limparDocumento(cnpj)) === cnpj
  const recusa = recusaDoDocumento('MS', pergunta)
  if (recusa || !mascarado) return filtro(pedido, recusa ?? 'CNPJ inválido')
  const achadas = pedido.procurar(pergunta)
  if (achadas.length === 0) return filtro(pedido, 'Nenhum resultado encontrado')
  const blocos = achadas.map((achada) => resultado(lerFicha(achada, ativo, '00.000.000-0')))
  return pedido.pagina('Consulta Pública ao CCI', blocos.join('\n<hr>\n'))
}

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

async function emitir(pedido: PedidoPortal<undefined>): Promise<Mensagem> {
  if (!pedido.captcha.conferirTexto(pedido.campo('CaptchaNumero'))) return solicitacao(pedido, CAPTCHA_ERRADO)
  const tipo = perguntas.get(pedido.campo('tipoIdentificacao'))
  const documento = pedido.campo('numeroIdentificacao')
  if (!tipo || documento === '') return solicitacao(pedido, 'Informe o tipo e o número do documento')
  const recusa = recusaDoDocumento('MS', { tipo, documento })
  if (recusa) return solicitacao(pedido, recusa)
  const certidao = pedido.certidao({ tipo, documento })
  const mensagem = mensagens[certidao.desfecho]
  return mensagem ? solicitacao(pedido, mensagem) : pedido.pdf(certidao, { nome: 'certidao.pdf' })
}

export const portais: readonly Portal[] = [cadastro, certidoes]
