import type { ServerResponse } from 'node:http'
import type { Uf } from '../documento/uf.ts'
import type { Efeito } from '../mundo/comportamento.ts'
import { sendWithEfeito } from '../mundo/efeito.ts'
import type { TpAmb } from '../nfe/nacional.ts'
import type { Autoridade, Pedido } from '../platform/autoridade.ts'
import { type Mensagem, send } from '../platform/autoridade.ts'
import { type Entrada, receiveSoap, type ServicoSoap, type VersaoSoap, writeFault } from '../platform/soap.ts'
import type { Elemento } from '../platform/xml.ts'
import { type Autorizador, autorizadores } from './autorizadores.ts'
import { SILENCIO_MS } from './clima.ts'
import type { Sefaz } from './sefaz.ts'

export type ServicoDoAutorizador = {
  nome: string
  /** The authorizer by whose weather it stands or falls. */
  id: string
  producao: string
  homologacao: string
  soap: ServicoSoap
}

export type Pergunta = {
  entrada: Entrada
  autorizador: Autorizador
  ambiente: TpAmb
  soap: VersaoSoap
  /** The code that the weather makes it answer: 108, 109, 113, 114, 656 or 678. */
  imposto: number | undefined
}

/** The data area of a question: text and elements; undefined where the octets are not UTF-8. */
export type Area = { texto: string; elementos: readonly Elemento[] } | undefined

/** It answers late, wrong or not at all as the authorizer's weather says, else `write`. */
export function openServico(
  servico: ServicoDoAutorizador,
  sefaz: Sefaz,
  write: (pergunta: Pergunta) => Mensagem,
): Autoridade {
  const { nome, id, producao, homologacao, soap } = servico
  const autorizador = autorizadores.find((um) => um.id === id)
  if (!autorizador) throw new Error(`${id} não é um autorizador`)
  const emCaixa = (caminho: string): string => (soap.motor === 'asp.net' ? caminho.toLowerCase() : caminho)
  const caminhos = [producao, homologacao].map((endereco) => emCaixa(split(endereco).caminho))
  return {
    nome,
    hosts: [split(producao).host, split(homologacao).host],
    asksCertificado: true,
    serves: (caminho) => caminhos.includes(emCaixa(caminho)),
    answer: (pedido, resposta) => answer({ servico, autorizador, sefaz, write }, pedido, resposta),
  }
}

function split(endereco: string): { host: string; caminho: string } {
  const barra = endereco.indexOf('/')
  return { host: endereco.slice(0, barra), caminho: endereco.slice(barra) }
}

type Casa = {
  servico: ServicoDoAutorizador
  autorizador: Autorizador
  sefaz: Sefaz
  write: (pergunta: Pergunta) => Mensagem
}

/** What breaks an answer that is right, or takes its place. The other cases are codes, or mere slowness. */
const efeitos: Readonly<Record<string, Efeito>> = {
  'http-403': { tipo: 'pagina', status: 403, titulo: '403 Forbidden' },
  'http-500': { tipo: 'pagina', status: 500, titulo: '500 - Internal server error.' },
  html: { tipo: 'pagina', status: 200, titulo: 'Sistema em manutenção' },
  malformado: { tipo: 'malformado' },
  corte: { tipo: 'queda', quando: 'antes' },
  'recusa-tls': { tipo: 'tls' },
}

const FALHA = { culpa: 'servidor', motivo: 'Erro interno no processamento da mensagem' } as const

async function answer(
  { servico, autorizador, sefaz, write }: Casa,
  pedido: Pedido,
  resposta: ServerResponse,
): Promise<void> {
  const entrada = receiveSoap(servico.soap, pedido)
  if ('recusa' in entrada) return send(entrada.recusa, resposta)
  const { caso, ms } = sefaz.tempoDe(autorizador.id)
  const hasLeft = new Promise<void>((resolve) => resposta.once('close', resolve))
  await Promise.race([sefaz.wait(ms), hasLeft])
  if (resposta.destroyed) return
  if (caso === 'sem-resposta' && ms <= SILENCIO_MS) return pedido.conexao.drop()
  // A service of both SOAP versions answers in that of the question.
  const { soap } = entrada
  if (caso === 'fault') return send(writeFault({ ...servico.soap.estilo, soap }, FALHA), resposta)
  const ambiente: TpAmb = pedido.host === split(servico.producao).host ? '1' : '2'
  const pronta = write({ entrada, autorizador, ambiente, soap, imposto: Number(caso) || undefined })
  sendWithEfeito(efeitos[caso], pronta, resposta, pedido.conexao)
}

/** The state whose code stands in an answer to a question without one. */
export function propriaDe({ casa, ufs }: Autorizador): Uf {
  if (casa === 'RS' || casa === 'SP') return casa
  return ufs[0] ?? 'RS'
}

export function readArea({ lida }: Entrada): Area {
  if (!lida) return undefined
  const { inicio, fim } = lida.entrada.conteudo
  return { texto: lida.xml.slice(inicio, fim), elementos: lida.entrada.filhos }
}
