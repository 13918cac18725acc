import { writeInstante } from '../documento/dia.ts'
import type { Interessado } from '../platform/wire/certificado.ts'
import { child, children, textOf, type XmlNode } from '../platform/wire/xml.ts'
import { assinar, escapeText } from './assinatura.ts'
import { callNacional, NFE, type RespostaNacional, readCodigo } from './chamada.ts'
import { fontesNfe } from './fonte.ts'
import { type MeiosNfe, tpAmbOf } from './meios.ts'
import { type DesfechoDoEvento, type Evento, eventos } from './nfe.ts'

/**
 * An event, its author, and its signer: an RSA key (PEM, PKCS#8) with its certificate (PEM, leaf first). The
 * signer is the author, or another establishment of its company.
 */
export type PedidoDeEvento = { chave: string; evento: Evento; autor: Interessado; key: Buffer; cert: string }

const SERVICO = 'NFeRecepcaoEvento4'
/** The operation of the national environment. The states' services have `nfeRecepcaoEvento`. */
const OPERATION = 'nfeRecepcaoEventoNF'
const AMBIENTE_NACIONAL = '91'
/** This code is the lot's. The event's own code stands in its own part. */
const LOTE_PROCESSADO = '128'

/**
 * Signs an event and registers it (NFeRecepcaoEvento4 of the national environment: NT 2020.001 v1.50, 6;
 * envConfRecebto_v1.00.xsd). It is sent once, whatever happens, and answers the event's code, or the lot's;
 * throws SourceError as consultarChave does.
 */
export async function registrarEvento(meios: MeiosNfe, pedido: PedidoDeEvento): Promise<DesfechoDoEvento> {
  const resposta = await callNacional(meios, {
    fonte: fontesNfe.eventos,
    servico: SERVICO,
    operation: OPERATION,
    body: `<nfeDadosMsg xmlns="${NFE}/wsdl/${SERVICO}">${envEvento(meios, pedido)}</nfeDadosMsg>`,
    answer: 'retEnvEvento',
  })
  return readResposta(resposta, pedido)
}

/** The lot of one event. Its number is the time in milliseconds, and only we use it. */
function envEvento({ ambiente, now }: MeiosNfe, { chave, evento, autor, key, cert }: PedidoDeEvento): string {
  const { tpEvento, descEvento } = eventos[evento]
  const id = `ID${tpEvento}${chave}01`
  const agora = now()
  const dados = [
    element('cOrgao', AMBIENTE_NACIONAL),
    element('tpAmb', tpAmbOf(ambiente)),
    element(autor.tipo.toUpperCase(), autor.documento),
    element('chNFe', chave),
    element('dhEvento', writeInstante(agora)),
    element('tpEvento', tpEvento),
    element('nSeqEvento', '1'),
    element('verEvento', '1.00'),
    `<detEvento versao="1.00">${element('descEvento', descEvento)}</detEvento>`,
  ].join('')
  const canonico = `<infEvento xmlns="${NFE}" Id="${id}">${dados}</infEvento>`
  const infEvento = `<infEvento Id="${id}">${dados}</infEvento>`
  const signature = assinar({ canonico, id, key, cert })
  return `<envEvento xmlns="${NFE}" versao="1.00">${element('idLote', String(agora.getTime()))}<evento versao="1.00">${infEvento}${signature}</evento></envEvento>`
}

const element = (name: string, text: string): string => `<${name}>${escapeText(text)}</${name}>`

function readResposta(resposta: RespostaNacional, { chave, evento }: PedidoDeEvento): DesfechoDoEvento {
  const { answer, naoServe } = resposta
  const { tpEvento } = eventos[evento]
  const results = children(answer, 'retEvento').map((ret) => child(ret, 'infEvento'))
  // A rejection may leave out the note and the event (leiauteConfRecebto_v1.00.xsd).
  const isOurs = (result: XmlNode): boolean =>
    [chave, ''].includes(textOf(result, 'chNFe')) && [tpEvento, ''].includes(textOf(result, 'tpEvento'))
  const own = results.find(isOurs)
  if (results.length > 0 && own === undefined) throw naoServe('respondeu sobre outro evento')
  const codigo = readCodigo(own ?? answer, resposta)
  if (own === undefined && codigo.cStat === LOTE_PROCESSADO)
    throw naoServe('processou o lote e não disse o que houve com o evento')
  return { tipo: 'resposta', ...codigo }
}
