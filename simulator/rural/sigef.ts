import type { ServerResponse } from 'node:http'
import { type Efeito, OUTRO_DOCUMENTO } from '../mundo/comportamento.ts'
import { enviarComEfeito } from '../mundo/efeito.ts'
import type { Autoridade, Opcoes, Pedido } from '../platform/autoridade.ts'
import { escreverPagina } from '../platform/autoridades-pagina.ts'
import type { Mensagem } from '../platform/mensagem.ts'
import { lerPedido } from '../portal/ler.ts'
import { casoRural, efeitoRural } from './efeito.ts'
import { imoveisReservados } from './imoveis.ts'
import { POR_PAGINA, paginaDaLista } from './lista.ts'
import { ENTRADA, HOST, iniciarLogin, voltarDoLogin } from './login.ts'
import { irPara, layoutNovo, paginaDoSigef, requestRejected } from './paginas.ts'
import { type Parcela, parcelaDo, parcelasDe } from './parcelas.ts'
import type { Selo } from './selo.ts'
import { acessoAoSigef, lerVisitante } from './sessao.ts'
import { paginaDaParcela, paginaMudada } from './sigef-paginas.ts'

/** The search. */
const LISTA = '/consultar/parcelas/'
const DETALHE = /^\/geo\/parcela\/detalhe\/([0-9a-f-]{36})\/$/

/** What of an answer the effect decides: the page, and what goes wrong on the wire. */
type Respondido = { mensagem: Mensagem; efeito?: Efeito | undefined }

/** SIGEF's pages for who has logged in by gov.br: search by holder, and the page of each parcel. */
export function criarSigef({ agora, ritmo, selo }: Opcoes & { selo: Selo }): Autoridade {
  return {
    nome: 'SIGEF',
    hosts: [HOST],
    pedeCertificado: false,
    ambiente: () => ({ sigef: acessoAoSigef(selo) }),
    responder: (pedido, resposta) => {
      const { mensagem, efeito } = responder(pedido, resposta, selo, agora())
      enviarComEfeito(efeito, mensagem, resposta, pedido.conexao, ritmo)
    },
  }
}

function responder(pedido: Pedido, resposta: ServerResponse, selo: Selo, agora: Date): Respondido {
  const { caminho, consulta, metodo } = pedido
  const { cookies } = lerPedido(pedido, { charset: 'utf-8', motor: 'java' })
  const { barrado, comSessao } = lerVisitante(selo, cookies, agora)
  if (barrado) return { mensagem: requestRejected() }
  if (metodo !== 'GET' && metodo !== 'HEAD') return { mensagem: escreverPagina(405, 'Method Not Allowed') }
  if (caminho === ENTRADA) return { mensagem: iniciarLogin(selo, agora) }
  if (caminho.startsWith('/login/')) return { mensagem: voltarDoLogin(selo, consulta, agora, resposta) }
  if (caminho === '/')
    return { mensagem: paginaDoSigef('Início', `<a href="${ENTRADA}">Entrar com gov.br</a>`) }
  if (!caminho.endsWith('/'))
    return { mensagem: { ...irPara(`${caminho}/${escreverConsulta(consulta)}`), status: 301 } }
  const codigo = DETALHE.exec(caminho)?.[1]
  if (caminho !== LISTA && codigo === undefined) return naoAchada()
  if (!comSessao) return { mensagem: irPara(ENTRADA) }
  return codigo === undefined ? buscar(consulta) : mostrar(codigo)
}

const escreverConsulta = (consulta: URLSearchParams): string => (consulta.size > 0 ? `?${consulta}` : '')

function naoAchada(): Respondido {
  return { mensagem: paginaDoSigef('Página não encontrada', '<h1>Not Found</h1>', 404) }
}

/** The list of a holder's parcels. His document is digits only, with all its zeros: else nothing is found. */
function buscar(consulta: URLSearchParams): Respondido {
  const documento = consulta.get('cpf_cnpj') ?? ''
  if (documento === '') return { mensagem: paginaDaLista(undefined) }
  const efeito = efeitoRural(documento, 'sigef')
  const caso = casoRural(efeito)
  const pagina = Math.max(1, Number.parseInt(consulta.get('page') ?? '1', 10) || 1)
  if (efeito?.tipo === 'waf' || (caso === 'barrado-na-segunda' && pagina === 2))
    return { mensagem: requestRejected() }
  if (efeito?.tipo === 'sessao-velha') return { mensagem: irPara(ENTRADA) }
  if (efeito?.tipo === 'layout') return { mensagem: layoutNovo() }
  const parcelas = /^(?:\d{11}|[0-9A-Z]{12}\d{2})$/.test(documento) ? parcelasDe(documento) : []
  if (pagina > 1 && (pagina - 1) * POR_PAGINA >= parcelas.length) return naoAchada()
  const desenho = caso === 'paginacao-nova' ? 'novo' : 'antigo'
  const aMais = caso === 'conta-errada' ? 3 : 0
  return { mensagem: paginaDaLista({ parcelas, pagina, desenho, consulta, aMais }), efeito }
}

/** The page of one parcel. Effects that spoil the sending of the search do not spoil it again. */
function mostrar(codigo: string): Respondido {
  const parcela = parcelaDo(codigo)
  if (!parcela) return naoAchada()
  const efeito = efeitoRural(parcela.imovel.donos[0].documento, 'sigef')
  switch (casoRural(efeito)) {
    case 'detalhe-404':
      return naoAchada()
    case 'sessao-cai-no-detalhe':
      return { mensagem: irPara(ENTRADA) }
    case 'detalhe-mudado':
      return { mensagem: paginaMudada(parcela) }
  }
  return { mensagem: paginaDaParcela(comDetentores(parcela, efeito)) }
}

/** The holders as the page shows them: another one, or one without a document, where the effect says so. */
function comDetentores(parcela: Parcela, efeito: Efeito | undefined): Parcela {
  const alheios = efeito?.tipo === 'outro' ? imoveisReservados(OUTRO_DOCUMENTO, 1) : [parcela.imovel]
  const semDocumento = casoRural(efeito) === 'sem-documento'
  const detentores = alheios.flatMap(({ donos }) => donos)
  return {
    ...parcela,
    detentores: semDocumento ? detentores.map((um) => ({ ...um, documento: '' })) : detentores,
  }
}
