import type { ServerResponse } from 'node:http'
import type { Efeito } from '../../comportamento.ts'
import type { Autoridade, Pedido } from '../../gateway/autoridade.ts'
import { enviar } from '../../gateway/mensagem.ts'
import type { Uf } from '../../mundo/inscricao/molde.ts'
import { type Autorizador, autorizadores } from '../../sefaz/autorizadores.ts'
import { SILENCIO_MS } from '../../sefaz/clima.ts'
import { criarInstrumentos } from '../../sefaz/instrumento.ts'
import type { Sefaz } from '../../sefaz/sefaz.ts'
import { enviarComEfeito } from '../efeito.ts'
import type { TpAmb } from '../nacional/ambiente-nacional.ts'
import { type Entrada, receber, type ServicoSoap } from '../porta.ts'
import { escreverFault } from '../soap.ts'
import { mensagens } from './mensagem.ts'
import { type Area, julgar } from './regras.ts'
import { escreverResposta } from './resposta.ts'
import { type ServicoDeStatus, servicos } from './servicos.ts'

/** The 26 addresses of NFeStatusServico4 and CTeStatusServicoV4, each in production and homologation. */
export function criarStatus(sefaz: Sefaz): Autoridade[] {
  const instrumentos = criarInstrumentos(sefaz)
  return servicos.map((servico, indice) => {
    const { producao, homologacao, motor, ids } = servico
    const autorizador = autorizadores.find(({ id }) => id === ids[0])
    if (!autorizador) throw new Error(`${ids[0]} não é um autorizador`)
    const emCaixa = (caminho: string): string => (motor === 'asp.net' ? caminho.toLowerCase() : caminho)
    const caminhos = [producao, homologacao].map((endereco) => emCaixa(partir(endereco).caminho))
    return {
      nome: `Status ${ids.join(' e ')}`,
      hosts: [partir(producao).host, partir(homologacao).host],
      pedeCertificado: true,
      ...(indice === 0 ? { instrumentos } : {}),
      atende: (caminho) => caminhos.includes(emCaixa(caminho)),
      responder: (pedido, resposta) => responder({ servico, autorizador, sefaz }, pedido, resposta),
    }
  })
}

function partir(endereco: string): { host: string; caminho: string } {
  const barra = endereco.indexOf('/')
  return { host: endereco.slice(0, barra), caminho: endereco.slice(barra) }
}

type Casa = { servico: ServicoDeStatus; autorizador: Autorizador; sefaz: Sefaz }

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

async function responder(
  { servico, autorizador, sefaz }: Casa,
  pedido: Pedido,
  resposta: ServerResponse,
): Promise<void> {
  const entrada = receber(descrever(servico), pedido)
  if ('recusa' in entrada) return enviar(entrada.recusa, resposta)
  const { caso, ms } = sefaz.tempoDe(autorizador.id)
  const foiEmbora = new Promise<void>((resolve) => resposta.once('close', resolve))
  await Promise.race([sefaz.esperar(ms), foiEmbora])
  if (resposta.destroyed) return
  if (caso === 'sem-resposta' && ms <= SILENCIO_MS) return pedido.conexao.derrubar()
  // A service of both SOAP versions answers in that of the question.
  const estilo = { ...servico.estilo, soap: entrada.soap }
  if (caso === 'fault') return enviar(escreverFault(estilo, FALHA), resposta)
  const ambiente: TpAmb = pedido.host === partir(servico.producao).host ? '1' : '2'
  const { chamador } = entrada
  const mensagem = mensagens[servico.doc]
  const imposto = Number(caso) || undefined
  const veredito = julgar(lerArea(entrada), { autorizador, mensagem, chamador, ambiente, imposto }, sefaz)
  const pronta = escreverResposta({ ...servico, estilo }, veredito, {
    agora: sefaz.agora(),
    ambiente,
    propria: propriaDe(autorizador),
  })
  enviarComEfeito(efeitos[caso], pronta, resposta, pedido.conexao)
}

/** The state whose code stands in an answer to a question without one. */
function propriaDe({ casa, ufs }: Autorizador): Uf {
  if (casa === 'RS' || casa === 'SP') return casa
  return ufs[0] ?? 'RS'
}

function descrever({ doc, producao, motor, entende, estilo }: ServicoDeStatus): ServicoSoap {
  const { servico, wsdl, operacao, dados } = mensagens[doc]
  const endereco = `https://${producao}`
  return { servico, wsdl, operacao, entradas: [dados], endereco, entende, motor, estilo }
}

function lerArea({ lida }: Entrada): Area {
  if (!lida) return undefined
  const { inicio, fim } = lida.entrada.conteudo
  return { texto: lida.xml.slice(inicio, fim), elementos: lida.entrada.filhos }
}
