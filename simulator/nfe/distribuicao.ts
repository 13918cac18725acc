import type { Autoridade } from '../platform/autoridade.ts'
import { enviar } from '../platform/mensagem.ts'
import { type Entrada, receber, type ServicoSoap } from '../platform/porta.ts'
import { AMBAS, ambienteDe, estiloDoAn, type MeiosDoAn } from './ambiente-nacional.ts'
import { type Leitura, lerDistDFeInt } from './distribuicao-pedido.ts'
import { enviarComEfeitoNfe } from './nacional.ts'
import { criarRegras } from './regras.ts'
import { escreverRetorno, WSDL } from './resposta.ts'
import type { Veredito } from './veredito.ts'

const PRODUCAO = 'www1.nfe.fazenda.gov.br'
const HOMOLOGACAO = 'hom1.nfe.fazenda.gov.br'
const CAMINHO = '/NFeDistribuicaoDFe/NFeDistribuicaoDFe.asmx'

const servico: ServicoSoap = {
  servico: 'NFeDistribuicaoDFe',
  wsdl: WSDL,
  operacao: 'nfeDistDFeInteresse',
  entradas: ['nfeDistDFeInteresse'],
  endereco: `https://${PRODUCAO}${CAMINHO}`,
  entende: AMBAS,
  motor: 'asp.net',
  estilo: estiloDoAn('1.2'),
}

/** NFeDistribuicaoDFe of the national environment, production and homologation (NT 2014.002 v1.21). */
export function criarDistribuicao(meios: MeiosDoAn): Autoridade {
  const julgar = criarRegras(meios)
  return {
    nome: 'Ambiente Nacional: distribuição de NF-e',
    hosts: [PRODUCAO, HOMOLOGACAO],
    pedeCertificado: true,
    atende: (caminho) => caminho.toLowerCase() === CAMINHO.toLowerCase(),
    async responder(pedido, resposta) {
      const entrada = receber(servico, pedido)
      if ('recusa' in entrada) return enviar(entrada.recusa, resposta)
      const ambiente = ambienteDe(pedido.host)
      const leitura = ler(entrada)
      const veredito: Veredito = 'cStat' in leitura ? leitura : julgar(leitura, entrada.chamador, ambiente)
      const { agora, escreverNfeProc, ritmo } = meios
      const retorno = await escreverRetorno(veredito, { ambiente, agora: agora(), escreverNfeProc })
      const saida = { resposta, conexao: pedido.conexao, ritmo }
      enviarComEfeitoNfe(veredito.efeito, estiloDoAn(entrada.soap), retorno, saida)
    },
  }
}

/** The operation's wrapper holds nfeDadosMsg, and that the message. */
function ler({ lida }: Entrada): Leitura {
  if (!lida) return { cStat: 402 }
  const [dados, ...resto] = lida.entrada.filhos
  if (dados?.nome !== 'nfeDadosMsg' || dados.namespace !== WSDL || resto.length > 0) return { cStat: 215 }
  return lerDistDFeInt(lida.xml.slice(dados.conteudo.inicio, dados.conteudo.fim), dados.filhos)
}
