import type { ServerResponse } from 'node:http'
import { enviarComEfeito } from '../mundo/efeito.ts'
import type { Autoridade, Opcoes, Pedido } from '../platform/autoridade.ts'
import { enviar } from '../platform/mensagem.ts'
import { escreverFault } from '../platform/soap.ts'
import { receber } from './porta.ts'
import { aplicarRegras, type Veredito } from './regras.ts'
import { escreverResposta } from './rules.ts'
import type { Servico } from './servico.ts'
import { servicos } from './servicos.ts'

const FALHA_INTERNA = { culpa: 'servidor', motivo: 'Erro interno no processamento da mensagem' } as const

/** The ten servers of CadConsultaCadastro4, production and homologation alike. */
export function criarCadastros(opcoes: Opcoes): Autoridade[] {
  return servicos.map((servico) => ({
    nome: servico.nome,
    hosts: [servico.producao, servico.homologacao],
    pedeCertificado: true,
    atende: (caminho) => emCaixa(servico, caminho) === emCaixa(servico, servico.caminho),
    responder: (pedido, resposta) => responder(servico, pedido, resposta, opcoes),
  }))
}

/** ASP.NET takes a path in any case. */
function emCaixa({ motor }: Servico, caminho: string): string {
  return motor === 'asp.net' ? caminho.toLowerCase() : caminho
}

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
  // A service of both SOAP versions answers in the version of the request. The other services have one
  // version each.
  const soap = servico.entende.length > 1 ? entrada.soap : servico.estilo.soap
  const estilo = { ...servico.estilo, soap }
  const mensagem =
    efeito?.tipo === 'fault'
      ? escreverFault({ ...estilo, soap: efeito.soap }, FALHA_INTERNA)
      : escreverResposta({ ...servico, estilo }, resultado, agora())
  enviarComEfeito(efeito, mensagem, resposta, pedido.conexao, ritmo)
}
