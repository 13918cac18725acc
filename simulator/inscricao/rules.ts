import { comFuso } from '../documento/dia.ts'
import { tipoDoDocumento } from '../documento/documento.ts'
import { checkInscricao, isUf } from '../documento/inscricao-estadual.ts'
import { codigosUf, type Uf } from '../documento/uf.ts'
import { type Efeito, efeitoEm, OUTRO_DOCUMENTO } from '../mundo/comportamento.ts'
import type { Inscricao, Ocorrencia } from '../mundo/contribuinte.ts'
import { contribuinteComportado } from '../mundo/efeito.ts'
import { findByInscricao, listOcorrencias } from '../mundo/mundo.ts'
import type { Chamador, Mensagem } from '../platform/autoridade.ts'
import { motivo } from '../platform/motivos.ts'
import { atributosDe, checkTexto, isFolha, semTexto, versoesSoap, writeEnvelope } from '../platform/soap.ts'
import { type Elemento, escapeXml, NFE, walk } from '../platform/xml.ts'
import { findComportamentoEm } from '../portal/registro.ts'
import { type Estilo, type Servico, WSDL } from './servicos.ts'

export type Consulta = { uf: Uf | 'SU'; campo: 'CNPJ' | 'CPF' | 'IE'; numero: string }

/** The query when it is right, else the code of its rejection and what could be read. */
export type Leitura = Consulta | { cStat: number; lido: Partial<Consulta> }

const formatos = {
  // Letters since 2026-07 (NT Conjunta 2025.001; the newest published schema of ConsCad 2.00, PL_010 V1.30).
  CNPJ: /^(?:\d{3,14}|[A-Z0-9]{12}\d{2})$/,
  CPF: /^\d{3,11}$/,
  IE: /^(?:\d{2,14}|ISENTO)$/,
} as const

/**
 * 404, 587, 588, 516, 517, 239, 215 (MOC, "Validação da Área de Dados"; the schema of version 2.00).
 * That the specific codes come before 215 is assumed.
 */
export function readConsCad(area: string, elementos: readonly Elemento[]): Leitura {
  const todos = elementos.flatMap(walk)
  const lido = readPossivel(todos)
  const cStat = checkTexto(area, elementos) ?? checkRaiz(elementos)
  if (cStat) return { cStat, lido }
  return readEsquema(elementos) ?? { cStat: 215, lido }
}

function checkRaiz([raiz, ...resto]: readonly Elemento[]): number | undefined {
  if (raiz?.nome !== 'ConsCad' || resto.length > 0) return 516
  const { versao } = raiz.atributos
  if (versao === undefined) return 517
  return versao.trim() === '2.00' ? undefined : 239
}

function readEsquema([raiz]: readonly Elemento[]): Consulta | undefined {
  const infCons = raiz?.filhos[0]
  if (!raiz || !infCons || infCons.nome !== 'infCons' || raiz.filhos.length > 1) return undefined
  const [xServ, uf, argumento, ...resto] = infCons.filhos
  const ordem = xServ?.nome === 'xServ' && uf?.nome === 'UF' && argumento !== undefined && resto.length === 0
  const folhas = infCons.filhos.every(isFolha)
  const soltos = atributosDe(infCons).length > 0 || !semTexto(raiz) || !semTexto(infCons)
  if (!ordem || !folhas || soltos || xServ.texto !== 'CONS-CAD') return undefined
  const { nome: campo, texto: numero } = argumento
  const sigla = uf.texto.trim()
  if (!isCampo(campo) || !formatos[campo].test(numero) || !(isUf(sigla) || sigla === 'SU')) return undefined
  return { uf: sigla, campo, numero }
}

const isCampo = (nome: string): nome is Consulta['campo'] => Object.hasOwn(formatos, nome)

/** The parts of a wrong message that a rejection can repeat. */
function readPossivel(todos: readonly Elemento[]): Partial<Consulta> {
  const lido: Partial<Consulta> = {}
  for (const { nome, texto } of todos) {
    if (nome === 'UF' && isUf(texto)) lido.uf = texto
    if (!isCampo(nome) || !formatos[nome].test(texto)) continue
    lido.campo = nome
    lido.numero = texto
  }
  return lido
}

export type Resultado = { cStat: number; lido: Partial<Consulta>; ocorrencias?: readonly Ocorrencia[] }

/**
 * retConsCad 2.00. Where no state and number could be read: the service's first state and a CNPJ of zeros
 * (assumed).
 */
export function writeResposta(servico: Servico, resultado: Resultado, agora: Date): Mensagem {
  const { estilo } = servico
  const retorno = writeRetorno(servico, resultado, agora)
  const entrada = `<nfeResultMsg xmlns="${WSDL}">${retorno}</nfeResultMsg>`
  const texto = writeEnvelope(estilo, entrada)
  return {
    status: 200,
    cabecalhos: { 'content-type': `${versoesSoap[estilo.soap].tipo}${estilo.parametros}` },
    corpo: Buffer.from(estilo.recuado ? moveBack(texto) : texto),
  }
}

function writeRetorno({ ufs, estilo }: Servico, resultado: Resultado, agora: Date): string {
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
    ...ocorrencias.map((ocorrencia) => writeInfCad(estilo, ocorrencia)),
  ].join('')
  const prefixo = estilo.prefixoRetorno
  const xml = `<retConsCad versao="${estilo.versao}" xmlns${prefixo && ':'}${prefixo}="${NFE}"><infCons>${infCons}</infCons></retConsCad>`
  return prefixo ? xml.replace(/<(\/?)(?=\w)/g, `<$1${prefixo}:`) : xml
}

function writeInfCad(estilo: Estilo, { contribuinte, inscricao }: Ocorrencia): string {
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
    completos && writeEndereco(inscricao.endereco),
  ])
}

const writeEndereco = (endereco: Inscricao['endereco']): string =>
  grupo('ender', [
    campo('xLgr', endereco.logradouro, 255),
    campo('nro', endereco.numero),
    campo('xCpl', endereco.complemento),
    campo('xBairro', endereco.bairro),
    campo('cMun', endereco.codigoMunicipio),
    campo('xMun', endereco.municipio),
    campo('CEP', endereco.cep),
  ])

/** An element of at most that many characters; nothing when there is no text. */
function campo(nome: string, valor: string | number | undefined, tamanho = 60): string {
  const texto = String(valor ?? '')
    .slice(0, tamanho)
    .trim()
  return texto && `<${nome}>${escapeXml(texto)}</${nome}>`
}

const grupo = (nome: string, partes: readonly (string | false)[]): string =>
  `<${nome}>${partes.filter(Boolean).join('')}</${nome}>`

/** Line breaks and indentation between tags, as a pretty-printing server sends them. */
function moveBack(xml: string): string {
  let nivel = 0
  return xml.replace(/<([/?]?)[^>]*>/g, (marca: string, sinal: string, posicao: number) => {
    if (sinal === '/') nivel -= 1
    const quebra = xml[posicao - 1] === '>' ? `\n${'  '.repeat(nivel)}` : ''
    if (sinal === '') nivel += 1
    return quebra + marca
  })
}

export type Veredito = { resultado: Resultado; efeito?: Efeito | undefined }

// A company's certificate counts as an issuer's. How the register of issuers takes an e-CPF is not known.
/** Rules K01 to K08 in the manual's order (MOC 6.00, 4.7.7.2). */
export function applyRegras(servico: Servico, consulta: Consulta, chamador: Chamador): Veredito {
  const { uf } = consulta
  const atendida = servico.ufs.find((sigla) => sigla === uf)
  const reject = (cStat: number): Veredito => ({ resultado: { cStat, lido: consulta } })
  if (!atendida) return reject(265)
  if (chamador.tipo === 'cpf') return reject(257)
  const invalido = checkNumero(servico, atendida, consulta)
  if (invalido) return reject(invalido)
  const comportamento = findComportamentoEm(atendida, emUso(atendida, consulta.numero))
  if (comportamento) {
    const efeito = efeitoEm(comportamento.efeito, atendida, 'ws')
    return { efeito, resultado: behave(efeito, comportamento.documento, atendida, consulta) }
  }
  const ocorrencias = search(atendida, consulta)
  if (ocorrencias.length === 0) return reject({ CNPJ: 259, IE: 261, CPF: 264 }[consulta.campo])
  return { resultado: find(consulta, ocorrencias) }
}

function checkNumero({ estilo }: Servico, uf: Uf, { campo, numero }: Consulta): number | undefined {
  switch (campo) {
    case 'CNPJ':
      return tipoDoDocumento(numero.padStart(14, '0')) ? undefined : 258
    case 'IE':
      return checkInscricao(uf, emUso(uf, numero)) ? undefined : 260
    case 'CPF':
      if (!estilo.consultaCpf) return 262
      return tipoDoDocumento(numero.padStart(11, '0')) ? undefined : 263
  }
}

function search(uf: Uf, { campo, numero }: Consulta): Ocorrencia[] {
  if (campo !== 'IE') return listOcorrencias(uf, numero.padStart(campo === 'CNPJ' ? 14 : 11, '0'))
  const ie = emUso(uf, numero)
  const contribuinte = findByInscricao(uf, ie)
  const inscricao = contribuinte?.inscricoes.find((sua) => sua.uf === uf && sua.ie === ie)
  return contribuinte && inscricao ? [{ contribuinte, inscricao }] : []
}

/** MT's rule has two leading zeros that its own answers leave out. */
const emUso = (uf: Uf, numero: string): string => (uf === 'MT' ? numero.replace(/^00(?=\d{9}$)/, '') : numero)

const find = (lido: Consulta, ocorrencias: readonly Ocorrencia[]): Resultado => ({
  cStat: ocorrencias.length > 1 ? 112 : 111,
  lido,
  ocorrencias,
})

/** The effects that change what is said. The others are said rightly and sent wrongly. */
function behave(efeito: Efeito | undefined, documento: string, uf: Uf, consulta: Consulta): Resultado {
  if (efeito?.tipo === 'codigo') return { cStat: efeito.cStat, lido: consulta }
  const pelaInscricao = consulta.campo === 'IE'
  const quantas = efeito?.tipo === 'muitas' && !pelaInscricao ? efeito.quantas : 1
  const contribuinte = contribuinteComportado(
    efeito?.tipo === 'outro' ? OUTRO_DOCUMENTO : documento,
    uf,
    quantas,
  )
  const lido = pelaInscricao ? consulta : { ...consulta, numero: contribuinte.documento }
  return find(
    lido,
    contribuinte.inscricoes.map((inscricao) => ({
      contribuinte,
      inscricao: efeito?.tipo === 'municipio-sem-nome' ? semNomeDoMunicipio(inscricao) : inscricao,
    })),
  )
}

/** The schema has xMun and cMun, both optional (leiauteConsultaCadastro_v2.00.xsd). */
const semNomeDoMunicipio = (inscricao: Inscricao): Inscricao => ({
  ...inscricao,
  endereco: { ...inscricao.endereco, municipio: '' },
})
