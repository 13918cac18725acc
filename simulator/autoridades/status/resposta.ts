import type { Mensagem } from '../../gateway/mensagem.ts'
import { acaso } from '../../sefaz/quedas.ts'
import { motivo } from '../motivos.ts'
import type { TpAmb } from '../nacional/ambiente-nacional.ts'
import { escreverEnvelope, versoesSoap } from '../soap.ts'
import { codigosUf } from '../uf.ts'
import { escapar } from '../xml.ts'
import { mensagens } from './mensagem.ts'
import type { Veredito } from './regras.ts'
import type { ServicoDeStatus } from './servicos.ts'

/** When, where and by which authorizer an answer is given. */
type Momento = { agora: Date; ambiente: TpAmb; propria: keyof typeof codigosUf }

/** The answer as the service writes it, in an envelope: retConsStatServ or retConsStatServCTe 4.00. */
export function escreverResposta(
  { doc, estilo }: Pick<ServicoDeStatus, 'doc' | 'estilo'>,
  veredito: Veredito,
  momento: Momento,
): Mensagem {
  const { wsdl, namespace, retorno } = mensagens[doc]
  const { prefixoRetorno: prefixo, involucro } = estilo
  const xml = `<${retorno} versao="4.00" xmlns${prefixo && ':'}${prefixo}="${namespace}">${escreverCampos(estilo, veredito, momento, doc === 'cte')}</${retorno}>`
  const dentro = prefixo ? xml.replace(/<(\/?)(?=\w)/g, `<$1${prefixo}:`) : xml
  const texto = escreverEnvelope(estilo, `<${involucro} xmlns="${wsdl}">${dentro}</${involucro}>`)
  return {
    status: 200,
    cabecalhos: { 'content-type': `${versoesSoap[estilo.soap].tipo}; charset=utf-8` },
    corpo: Buffer.from(estilo.recuado ? texto.replaceAll('><', '>\n<') : texto),
  }
}

function escreverCampos(
  estilo: ServicoDeStatus['estilo'],
  { cStat, cUF, texto, detalhe }: Veredito,
  { agora, ambiente, propria }: Momento,
  isCte: boolean,
): string {
  const rejeicao = cStat >= 200
  const dito = `${texto ?? motivo(cStat, true)}${detalhe ? ` [${detalhe}]` : ''}`
  const campos: readonly (readonly [nome: string, valor: string | undefined])[] = [
    ['tpAmb', ambiente],
    ['verAplic', estilo.verAplic],
    ['cStat', String(cStat)],
    ['xMotivo', estilo.acentos ? dito : dito.normalize('NFD').replace(/\p{M}/gu, '')],
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

function comFuso(agora: Date, fuso: '-03:00' | '-04:00'): string {
  const horas = Number.parseInt(fuso, 10)
  return new Date(agora.getTime() + horas * 3_600_000).toISOString().slice(0, 19) + fuso
}
