import { X509Certificate } from 'node:crypto'
import type { Autoridade, Chamador } from '../platform/autoridade.ts'
import { enviar } from '../platform/mensagem.ts'
import { type Entrada, receber, type ServicoSoap } from '../platform/porta.ts'
import { AMBAS, ambienteDe, estiloDoAn, type MeiosDoAn, type TpAmb } from './ambiente-nacional.ts'
import { type Leitura, lerEnvEvento } from './evento.ts'
import { escreverRetorno, type Resultado, WSDL } from './eventos-resposta.ts'
import { criarBloqueio, criarContagem } from './limite.ts'
import { enviarComEfeitoNfe } from './nacional.ts'
import { criarRegistro, type Desfecho } from './registro.ts'

const CAMINHO = '/NFeRecepcaoEvento4/NFeRecepcaoEvento4.asmx'
const PRODUCAO = 'www.nfe.fazenda.gov.br'

const servico: ServicoSoap = {
  servico: 'NFeRecepcaoEvento4',
  wsdl: WSDL,
  operacao: 'nfeRecepcaoEventoNF',
  entradas: ['nfeDadosMsg'],
  endereco: `https://${PRODUCAO}${CAMINHO}`,
  entende: AMBAS,
  motor: 'asp.net',
  estilo: estiloDoAn('1.2'),
}

/**
 * Codes of a lot, not of one event of it: the service is out, the message is wrong, the sender sends too
 * much.
 */
const DO_LOTE: readonly number[] = [
  108, 109, 214, 215, 225, 280, 281, 282, 283, 284, 285, 286, 402, 404, 516, 517, 587, 588, 656, 999,
]

/**
 * Equal refusals of one event that a sender may get in an hour (MOC 7.0, Anexo I, 4.3: "preferential" value).
 */
const RECUSAS = 20

/**
 * NFeRecepcaoEvento4 of the national environment (NT 2020.001 v1.50). Its own host serves the portal too and
 * asks for a certificate on this path only; www1 and hom1 ask in the handshake.
 */
export function criarEventos(meios: MeiosDoAn): Autoridade[] {
  const atende = (caminho: string): boolean => caminho.toLowerCase() === CAMINHO.toLowerCase()
  const processar = criarProcesso(meios)
  const responder: Autoridade['responder'] = async (pedido, resposta) => {
    const entrada = receber(servico, pedido)
    if ('recusa' in entrada) return enviar(entrada.recusa, resposta)
    const ambiente = ambienteDe(pedido.host)
    const resultado = await processar(ler(entrada), entrada.chamador, ambiente)
    const efeito = resultado.desfechos?.find((desfecho) => desfecho.efeito)?.efeito
    const retorno = escreverRetorno(resultado, ambiente, meios.agora())
    const saida = { resposta, conexao: pedido.conexao, ritmo: meios.ritmo }
    enviarComEfeitoNfe(efeito, estiloDoAn(entrada.soap), retorno, saida)
  }
  const nome = 'Ambiente Nacional: eventos de NF-e'
  return [
    { nome, hosts: [PRODUCAO], pedeCertificado: false, pedeCertificadoEm: atende, atende, responder },
    {
      nome: `${nome} (outros endereços)`,
      hosts: ['www1.nfe.fazenda.gov.br', 'hom1.nfe.fazenda.gov.br'],
      pedeCertificado: true,
      atende,
      responder,
    },
  ]
}

function criarProcesso(meios: MeiosDoAn) {
  const registrar = criarRegistro(
    meios,
    (meios.cadeia ?? []).map((pem) => new X509Certificate(pem)),
  )
  const bloqueio = criarBloqueio(meios.agora)
  const passou = criarContagem(meios.agora, RECUSAS)
  return async (leitura: Leitura, { documento }: Chamador, ambiente: TpAmb): Promise<Resultado> => {
    if (bloqueio.insiste(documento)) return { idLote: leitura.idLote, cStat: 656 }
    if ('cStat' in leitura) return leitura
    const { idLote, eventos, area } = leitura
    const desfechos: Desfecho[] = []
    for (const evento of eventos) {
      const desfecho = await registrar(evento, area, ambiente)
      if (DO_LOTE.includes(desfecho.cStat) && !desfecho.efeito) return { idLote, cStat: desfecho.cStat }
      const { id } = evento
      if (!desfecho.nProt && passou(`${documento} ${id} ${desfecho.cStat}`)) bloqueio.bloquear(documento)
      desfechos.push(desfecho)
    }
    return { idLote, cStat: 128, desfechos }
  }
}

/** nfeDadosMsg is the whole of the Body. */
function ler({ lida }: Entrada): Leitura {
  if (!lida) return { cStat: 402 }
  const { inicio, fim } = lida.entrada.conteudo
  return lerEnvEvento(lida.xml.slice(inicio, fim))
}
