import type { Mensagem } from '../autoridades/mensagem.ts'
import { campoErrado, recusaDoDocumento } from '../familias/exigencia.ts'
import { habilitado, lerFicha } from '../familias/ficha.ts'
import {
  botaoGenexus,
  conferirEstado,
  estadoExpirado,
  paginaGenexus,
  resultados,
} from '../familias/genexus.ts'
import type { Pergunta } from '../mundo/pergunta.ts'
import { elemento, entrada, selecao } from '../portal/html.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'

type Visita = PedidoPortal<undefined>

const HOST = 'portalweb.sefaz.rr.gov.br'
const CONSULTA = '/sintegra/servlet/wp_siate_consultasintegra'
const TIPO = 'vDMNTIPODOCUMENTOCONTRIBUINTE'
const ROTULOS = { '1': 'Inscrição Estadual', '2': 'CPF', '3': 'CNPJ' }
const TIPOS = new Map<string, Pergunta['tipo']>([
  ['1', 'ie'],
  ['2', 'cpf'],
  ['3', 'cnpj'],
])

const IMAGEM = '/sintegra/servlet/captchaimage'

const cadastro = portal<undefined>({
  uf: 'RR',
  servico: 'ie',
  nome: 'SEFAZ-RR, SINTEGRA',
  hosts: [HOST],
  charset: 'utf-8',
  motor: 'java',
  sessao: { em: 'cookie', nome: 'JSESSIONID' },
  novaSessao: () => undefined,
  captcha: 'palavras',
  documento: (pedido) => pedido.campo('vDOCUMENTO') || undefined,
  responder: (pedido) => {
    if (pedido.caminho === IMAGEM) return pedido.captcha.palavra()
    if (pedido.caminho !== CONSULTA) return pedido.pagina('Erro 404', '<h1>404</h1>', { status: 404 })
    if (pedido.metodo !== 'POST') return tela(pedido)
    return conferirEstado(pedido) ? consultar(pedido) : pedido.expirada()
  },
  expirada: estadoExpirado,
})

function tela(pedido: Visita, aviso = ''): Mensagem {
  const conteudo = [
    selecao(TIPO, ROTULOS, '1', { id: TIPO }),
    entrada('vDOCUMENTO', { id: 'vDOCUMENTO' }),
    elemento('img', { id: 'captchaImage', src: IMAGEM }),
    entrada('_cfield', { id: '_cfield', autocomplete: 'off' }),
    botaoGenexus('BTNCONSULTAR', 'Consultar'),
  ].join('\n')
  return paginaGenexus(pedido, { titulo: 'Consulta Sintegra', conteudo, aviso })
}

function perguntaDe(pedido: Visita): Pergunta {
  return { tipo: TIPOS.get(pedido.campo(TIPO)) ?? 'ie', documento: pedido.campo('vDOCUMENTO') }
}

/** What is wrong with the form, or with the answer to its picture; undefined when nothing is. */
function recusar(pedido: Visita): string | undefined {
  const exigidos = { [TIPO]: /^[123]$/, vDOCUMENTO: /^[0-9A-Z]+$/, _cfield: /^/, BTNCONSULTAR: 'Consultar' }
  if (campoErrado(pedido.campos, exigidos)) return 'Informe o documento.'
  if (!pedido.captcha.conferirTexto(pedido.campo('_cfield')))
    return 'A palavra digitada não confere com a imagem.'
  return recusaDoDocumento('RR', perguntaDe(pedido))
}

function consultar(pedido: Visita): Mensagem {
  const recusa = recusar(pedido)
  if (recusa) return tela(pedido, recusa)
  const achadas = pedido.procurar(perguntaDe(pedido))
  if (achadas.length === 0) return tela(pedido, 'Nenhum resultado encontrado')
  const conteudo = resultados(achadas.map((achada) => lerFicha(achada, habilitado, '00000000-0')))
  return paginaGenexus(pedido, { titulo: 'Consulta Sintegra', conteudo })
}

export const portais: readonly Portal[] = [cadastro]
