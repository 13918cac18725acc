import type { ServerResponse } from 'node:http'
import { sendWithEfeito } from '../mundo/efeito.ts'
import {
  type Autoridade,
  type Chamador,
  type Mensagem,
  type Opcoes,
  type Pedido,
  send,
} from '../platform/autoridade.ts'
import {
  receiveSoap as receberSoap,
  type ServicoSoap,
  type VersaoSoap,
  writeFault,
} from '../platform/soap.ts'
import type { Elemento } from '../platform/xml.ts'
import { applyRegras, type Leitura, readConsCad, type Veredito, writeResposta } from './rules.ts'
import { type Servico, servicos, WSDL } from './servicos.ts'

/** A request that passed the server's checks, or the server's own answer. */
type Entrada = { chamador: Chamador; leitura: Leitura; soap: VersaoSoap } | { recusa: Mensagem }

function receive(servico: Servico, pedido: Pedido): Entrada {
  const recebida = receberSoap(describe(servico), pedido)
  if ('recusa' in recebida) return recebida
  const { chamador, soap, lida } = recebida
  if (!lida) return { chamador, soap, leitura: { cStat: 402, lido: {} } }
  if (servico.embrulho && !lida.entrada.filhos.some(isDados)) return { recusa: semOperacao(servico, soap) }
  return { chamador, soap, leitura: readDados(servico, lida.xml, lida.entrada) }
}

const isDados = ({ nome, namespace }: Elemento): boolean => nome === 'nfeDadosMsg' && namespace === WSDL

/**
 * Axis2 says this when the Body's element is not its operation; the beginning is known of MT, the rest is
 * ours.
 */
function semOperacao(servico: Servico, soap: VersaoSoap): Mensagem {
  const { endereco } = describe(servico)
  const motivo = `The endpoint reference (EPR) for the Operation not found is ${endereco} and the WSA Action = null`
  return writeFault({ ...servico.estilo, soap }, { culpa: 'servidor', motivo })
}

const describe = ({ producao, caminho, entende, motor, estilo }: Servico): ServicoSoap => ({
  servico: 'CadConsultaCadastro4',
  wsdl: WSDL,
  operacao: 'consultaCadastro',
  entradas: ENTRADAS,
  endereco: `https://${producao}${caminho}`,
  entende,
  motor,
  estilo,
})

const ENTRADAS: readonly string[] = ['nfeDadosMsg', 'consultaCadastro']

/** MT reads the message only inside a second element; public clients use both names for it. */
function readDados({ embrulho }: Servico, xml: string, entrada: Elemento): Leitura {
  const [unico] = entrada.filhos
  const dentro = embrulho ? unico : entrada
  if (!dentro || !isDados(dentro) || (embrulho && entrada.filhos.length > 1)) return { cStat: 215, lido: {} }
  return readConsCad(xml.slice(dentro.conteudo.inicio, dentro.conteudo.fim), dentro.filhos)
}

const FALHA_INTERNA = { culpa: 'servidor', motivo: 'Erro interno no processamento da mensagem' } as const

/** The ten servers of CadConsultaCadastro4, production and homologation alike. */
export const createCadastros = (opcoes: Opcoes): Autoridade[] =>
  servicos.map((servico) => ({
    nome: servico.nome,
    hosts: [servico.producao, servico.homologacao],
    asksCertificado: true,
    serves: (caminho) => emCaixa(servico, caminho) === emCaixa(servico, servico.caminho),
    answer: (pedido, resposta) => answer(servico, pedido, resposta, opcoes),
  }))

const emCaixa = ({ motor }: Servico, caminho: string): string =>
  motor === 'asp.net' ? caminho.toLowerCase() : caminho

function answer(servico: Servico, pedido: Pedido, resposta: ServerResponse, { agora, ritmo }: Opcoes): void {
  const entrada = receive(servico, pedido)
  if ('recusa' in entrada) {
    send(entrada.recusa, resposta)
    return
  }
  const { leitura, chamador } = entrada
  const { resultado, efeito }: Veredito =
    'cStat' in leitura ? { resultado: leitura } : applyRegras(servico, leitura, chamador)
  // A service of both SOAP versions answers in the version of the request.
  const soap = servico.entende.length > 1 ? entrada.soap : servico.estilo.soap
  const estilo = { ...servico.estilo, soap }
  const mensagem =
    efeito?.tipo === 'fault'
      ? writeFault({ ...estilo, soap: efeito.soap }, FALHA_INTERNA)
      : writeResposta({ ...servico, estilo }, resultado, agora())
  sendWithEfeito(efeito, mensagem, resposta, pedido.conexao, ritmo)
}
