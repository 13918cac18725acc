import { codigosUf } from '../documento/uf.ts'
import type { TpAmb } from '../nfe/ambiente-nacional.ts'
import type { Mensagem } from '../platform/mensagem.ts'
import { motivo } from '../platform/motivos.ts'
import { escreverEnvelope, versoesSoap } from '../platform/soap.ts'
import { escapar } from '../platform/xml.ts'
import { type MensagemDeStatus, mensagens } from './mensagem.ts'
import { acaso } from './quedas.ts'
import type { Veredito } from './regras.ts'
import type { Estilo, ServicoDeStatus } from './servicos.ts'

/** When, where and by which authorizer an answer is given. */
type Momento = { agora: Date; ambiente: TpAmb; propria: keyof typeof codigosUf }

/** The answer as the service writes it, in an envelope: retConsStatServ or retConsStatServCTe 4.00. */
export function escreverResposta(
  { doc, estilo }: Pick<ServicoDeStatus, 'doc' | 'estilo'>,
  veredito: Veredito,
  momento: Momento,
): Mensagem {
  return vestir(estilo, mensagens[doc], escreverCampos(estilo, veredito, momento, doc === 'cte'))
}

/**
 * Puts the fields of an answer 4.00 into its element, and that into an envelope, as the server writes
 * them.
 */
export function vestir(
  estilo: Estilo,
  { wsdl, namespace, retorno }: Pick<MensagemDeStatus, 'wsdl' | 'namespace' | 'retorno'>,
  campos: string,
): Mensagem {
  const { prefixoRetorno: prefixo, involucro } = estilo
  const xml = `<${retorno} versao="4.00" xmlns${prefixo && ':'}${prefixo}="${namespace}">${campos}</${retorno}>`
  const dentro = prefixo ? xml.replace(/<(\/?)(?=\w)/g, `<$1${prefixo}:`) : xml
  const texto = escreverEnvelope(estilo, `<${involucro} xmlns="${wsdl}">${dentro}</${involucro}>`)
  return {
    status: 200,
    cabecalhos: { 'content-type': `${versoesSoap[estilo.soap].tipo}; charset=utf-8` },
    corpo: Buffer.from(estilo.recuado ? texto.replaceAll('><', '>\n<') : texto),
  }
}

/** `xMotivo` of a verdict, without accents where the server strips them. */
export function escreverMotivo({ acentos }: Estilo, { cStat, texto, detalhe }: Veredito): string {
  const dito = `${texto ?? motivo(cStat, true)}${detalhe ? ` [${detalhe}]` : ''}`
  return acentos ? dito : dito.normalize('NFD').replace(/\p{M}/gu, '')
}

function escreverCampos(
  estilo: ServicoDeStatus['estilo'],
  veredito: Veredito,
  { agora, ambiente, propria }: Momento,
  isCte: boolean,
): string {
  const { cStat, cUF } = veredito
  const rejeicao = cStat >= 200
  const campos: readonly (readonly [nome: string, valor: string | undefined])[] = [
    ['tpAmb', ambiente],
    ['verAplic', estilo.verAplic],
    ['cStat', String(cStat)],
    ['xMotivo', escreverMotivo(estilo, veredito)],
    ['cUF', cUF ?? codigosUf[propria]],
    ['dhRecbto', comFuso(agora, estilo.fuso)],
    // The source of SVRS for the CT-e writes "1" with an error, and nothing inside the element with 215.
    ['tMed', rejeicao && isCte ? (cStat === 215 ? '' : '1') : rejeicao ? undefined : tMed(agora)],
  ]
  return campos
    .map(([nome, valor]) => (valor === undefined ? '' : `<${nome}>${escapar(valor)}</${nome}>`))
    .join('')
}

/** The mean of the last five minutes, in whole seconds: mostly 1. */
const tMed = (agora: Date): string => (acaso(Math.floor(agora.getTime() / 300_000)) < 0.9 ? '1' : '2')

/** An instant as a server of that offset writes it: `AAAA-MM-DDThh:mm:ss-03:00`. */
export function comFuso(agora: Date, fuso: '-03:00' | '-04:00'): string {
  const horas = Number.parseInt(fuso, 10)
  return new Date(agora.getTime() + horas * 3_600_000).toISOString().slice(0, 19) + fuso
}
