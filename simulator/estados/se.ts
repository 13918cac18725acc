import type { Pergunta } from '../mundo/pergunta.ts'
import type { Mensagem } from '../platform/mensagem.ts'
import { escapar } from '../platform/xml.ts'
import { conversaDeCadastro } from '../portal/conversa.ts'
import { campoErrado, unicaPreenchida } from '../portal/exigencia.ts'
import { type Ficha, habilitado, paginaDeFichas } from '../portal/ficha.ts'
import { botao, elemento, entrada, formulario, ocultos, type Par } from '../portal/html.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'
import { blocosDoSintegra } from '../portal/sintegra.ts'
import { certidoes } from './certidao.ts'
import { conferirImagem, mostrarImagem, nomearImagem, type Visto } from './ibusiness.ts'

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
    if (pedido.caminho === `${SINTEGRA}result.jsp` && pedido.metodo === 'POST') return consulta(pedido)
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

const consulta = conversaDeCadastro<Visto>({
  uf: 'SE',
  ordem: ['sessao', 'captcha', 'campos', 'documento'],
  sessao: ({ sessao, campos, campo }) =>
    !campoErrado(campos, EXIGIDOS) && sessao.conferirToken('nome', campo('cdImagem')),
  captcha: { confere: conferirImagem, errado: 'Código da imagem inválido' },
  campos: (pedido) => (perguntaDe(pedido) ? undefined : 'Informe o CNPJ ou a Inscrição Estadual'),
  pergunta: perguntaDe,
  avisar,
  ninguem: 'Nenhum resultado encontrado',
  desenhar: paginaDeFichas({
    titulo: 'SINTEGRA - SE',
    palavras: habilitado,
    mascara: '00000000-0',
    bloco: (ficha) => bloco(ficha),
    entre: '<hr>\n',
  }),
})

const EXIGIDOS = { ...TRANSACAO, cdCnpj: /^[0-9A-Z]*$/, cdPessoaContribuinte: /^\d*$/, dsImagem: /^/ }

function perguntaDe(pedido: PedidoPortal<Visto>): Pergunta | undefined {
  return unicaPreenchida(pedido, { cnpj: 'cdCnpj', ie: 'cdPessoaContribuinte' })
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
