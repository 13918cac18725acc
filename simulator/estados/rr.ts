import type { Pergunta } from '../mundo/contribuinte.ts'
import type { Mensagem } from '../platform/autoridade.ts'
import { campoErrado, conversaDeCadastro, naoHa, porTexto, tiposPor } from '../portal/conversa.ts'
import { habilitado, readFicha } from '../portal/ficha.ts'
import { botaoGenexus, checkEstado, estadoExpirado, paginaGenexus, resultados } from '../portal/genexus.ts'
import { elemento, entrada } from '../portal/html.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'

type Visita = PedidoPortal<undefined>

const HOST = 'portalweb.sefaz.rr.gov.br'
const CONSULTA = '/sintegra/servlet/wp_siate_consultasintegra'
const TIPO = 'vDMNTIPODOCUMENTOCONTRIBUINTE'
const ROTULOS = [
  ['1', 'Inscrição Estadual'],
  ['3', 'CNPJ'],
  ['2', 'CPF'],
] as const
const TIPOS = tiposPor({ 1: 'ie', 2: 'cpf', 3: 'cnpj' })

const IMAGEM = '/sintegra/servlet/captchaimage'

const cadastro = portal({
  uf: 'RR',
  servico: 'ie',
  nome: 'SEFAZ-RR, SINTEGRA',
  hosts: [HOST],
  motor: 'java',
  captcha: 'palavras',
  documento: (pedido) => pedido.campo('vDOCUMENTO') || undefined,
  answer: (pedido) => {
    if (pedido.caminho === IMAGEM) return pedido.captcha.palavra()
    if (pedido.caminho !== CONSULTA) return naoHa(pedido)
    if (pedido.metodo !== 'POST') return tela(pedido)
    return checkEstado(pedido) ? query(pedido) : pedido.expirada()
  },
  expirada: estadoExpirado,
})

function tela(pedido: Visita, aviso = ''): Mensagem {
  const conteudo = [
    elemento('table', { id: 'TBLFILTRO' }, `<tr>${radios()}</tr>`),
    entrada('vDOCUMENTO', { id: 'vDOCUMENTO' }),
    elemento('div', { id: 'captchaImage' }, elemento('img', { src: IMAGEM })),
    entrada('_cfield', { id: '_cfield', autocomplete: 'off' }),
    botaoGenexus('BTNCONSULTAR', 'Consultar'),
  ].join('\n')
  return paginaGenexus(pedido, { titulo: 'Consulta Sintegra', conteudo, aviso })
}

function radios(): string {
  const todos = ROTULOS.map(([value, texto]) => {
    const checked = value === '1' ? 'checked' : undefined
    const radio = elemento('input', { type: 'radio', name: TIPO, value, checked })
    return `<td><label>${radio}${texto}</label></td>`
  })
  return todos.join('')
}

const perguntaDe = (pedido: Visita): Pergunta => ({
  tipo: TIPOS.get(pedido.campo(TIPO)) ?? 'ie',
  documento: pedido.campo('vDOCUMENTO'),
})

const EXIGIDOS = { [TIPO]: /^[123]$/, vDOCUMENTO: /^[0-9A-Z]+$/, _cfield: /^/, BTNCONSULTAR: 'Consultar' }

const query = conversaDeCadastro<undefined>({
  ordem: ['campos', 'captcha', 'documento'],
  campos: ({ campos }) => campoErrado(campos, EXIGIDOS) && 'Informe o documento.',
  captcha: porTexto('_cfield', 'A palavra digitada não confere com a imagem.'),
  pergunta: perguntaDe,
  notify: tela,
  ninguem: 'Nenhum resultado encontrado',
  draw: (pedido, achadas) => {
    const conteudo = resultados(achadas.map((achada) => readFicha(achada, habilitado, '00000000-0')))
    return paginaGenexus(pedido, { titulo: 'Consulta Sintegra', conteudo })
  },
})

export const portais: readonly Portal[] = [cadastro]
