import { codigosUf } from '../documento/uf.ts'
import type { Inscricao, Ocorrencia } from '../mundo/contribuinte.ts'
import type { Mensagem } from '../platform/mensagem.ts'
import { motivo } from '../platform/motivos.ts'
import { NFE } from '../platform/nfe-xml.ts'
import { escreverEnvelope, versoesSoap } from '../platform/soap.ts'
import { escapar } from '../platform/xml.ts'
import type { Consulta } from './pedido.ts'
import { type Estilo, type Servico, WSDL } from './servico.ts'

/** What a service answers: the code, what was asked, and the registrations found. */
export type Resultado = { cStat: number; lido: Partial<Consulta>; ocorrencias?: readonly Ocorrencia[] }

/**
 * The answer as the service writes it: a retConsCad 2.00 (leiauteConsultaCadastro_v2.00.xsd) in nfeResultMsg,
 * in an envelope. The schema wants a state and a number even when none could be read: then the service's
 * first state and a CNPJ of zeros (assumed).
 */
export function escreverResposta(servico: Servico, resultado: Resultado, agora: Date): Mensagem {
  const { estilo } = servico
  const retorno = escreverRetorno(servico, resultado, agora)
  const entrada = `<nfeResultMsg xmlns="${WSDL}">${retorno}</nfeResultMsg>`
  const texto = escreverEnvelope(estilo, entrada)
  return {
    status: 200,
    cabecalhos: { 'content-type': `${versoesSoap[estilo.soap].tipo}${estilo.parametros}` },
    corpo: Buffer.from(estilo.recuado ? recuar(texto) : texto),
  }
}

function escreverRetorno({ ufs, estilo }: Servico, resultado: Resultado, agora: Date): string {
  const { cStat, lido, ocorrencias = [] } = resultado
  const propria = ufs[0] ?? 'RS'
  const uf = lido.uf ?? propria
  const infCons = [
    campo('verAplic', estilo.verAplic),
    campo('cStat', cStat),
    campo('xMotivo', motivo(cStat, estilo.acentos), 255),
    campo('UF', uf),
    campo(lido.campo ?? 'CNPJ', lido.numero ?? '0'.repeat(14)),
    campo('dhCons', comFuso(agora, estilo.fuso)),
    campo('cUF', codigosUf[uf === 'SU' ? propria : uf]),
    ...ocorrencias.map((ocorrencia) => escreverInfCad(estilo, ocorrencia)),
  ].join('')
  const prefixo = estilo.prefixoRetorno
  const xml = `<retConsCad versao="${estilo.versao}" xmlns${prefixo && ':'}${prefixo}="${NFE}"><infCons>${infCons}</infCons></retConsCad>`
  return prefixo ? xml.replace(/<(\/?)(?=\w)/g, `<$1${prefixo}:`) : xml
}

function escreverInfCad(estilo: Estilo, { contribuinte, inscricao }: Ocorrencia): string {
  const { documento, nome, fantasia } = contribuinte
  const completos = estilo.campos === 'completos'
  const parciais = completos || estilo.campos === 'medios'
  const credenciamento = (valor: string | number) => (estilo.credenciamento ? valor : 4)
  return grupo('infCad', [
    campo('IE', inscricao.ie.replace(/\D/g, '')),
    campo(documento.length === 11 ? 'CPF' : 'CNPJ', documento),
    // A tax substitute is located in another state than the one it is registered in.
    campo('UF', inscricao.endereco.uf),
    campo('cSit', inscricao.situacao === 'habilitado' ? 1 : 0),
    campo('indCredNFe', credenciamento(inscricao.credenciamentoNfe)),
    campo('indCredCTe', credenciamento(inscricao.credenciamentoCte)),
    campo('xNome', nome),
    parciais && campo('xFant', fantasia),
    completos && campo('xRegApur', inscricao.regimeApuracao),
    parciais && campo('CNAE', inscricao.cnae),
    parciais && campo('dIniAtiv', inscricao.inicio, 10),
    parciais && campo('dUltSit', inscricao.ultimaSituacao, 10),
    parciais && campo('dBaixa', inscricao.baixa, 10),
    completos && campo('IEUnica', inscricao.ieUnica),
    completos && campo('IEAtual', inscricao.ieAtual),
    completos && escreverEndereco(inscricao.endereco),
  ])
}

function escreverEndereco(endereco: Inscricao['endereco']): string {
  return grupo('ender', [
    campo('xLgr', endereco.logradouro, 255),
    campo('nro', endereco.numero),
    campo('xCpl', endereco.complemento),
    campo('xBairro', endereco.bairro),
    campo('cMun', endereco.codigoMunicipio),
    campo('xMun', endereco.municipio),
    campo('CEP', endereco.cep),
  ])
}

/** An element of at most that many characters; nothing when there is no text. */
function campo(nome: string, valor: string | number | undefined, tamanho = 60): string {
  const texto = String(valor ?? '')
    .slice(0, tamanho)
    .trim()
  return texto && `<${nome}>${escapar(texto)}</${nome}>`
}

function grupo(nome: string, partes: readonly (string | false)[]): string {
  return `<${nome}>${partes.filter(Boolean).join('')}</${nome}>`
}

function comFuso(agora: Date, fuso: Estilo['fuso']): string {
  const horas = Number.parseInt(fuso, 10)
  return new Date(agora.getTime() + horas * 3_600_000).toISOString().slice(0, 19) + fuso
}

/** Line breaks and indentation between tags, as a pretty-printing server sends them. */
function recuar(xml: string): string {
  let nivel = 0
  return xml.replace(/<([/?]?)[^>]*>/g, (marca: string, sinal: string, posicao: number) => {
    if (sinal === '/') nivel -= 1
    const quebra = xml[posicao - 1] === '>' ? `\n${'  '.repeat(nivel)}` : ''
    if (sinal === '') nivel += 1
    return quebra + marca
  })
}
