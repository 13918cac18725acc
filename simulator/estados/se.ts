import { escapar } from '../autoridades/xml.ts'
import { type Ficha, habilitado, lerFicha } from '../familias/ficha.ts'
import { conferirImagem, mostrarImagem, nomearImagem, type Visto } from '../familias/ibusiness.ts'
import { blocosDoSintegra } from '../familias/sintegra.ts'
import type { Mensagem } from '../gateway/mensagem.ts'
import type { Pergunta } from '../mundo/pergunta.ts'
import { campoErrado, recusaDoDocumento } from '../portal/exigencia.ts'
import { botao, elemento, entrada, formulario, ocultos, type Par } from '../portal/html.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'
import { certidoes } from './se/certidao.ts'

const HOST = 'security.sefaz.se.gov.br'
const SINTEGRA = '/SIC/sintegra/'
const TRANSACAO = { AppName: 'SIC', TransId: 'T24068' }
const cadastro = portal<Visto>({
  uf: 'SE',
  servico: 'ie',
  nome: 'SEFAZ-SE, SINTEGRA',
  hosts: [HOST],
  atende: (caminho) => caminho.startsWith(SINTEGRA),
  charset: 'iso-8859-1',
  motor: 'java',
  sessao: { em: 'cookie', nome: 'JSESSIONID' },
  novaSessao: () => ({ cdImagem: '' }),
  captcha: 'imagem',
  documento: (pedido) => pedido.campo('cdCnpj') || pedido.campo('cdPessoaContribuinte') || undefined,
  responder: (pedido) => {
    if (pedido.caminho === `${SINTEGRA}imagem.jsp`) return mostrarImagem(pedido)
    if (pedido.caminho === `${SINTEGRA}index.jsp`) return filtro(pedido)
    if (pedido.caminho === `${SINTEGRA}result.jsp` && pedido.metodo === 'POST') return consultar(pedido)
    return pedido.pagina('Erro 404', '<h1>404</h1>', { status: 404 })
  },
})

function filtro(pedido: PedidoPortal<Visto>): Mensagem {
  const cdImagem = nomearImagem(pedido)
  const form = formulario(
    { action: 'result.jsp', name: 'form1' },
    ocultos({ ...TRANSACAO, cdImagem }),
    entrada('cdCnpj', { maxlength: '14' }),
    entrada('cdPessoaContribuinte', { maxlength: '9' }),
    elemento('img', { src: `imagem.jsp?cdImagem=${cdImagem}` }),
    entrada('dsImagem'),
    botao('OK', 'Consultar'),
  )
  return pedido.pagina('SINTEGRA - SE', form)
}

function consultar(pedido: PedidoPortal<Visto>): Mensagem {
  const { sessao, campos } = pedido
  const exigidos = { ...TRANSACAO, cdCnpj: /^[0-9A-Z]*$/, cdPessoaContribuinte: /^\d*$/, dsImagem: /^/ }
  const nome = pedido.campo('cdImagem')
  if (campoErrado(campos, exigidos) || !sessao.conferirToken('nome', nome)) return pedido.expirada()
  if (!conferirImagem(pedido)) return avisar(pedido, 'Código da imagem inválido')
  const cnpj = pedido.campo('cdCnpj')
  const ie = pedido.campo('cdPessoaContribuinte')
  if ((cnpj === '') === (ie === '')) return avisar(pedido, 'Informe o CNPJ ou a Inscrição Estadual')
  const pergunta: Pergunta = cnpj ? { tipo: 'cnpj', documento: cnpj } : { tipo: 'ie', documento: ie }
  const recusa = recusaDoDocumento('SE', pergunta)
  if (recusa) return avisar(pedido, recusa)
  const achadas = pedido.procurar(pergunta)
  if (achadas.length === 0) return avisar(pedido, 'Nenhum resultado encontrado')
  const blocos = achadas.map((achada) => bloco(lerFicha(achada, habilitado, '00000000-0')))
  return pedido.pagina('SINTEGRA - SE', blocos.join('<hr>\n'))
}

/** The standard page, all of it in font elements. */
function bloco(ficha: Ficha): string {
  const tabelas = blocosDoSintegra(ficha, 'CNPJ:').map(({ titulo, pares }) => tabela(titulo, pares))
  return tabelas.join('\n')
}

function tabela(titulo: string, pares: readonly Par[]): string {
  const linhas = pares.map(
    ([rotulo, valor]) =>
      `<tr><td>${letra(`<b>${escapar(rotulo)}</b>`)}</td><td>${letra(escapar(valor) || '&nbsp;')}</td></tr>`,
  )
  const cabeca = `<tr><td colspan="2">${letra(`<b>${titulo}</b>`)}</td></tr>`
  return elemento('table', { border: '0' }, [cabeca, ...linhas].join('\n'))
}

function letra(html: string): string {
  return elemento('font', { face: 'Verdana', size: '1' }, html)
}

function avisar(pedido: PedidoPortal<Visto>, aviso: string): Mensagem {
  return pedido.pagina('SEFAZ-SE', `<center>${letra(`<b>${escapar(aviso)}</b>`)}</center>`)
}

export const portais: readonly Portal[] = [cadastro, certidoes]
