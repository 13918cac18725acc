import { ativo, lerFicha } from '../../familias/ficha.ts'
import { camposDaVista, conferirVista, idGerado, vistaExpirada } from '../../familias/jsf.ts'
import {
  botaoPrime,
  type ComImagem,
  imagemDinamica,
  mensagensPrime,
  painel,
} from '../../familias/primefaces.ts'
import type { Mensagem } from '../../gateway/mensagem.ts'
import type { Ocorrencia } from '../../mundo/contribuinte.ts'
import type { Pergunta } from '../../mundo/pergunta.ts'
import { type ConversaDeCadastro, conversaDeCadastro } from '../../portal/conversa.ts'
import { campoErrado, unicaPreenchida } from '../../portal/exigencia.ts'
import { elemento, entrada, formulario, ocultos, tabelaDePares } from '../../portal/html.ts'
import type { PedidoPortal } from '../../portal/pedido.ts'
import { portal } from '../../portal/portal.ts'

const BASE = '/SintegraConsultaPublica/'
const RECURSO = `${BASE}javax.faces.resource/dynamiccontent.properties.jsf`
const ENVIO = `${BASE}index.jsf`
const FORM = 'formConsulta'
const TIPOS = ['cnpj', 'ie'] as const

/** Plain HTTP, as it was. */
export const cadastro = portal<ComImagem>({
  uf: 'PI',
  servico: 'ie',
  nome: 'SEFAZ-PI, SINTEGRA',
  hosts: ['webas.sefaz.pi.gov.br'],
  atende: (caminho) => caminho.startsWith(BASE),
  charset: 'utf-8',
  motor: 'java',
  sessao: { em: 'cookie', nome: 'JSESSIONID' },
  novaSessao: () => ({ chave: '' }),
  captcha: 'imagem',
  documento: (pedido) => perguntaDe(pedido)?.documento,
  responder: (pedido) => {
    const { caminho, consulta, sessao, metodo } = pedido
    if (caminho === RECURSO && consulta.get('primefaces_image') === sessao.dados.chave)
      return pedido.captcha.imagem()
    if (caminho !== BASE && caminho !== ENVIO)
      return pedido.pagina('Erro 404', '<h1>404</h1>', { status: 404 })
    return metodo === 'POST' ? conversaDeCadastro(pedido, conversa) : filtro(pedido)
  },
  expirada: vistaExpirada,
})

/** A CNPJ goes with or without its mask. */
const perguntaDe = (pedido: PedidoPortal<ComImagem>): Pergunta | undefined =>
  unicaPreenchida(pedido, { cnpj: 'cnpj', ie: 'ie' })

function filtro(pedido: PedidoPortal<ComImagem>, aviso = ''): Mensagem {
  const campos = TIPOS.map(
    (tipo) =>
      `<tr><td><label for="${tipo}">${tipo === 'ie' ? 'Inscrição Estadual' : tipo.toUpperCase()}</label></td><td>${entrada(tipo, { id: tipo })}</td></tr>`,
  )
  const form = formulario(
    { id: FORM, name: FORM, action: ENVIO, enctype: 'application/x-www-form-urlencoded' },
    ocultos({ [FORM]: FORM }),
    elemento('table', {}, campos.join('\n')),
    imagemDinamica(pedido, RECURSO, 'securityCaptcha'),
    entrada('captcha', { id: 'captcha', autocomplete: 'off' }),
    botaoPrime(idGerado(pedido, 4), 'Consultar'),
    camposDaVista(pedido, 'consulta'),
  )
  return pedido.pagina('SINTEGRA/ICMS - Piauí', mensagensPrime('messages', aviso) + form)
}

const conversa: ConversaDeCadastro<ComImagem> = {
  uf: 'PI',
  ordem: ['sessao', 'campos', 'captcha', 'documento'],
  sessao: (pedido) => conferirVista(pedido, 'consulta'),
  campos: (pedido) => {
    const exigidos = { [FORM]: FORM, cnpj: /^/, ie: /^/, captcha: /^/, [idGerado(pedido, 4)]: '' }
    return perguntaDe(pedido) && !campoErrado(pedido.campos, exigidos)
      ? undefined
      : 'Informe o CNPJ ou a Inscrição Estadual.'
  },
  captcha: {
    confere: ({ captcha, campo }) => captcha.conferirTexto(campo('captcha')),
    errado: 'O Texto digitado não confere com a Imagem',
  },
  pergunta: perguntaDe,
  avisar: filtro,
  ninguem: 'Nenhum resultado encontrado',
  desenhar: (pedido, achadas) => pedido.pagina('SINTEGRA/ICMS - Piauí', achadas.map(resultado).join('\n')),
}

/** The labels are those of MS. */
function resultado(achada: Ocorrencia): string {
  const ficha = lerFicha(achada, ativo, '00.000.000-0')
  const pares = [
    [`${ficha.tipo.toUpperCase()}:`, ficha.documento],
    ['Inscrição Estadual:', ficha.ie],
    ['Razão Social/Nome:', ficha.nome],
    ['Logradouro:', ficha.logradouro],
    ['Numero:', ficha.numero],
    ['Complemento:', ficha.complemento],
    ['CEP:', ficha.cep],
    ['Bairro:', ficha.bairro],
    ['Município:', ficha.municipio],
    ['UF:', ficha.uf],
    ['Data de Início da Atividade:', ficha.inicio],
    ['Data da Última Atualização:', ficha.dataDaSituacao],
    ['Situação Cadastral:', ficha.situacao],
    ['Motivo da Situação:', ''],
  ] as const
  return painel('Dados do Contribuinte', tabelaDePares(pares, { rotulo: { class: 'label' } }))
}
