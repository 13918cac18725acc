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
import { type Definicao, type Portal, portal } from '../portal/portal.ts'

type Visita = PedidoPortal<undefined>

const HOST = 'portalweb.sefaz.rr.gov.br'
const CONSULTA = '/sintegra/servlet/wp_siate_consultasintegra'
const CERTIDAO = '/cnd/servlet/wp_siate_emitircndcentralservicopublica'
const TIPO = 'vDMNTIPODOCUMENTOCONTRIBUINTE'
const ROTULOS = { '1': 'Inscrição Estadual', '2': 'CPF', '3': 'CNPJ' }
const TIPOS = new Map<string, Pergunta['tipo']>([
  ['1', 'ie'],
  ['2', 'cpf'],
  ['3', 'cnpj'],
])

/** What both services share: a picture of a word beside the form. */
const siate = {
  uf: 'RR',
  hosts: [HOST],
  charset: 'utf-8',
  motor: 'java',
  sessao: { em: 'cookie', nome: 'JSESSIONID' },
  novaSessao: () => undefined,
  captcha: 'palavras',
  documento: (pedido) => pedido.campo('vDOCUMENTO') || undefined,
  expirada: estadoExpirado,
} as const satisfies Partial<Definicao>

const cadastro = portal<undefined>({
  ...siate,
  servico: 'ie',
  nome: 'SEFAZ-RR, SINTEGRA',
  atende: (caminho) => caminho.startsWith('/sintegra/'),
  responder: (pedido) => responder(pedido, CONSULTA, consultar),
})

const certidoes = portal<undefined>({
  ...siate,
  servico: 'cnd',
  nome: 'SEFAZ-RR, certidão negativa',
  atende: (caminho) => caminho.startsWith('/cnd/'),
  responder: (pedido) => responder(pedido, CERTIDAO, emitir),
})

type Pagina = (pedido: Visita) => Mensagem | Promise<Mensagem>

function responder(pedido: Visita, caminho: string, aoEnviar: Pagina): Mensagem | Promise<Mensagem> {
  if (pedido.caminho === imagemDe(caminho)) return pedido.captcha.palavra()
  if (pedido.caminho !== caminho) return pedido.pagina('Erro 404', '<h1>404</h1>', { status: 404 })
  if (pedido.metodo !== 'POST') return tela(pedido)
  return conferirEstado(pedido) ? aoEnviar(pedido) : pedido.expirada()
}

function imagemDe(caminho: string): string {
  return `${caminho.slice(0, caminho.lastIndexOf('/'))}/captchaimage`
}

function tela(pedido: Visita, aviso = ''): Mensagem {
  const certidao = pedido.caminho === CERTIDAO
  const conteudo = [
    selecao(TIPO, ROTULOS, '1', { id: TIPO }),
    entrada('vDOCUMENTO', { id: 'vDOCUMENTO' }),
    certidao ? entrada('vNOME', { id: 'vNOME' }) : '',
    elemento('img', { id: 'captchaImage', src: imagemDe(pedido.caminho) }),
    entrada('_cfield', { id: '_cfield', autocomplete: 'off' }),
    certidao ? botaoGenexus('BTNEMITIR', 'Emitir') : botaoGenexus('BTNCONSULTAR', 'Consultar'),
  ].join('\n')
  const titulo = certidao ? 'Certidão Negativa de Débitos' : 'Consulta Sintegra'
  return paginaGenexus(pedido, { titulo, conteudo, aviso })
}

function perguntaDe(pedido: Visita): Pergunta {
  return { tipo: TIPOS.get(pedido.campo(TIPO)) ?? 'ie', documento: pedido.campo('vDOCUMENTO') }
}

/** What is wrong with the form, or with the answer to its picture; undefined when nothing is. */
function recusar(pedido: Visita, [botao, texto]: readonly [string, string]): string | undefined {
  const exigidos = { [TIPO]: /^[123]$/, vDOCUMENTO: /^[0-9A-Z]+$/, _cfield: /^/, [botao]: texto }
  if (campoErrado(pedido.campos, exigidos)) return 'Informe o documento.'
  if (!pedido.captcha.conferirTexto(pedido.campo('_cfield')))
    return 'A palavra digitada não confere com a imagem.'
  return recusaDoDocumento('RR', perguntaDe(pedido))
}

function consultar(pedido: Visita): Mensagem {
  const recusa = recusar(pedido, ['BTNCONSULTAR', 'Consultar'])
  if (recusa) return tela(pedido, recusa)
  const achadas = pedido.procurar(perguntaDe(pedido))
  if (achadas.length === 0) return tela(pedido, 'Nenhum resultado encontrado')
  const conteudo = resultados(achadas.map((achada) => lerFicha(achada, habilitado, '00000000-0')))
  return paginaGenexus(pedido, { titulo: 'Consulta Sintegra', conteudo })
}

async function emitir(pedido: Visita): Promise<Mensagem> {
  const recusa = recusar(pedido, ['BTNEMITIR', 'Emitir'])
  if (recusa) return tela(pedido, recusa)
  if (pedido.campo('vNOME') === '') return tela(pedido, 'Informe o nome do contribuinte.')
  const certidao = pedido.certidao(perguntaDe(pedido))
  const { desfecho, motivo } = certidao
  if (desfecho === 'positiva' || desfecho === 'irregular') return tela(pedido, motivo)
  return pedido.pdf(certidao)
}

export const portais: readonly Portal[] = [cadastro, certidoes]
