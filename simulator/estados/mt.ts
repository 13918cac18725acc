import { limparDocumento } from '../documento/mascara.ts'
import type { Pergunta } from '../mundo/pergunta.ts'
import type { Mensagem } from '../platform/mensagem.ts'
import { escapar } from '../platform/xml.ts'
import { conversaDeCadastro } from '../portal/conversa.ts'
import { campoErrado } from '../portal/exigencia.ts'
import { ativo, type Ficha, lerFicha } from '../portal/ficha.ts'
import { elemento, entrada, formulario, selecao } from '../portal/html.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'
import { emitirPorRequerimento, type Requerente } from './requerimento.ts'

const HOST = 'www.sefaz.mt.gov.br'
const CADASTRO = '/cadastro/emissaocartao/emissaocartaocontribuinteacessodireto'
const IMAGEM = '/cadastro/emissaocartao/imagemCaptcha'

const tipos = new Map<string, Pergunta['tipo']>([
  ['2', 'cnpj'],
  ['3', 'cpf'],
])

/** The parameters come in the address, also of the POST. */
const cadastro = portal<undefined>({
  uf: 'MT',
  servico: 'ie',
  nome: 'SEFAZ-MT, cartão do contribuinte',
  hosts: [HOST],
  atende: (caminho) => caminho.startsWith('/cadastro/emissaocartao/'),
  charset: 'iso-8859-1',
  motor: 'java',
  sessao: { em: 'cookie', nome: 'JSESSIONID' },
  novaSessao: () => undefined,
  captcha: 'imagem',
  documento: ({ consulta }) => consulta.get('numrDoct') || undefined,
  responder: (pedido) => {
    if (pedido.caminho === IMAGEM) return pedido.captcha.imagem({ letras: 4 })
    if (pedido.caminho !== CADASTRO) return pedido.pagina('Erro 404', '<h1>404</h1>', { status: 404 })
    return pedido.metodo === 'POST' ? consultar(pedido) : filtro(pedido)
  },
})

const TITULO = 'Emissão do Cartão do Contribuinte'

function filtro(pedido: PedidoPortal<undefined>, aviso = ''): Mensagem {
  const form = formulario(
    { name: 'formulario', action: CADASTRO },
    selecao('codigoTipoDocumento', { 2: 'CNPJ', 3: 'CPF' }),
    entrada('numrDoct', { maxlength: '18' }),
    elemento('img', { id: 'imagemCaptcha', src: IMAGEM }),
    entrada('captchaDigitado', { maxlength: '4' }),
    elemento('input', { type: 'button', value: 'Pesquisar', onclick: 'pesquisar()' }),
  )
  return pedido.pagina(TITULO, (aviso && `<div class="erro">${escapar(aviso)}</div>`) + form)
}

const consultar = conversaDeCadastro<undefined>({
  uf: 'MT',
  ordem: ['sessao', 'campos', 'captcha', 'documento'],
  // It is the image's answer that binds the captcha to a session.
  sessao: ({ sessao }) => !sessao.nova,
  campos: ({ consulta }) => {
    const exigidos = { pagn: 'Pesquisar', codigoTipoDocumento: /^[23]$/, numrDoct: /^[0-9A-Z]+$/ }
    const errado = campoErrado(new Map(consulta), { ...exigidos, ajaxRequest: '1', vU: /^\d+$/ })
    return errado && `Campo obrigatório não informado: ${errado}`
  },
  captcha: {
    confere: ({ captcha, consulta }) => captcha.conferirTexto(consulta.get('captchaDigitado') ?? ''),
    errado: 'Código de caracteres inválido!',
  },
  pergunta: ({ consulta }) => ({
    tipo: tipos.get(consulta.get('codigoTipoDocumento') ?? '') ?? 'cnpj',
    documento: limparDocumento(consulta.get('numrDoct') ?? ''),
  }),
  avisar: filtro,
  ninguem: 'Nenhum registro encontrado',
  desenhar: (pedido, achadas) => {
    const linhas = achadas.map((achada) => linha(lerFicha(achada, ativo, '00.000.000-0')))
    return pedido.pagina(TITULO, elemento('table', { width: '100%' }, linhas.join('\n')))
  },
})

/** A row a registration; its number opens the card in another window. */
function linha({ ie, nome, situacao }: Ficha): string {
  const abrir = elemento(
    'a',
    { href: '#', onclick: `enviar('${limparDocumento(ie)}','FormularioListaEnviar')` },
    ie,
  )
  const celulas = [abrir, escapar(nome), situacao].map((html) => `<td><font size="1">${html}</font></td>`)
  return `<tr>${celulas.join('')}</tr>`
}

const certidoes = portal<Requerente>({
  uf: 'MT',
  servico: 'cnd',
  nome: 'SEFAZ-MT, certidão negativa',
  hosts: [HOST],
  atende: (caminho) => caminho.startsWith('/cnd/certidao/servlet/'),
  charset: 'iso-8859-1',
  motor: 'java',
  sessao: { em: 'cookie', nome: 'JSESSIONID' },
  novaSessao: () => ({ certidao: undefined, faltam: 0 }),
  // The widget is drawn, and an empty answer was taken (09/2026). An answer that is sent must be good.
  captcha: 'turnstile',
  documento: (pedido) => pedido.campo('numrDoctFinal') || undefined,
  responder: emitirPorRequerimento,
})

export const portais: readonly Portal[] = [cadastro, certidoes]
