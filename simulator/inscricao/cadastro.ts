import type { ServerResponse } from 'node:http'
import { enviarComEfeito } from '../mundo/efeito.ts'
import {
  type Autoridade,
  type Chamador,
  enviar,
  type Mensagem,
  type Opcoes,
  type Pedido,
} from '../platform/autoridade.ts'
import { escreverFault, receber as receberSoap, type ServicoSoap, type VersaoSoap } from '../platform/soap.ts'
import type { Elemento } from '../platform/xml.ts'
import { aplicarRegras, escreverResposta, type Leitura, lerConsCad, type Veredito } from './rules.ts'
import { type Servico, servicos, WSDL } from './servicos.ts'

/** A request that passed the server's checks, or the server's own answer. */
type Entrada = { chamador: Chamador; leitura: Leitura; soap: VersaoSoap } | { recusa: Mensagem }

function receber(servico: Servico, pedido: Pedido): Entrada {
  const recebida = receberSoap(descrever(servico), pedido)
  if ('recusa' in recebida) return recebida
  const { chamador, soap, lida } = recebida
  if (!lida) return { chamador, soap, leitura: { cStat: 402, lido: {} } }
  if (servico.embrulho && !lida.entrada.filhos.some(ehDados)) return { recusa: semOperacao(servico, soap) }
  return { chamador, soap, leitura: lerDados(servico, lida.xml, lida.entrada) }
}

const ehDados = ({ nome, namespace }: Elemento): boolean => nome === 'nfeDadosMsg' && namespace === WSDL

/**
 * Axis2 says this when the Body's element is not its operation; the beginning is known of MT, the rest is
 * ours.
 */
function semOperacao(servico: Servico, soap: VersaoSoap): Mensagem {
  const { endereco } = descrever(servico)
  const motivo = `The endpoint reference (EPR) for the Operation not found is ${endereco} and the WSA Action = null`
  return escreverFault({ ...servico.estilo, soap }, { culpa: 'servidor', motivo })
}

const descrever = ({ producao, caminho, entende, motor, estilo }: Servico): ServicoSoap => ({
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
function lerDados({ embrulho }: Servico, xml: string, entrada: Elemento): Leitura {
  const [unico] = entrada.filhos
  const dentro = embrulho ? unico : entrada
  if (!dentro || !ehDados(dentro) || (embrulho && entrada.filhos.length > 1)) return { cStat: 215, lido: {} }
  return lerConsCad(xml.slice(dentro.conteudo.inicio, dentro.conteudo.fim), dentro.filhos)
}

const FALHA_INTERNA = { culpa: 'servidor', motivo: 'Erro interno no processamento da mensagem' } as const

/** The ten servers of CadConsultaCadastro4, production and homologation alike. */
export const criarCadastros = (opcoes: Opcoes): Autoridade[] =>
  servicos.map((servico) => ({
    nome: servico.nome,
    hosts: [servico.producao, servico.homologacao],
    pedeCertificado: true,
    atende: (caminho) => emCaixa(servico, caminho) === emCaixa(servico, servico.caminho),
    responder: (pedido, resposta) => responder(servico, pedido, resposta, opcoes),
  }))

const emCaixa = ({ motor }: Servico, caminho: string): string =>
  motor === 'asp.net' ? caminho.toLowerCase() : caminho

function responder(
  servico: Servico,
  pedido: Pedido,
  resposta: ServerResponse,
  { agora, ritmo }: Opcoes,
): void {
  const entrada = receber(servico, pedido)
  if ('recusa' in entrada) {
    enviar(entrada.recusa, resposta)
    return
  }
  const { leitura, chamador } = entrada
  const { resultado, efeito }: Veredito =
    'cStat' in leitura ? { resultado: leitura } : aplicarRegras(servico, leitura, chamador)
  // A service of both SOAP versions answers in the version of the request.
  const soap = servico.entende.length > 1 ? entrada.soap : servico.estilo.soap
  const estilo = { ...servico.estilo, soap }
  const mensagem =
    efeito?.tipo === 'fault'
      ? escreverFault({ ...estilo, soap: efeito.soap }, FALHA_INTERNA)
      : escreverResposta({ ...servico, estilo }, resultado, agora())
  enviarComEfeito(efeito, mensagem, resposta, pedido.conexao, ritmo)
}
