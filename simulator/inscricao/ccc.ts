import { ufs } from '../documento/inscricao-estadual.ts'
import { escreverPagina } from '../platform/autoridades-pagina.ts'
import type { Mensagem } from '../platform/mensagem.ts'
import { botao, elemento, entrada, ocultos, selecao } from '../portal/html.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'
import { conferirTrio, paginaWebForms } from '../portal/webforms.ts'
import { type Consulta, comEstado, consultaAnterior } from './estado.ts'
import { acharNoCcc, desenharLista, documentoDe, folhasDe } from './lista.ts'

const PASTA = '/servicos/nfenc/modulos/geral/'
const PAGINA = `${PASTA}nfenc_consulta_cadastro_ccc.aspx`
const ERRO = `${PASTA}erro.aspx`

/**
 * Made up: more questions than this in a minute are refused for a quarter of an hour. The limit is high
 * because several services may share one simulator.
 */
const POR_MINUTO = 600
const MINUTO_MS = 60_000
const BLOQUEIO_MS = 15 * MINUTO_MS

type Pedido = PedidoPortal<undefined>

/**
 * The copy of the national register (CCC) that SEFAZ-BA shows without captcha or login, at two hosts. One
 * question by CNPJ, registration or state is answered for all states.
 */
export function criarCcc(): Portal {
  const limite = criarLimite()
  return portal({
    uf: 'BA',
    servico: 'ie',
    nome: 'SEFAZ-BA, consulta ao CCC',
    hosts: ['nfe.sefaz.ba.gov.br', 'hnfe.sefaz.ba.gov.br'],
    atende: (caminho) => [PAGINA, ERRO].includes(caminho.toLowerCase()),
    charset: 'utf-8',
    motor: 'asp.net',
    sessao: { em: 'cookie', nome: 'ASP.NET_SessionId' },
    novaSessao: () => undefined,
    documento: documentoDe,
    responder: (pedido) => {
      if (pedido.caminho.toLowerCase() === ERRO) return paginaDeErro(pedido)
      if (pedido.metodo !== 'POST') return desenhar(pedido, undefined)
      return limite(pedido.agora) ? escreverPagina(403, 'Forbidden') : responder(pedido)
    },
    expirada: (pedido) => pedido.redirecionar(ERRO),
  })
}

/** Whether this question is one too many. */
function criarLimite(): (agora: Date) => boolean {
  let recentes: number[] = []
  let bloqueado = 0
  return (agora) => {
    const instante = agora.getTime()
    recentes = [...recentes.filter((uma) => instante - uma < MINUTO_MS), instante]
    if (recentes.length > POR_MINUTO) bloqueado = instante + BLOQUEIO_MS
    return instante < bloqueado
  }
}

function responder(pedido: Pedido): Mensagem {
  const { campos, campo } = pedido
  if (!conferirTrio(comEstado(pedido, undefined), 'ccc')) return pedido.expirada()
  const consulta = campos.has('AplicarFiltro') ? consultaNova(pedido) : outraFolha(pedido)
  const [cnpj, ie, uf] = [campo('txtCNPJ'), campo('txtie'), campo('CmdUF')]
  // Without any of the three the page fails. That it then shows its page of errors is made up.
  const pergunta = cnpj !== '' || ie !== '' || uf !== ''
  return consulta && pergunta ? desenhar(pedido, consulta) : pedido.redirecionar(ERRO)
}

function consultaNova({ campo }: Pedido): Consulta {
  return {
    cnpj: campo('txtCNPJ'),
    ie: campo('txtie'),
    uf: campo('CmdUF'),
    situacao: campo('CmdSituacao'),
    folha: 1,
  }
}

/** The page of the list that the pager asks for, of what the form showed. */
function outraFolha({ campo, campos }: Pedido): Consulta | undefined {
  const antes = consultaAnterior(campos.get('__VIEWSTATE') ?? '')
  const folha = Number(/^Page\$(\d+)$/.exec(campo('__EVENTARGUMENT'))?.[1])
  const ehDaLista = campo('__EVENTTARGET') === 'Grid' && antes !== undefined
  return ehDaLista && folha >= 1 && folha <= folhasDe(acharNoCcc(antes)) ? { ...antes, folha } : undefined
}

function desenhar(pedido: Pedido, consulta: Consulta | undefined): Mensagem {
  const estados = Object.fromEntries([['', 'Todas'], ...ufs.map((uf) => [uf, uf])])
  return paginaWebForms(comEstado(pedido, consulta), {
    titulo: 'Consulta ao Cadastro Centralizado de Contribuintes',
    etapa: 'ccc',
    id: 'form1',
    conteudo: [
      ocultos({ __VIEWSTATEENCRYPTED: '' }),
      `CNPJ: ${entrada('txtCNPJ', { value: consulta?.cnpj ?? '', maxlength: '14' })}`,
      `IE: ${entrada('txtie', { value: consulta?.ie ?? '' })}`,
      `UF: ${selecao('CmdUF', estados, consulta?.uf ?? '')}`,
      `Situação: ${selecao('CmdSituacao', { 99: 'Todas', 1: 'Habilitado', 0: 'Não habilitado' }, consulta?.situacao ?? '99')}`,
      botao('AplicarFiltro', 'Aplicar Filtro'),
      consulta ? desenharLista(acharNoCcc(consulta), consulta.folha) : '',
    ].join('\n'),
  })
}

function paginaDeErro(pedido: Pedido): Mensagem {
  const erro = elemento('span', { id: 'PHConteudo_desTipoErro' }, 'Ocorreu um erro inesperado.')
  return pedido.pagina('Erro', `<h1>OPS!</h1>\n${erro}`)
}
