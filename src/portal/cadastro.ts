import { formatDocumento, isMesmoNumero } from '../documento/documento.ts'
import type { Uf } from '../documento/uf.ts'
import { quoteOf } from '../platform/texto.ts'
import { RotaNaoAtende, type Source, SourceError } from '../platform/wire/fonte.ts'
import { callSoap, child, children, textOf, type XmlNode } from '../platform/wire/xml.ts'
import { documentoRecusado, failureOf } from './desfecho.ts'
import type { Certeza, Espera, Meios, Pergunta, Relato, RotaIe } from './estado.ts'
import { municipioDoIbge } from './inscricao.ts'
import { normalize } from './pagina.ts'
import { type Inscricao, tipoInscricao } from './rules-inscricao.ts'

type Asked = {
  uf: Uf
  pergunta: Pergunta
  source: Source
  elapsedMs: number
  relato?: Pick<Relato, 'rotulos'> | undefined
}

/** By its cStat (MOC 7.0, Anexo I): ApiError for 258, 260 and 263, RotaNaoAtende for 262. */
function readCadastro(answer: XmlNode, asked: Asked): Inscricao[] {
  const infCons = child(answer, 'infCons')
  const cStat = textOf(infCons, 'cStat')
  if (cStat === '111' || cStat === '112') return readFound(infCons, asked)
  if (cStat === '259' || cStat === '261' || cStat === '264') return checkedNone(infCons, asked)
  throw refusalOf(cStat, textOf(infCons, 'xMotivo'), asked)
}

function refusalOf(cStat: string, xMotivo: string, { uf, pergunta, source, elapsedMs }: Asked): Error {
  const words = `(cStat ${quoteOf(cStat) || 'ausente'}${xMotivo && `: ${quoteOf(xMotivo)}`})`
  const failure = (kind: 'http' | 'blocked' | 'parse', why: string, unavailable: boolean): SourceError =>
    new SourceError(kind, `${source.nome} ${why} ${words}.`, {
      source: source.id,
      elapsedMs,
      unavailable,
      codigo: `cStat ${quoteOf(cStat)}`,
    })
  switch (cStat) {
    case '258':
    case '260':
    case '263':
      return documentoRecusado(source, pergunta.tipo, ` ${words}`)
    case '262':
      return new RotaNaoAtende(
        `A SEFAZ-${uf} não oferece consulta por CPF neste serviço ${words}. Consulte pela inscrição estadual.`,
      )
    case '108':
    case '109':
      return failure('http', 'está com o serviço paralisado', true)
    case '257':
      return failure('blocked', 'não aceita o certificado do operador como o de um emissor de NF-e', true)
    case '656':
      return failure('blocked', 'está recusando consultas deste certificado por excesso de uso', true)
    case '':
      return failure('parse', 'respondeu sem o código do resultado', false)
    default:
      return failure('http', 'recusou a consulta', false)
  }
}

function readFound(infCons: XmlNode, asked: Asked): Inscricao[] {
  const echoed = checkEcho(infCons, asked)
  const found = children(infCons, 'infCad')
  if (found.length === 0) throw notUnderstood(asked, 'disse que achou inscrições e não enviou nenhuma')
  asked.relato?.rotulos(found.flatMap(foreignIn))
  return found.map((infCad) => {
    if (!isOf(infCad, asked.pergunta, echoed)) throw outroDocumento(asked)
    return toInscricao(infCad, asked)
  })
}

const ELEMENTS = new Set(
  'IE CNPJ CPF UF cSit indCredNFe indCredCTe xNome xFant xRegApur CNAE dIniAtiv dUltSit dBaixa IEUnica IEAtual ender xLgr nro xCpl xBairro cMun xMun CEP'.split(
    ' ',
  ),
)

/** They are only reported, because a schema may grow. */
const foreignIn = (infCad: XmlNode): string[] =>
  [infCad, child(infCad, 'ender')]
    .flatMap((node) => (typeof node === 'object' && node !== null ? Object.keys(node) : []))
    .filter((name) => !ELEMENTS.has(name))

function checkedNone(infCons: XmlNode, asked: Asked): Inscricao[] {
  checkEcho(infCons, asked)
  return []
}

/** Whether the answer repeats the document, as the schema requires; another one is a failure. */
function checkEcho(infCons: XmlNode, asked: Asked): boolean {
  const { tipo, documento } = asked.pergunta
  const echo = textOf(infCons, tipo.toUpperCase())
  if (echo && !isMesmoNumero(echo, documento)) throw outroDocumento(asked)
  return echo !== ''
}

/** An old number is answered under its new one (`IEAtual`, `IEUnica`). A person's may carry a CNPJ. */
function isOf(infCad: XmlNode, { tipo, documento }: Pergunta, echoed: boolean): boolean {
  const tags = tipo === 'ie' ? ['IE', 'IEAtual', 'IEUnica'] : [tipo.toUpperCase()]
  const numbers = tags.map((tag) => textOf(infCad, tag)).filter(Boolean)
  return numbers.length === 0 ? echoed : numbers.some((number) => isMesmoNumero(number, documento))
}

/** The schema lets a service drop the zeros on the left (`TCnpjVar`, `TCpfVar`, CNAE, CEP). */
const padded = (digits: string, width: number): string => (digits === '' ? '' : digits.padStart(width, '0'))

const situacaoNfe: Record<string, string> = {
  '0': 'NÃO CREDENCIADO',
  '1': 'CREDENCIADO',
  '2': 'CREDENCIADO COM OBRIGATORIEDADE PARA TODAS AS OPERAÇÕES',
  '3': 'CREDENCIADO COM OBRIGATORIEDADE PARCIAL',
  '4': 'NÃO INFORMADO PELA SEFAZ',
}

function situacaoOf(infCad: XmlNode, asked: Asked): { situacao_ie: string; situacao_cadastral: string } {
  const cSit = textOf(infCad, 'cSit')
  if (cSit === '1') return { situacao_ie: 'ATIVA', situacao_cadastral: 'HABILITADO' }
  if (cSit !== '0') throw notUnderstood(asked, 'enviou uma situação cadastral desconhecida')
  const situacao_ie = textOf(infCad, 'dBaixa') ? 'BAIXADA' : 'NÃO HABILITADA'
  return { situacao_ie, situacao_cadastral: 'NÃO HABILITADO' }
}

function toInscricao(infCad: XmlNode, asked: Asked): Inscricao {
  const text = (tag: string): string => textOf(infCad, tag)
  const ender = child(infCad, 'ender')
  const cpf_cnpj = padded(text('CNPJ'), 14) || padded(text('CPF'), 11)
  return {
    inscricao_estadual: text('IE'),
    razao_social: text('xNome'),
    nome_fantasia: text('xFant'),
    ...situacaoOf(infCad, asked),
    // The UF of the registration, whatever state its address is in (specification, "UF of the registration").
    uf_ie: asked.uf,
    tipo_ie: tipoInscricao({ documento: cpf_cnpj, cnae: padded(text('CNAE'), 7), uf: asked.uf }),
    logradouro: textOf(ender, 'xLgr'),
    complemento: textOf(ender, 'xCpl'),
    bairro: textOf(ender, 'xBairro'),
    numero: textOf(ender, 'nro'),
    municipio: textOf(ender, 'xMun') || municipioDoIbge(textOf(ender, 'cMun')),
    cep: padded(textOf(ender, 'CEP'), 8),
    data_situacao: text('dUltSit') || text('dBaixa'),
    data_inicio_atividade: text('dIniAtiv'),
    cnae_codigo: padded(text('CNAE'), 7),
    regime_apuracao_icms: text('xRegApur'),
    situacao_nfe: situacaoNfe[text('indCredNFe')] ?? '',
    cpf_cnpj: formatDocumento(cpf_cnpj),
    // This service does not tell these. The name of the activity is completed from the CNPJ base.
    regime_pagamento: '',
    situacao_contribuinte: '',
    cnae_descricao: '',
  }
}

function notUnderstood({ source, elapsedMs }: Asked, why: string): SourceError {
  return new SourceError('parse', `${source.nome} ${why}.`, { source: source.id, elapsedMs })
}

const outroDocumento = ({ source, elapsedMs, pergunta: { tipo } }: Asked): Error =>
  failureOf('outro-documento', { source, elapsedMs, tipo })

const NFE = 'http://www.portalfiscal.inf.br/nfe'
const NAMESPACE = `${NFE}/wsdl/CadConsultaCadastro4`
const OPERATION = 'consultaCadastro'
/** The other name of the action: open clients send it to MG, PE, PR, RS and SVRS (2026-06-23). */
const OTHER_ACTION = 'consultaCadastro4'

/** What leiauteConsultaCadastro_v2.00.xsd requires. The shortest answer has some 400 characters. */
const espera: Espera = {
  marca: 'infCad',
  minimo: 300,
  campos: ['inscricao_estadual', 'razao_social', 'situacao_ie'],
}

export type CadastroOptions = {
  producao: string
  homologacao: string
  /** The service wants the operation's own element around `nfeDadosMsg`. */
  wrapsInOperacao?: true
  /** The state's own page has no query by CPF, so the service probably answers 262. */
  refusesCpf?: true
  certeza: Certeza
  origem: string
  em: string
  nota?: string
}

/** CadConsultaCadastro4 (ConsCad 2.00; MOC 7.0, Anexo I), over SOAP 1.2 with the operator's certificate. */
export function cadastro(uf: Uf, options: CadastroOptions): RotaIe {
  const { producao, homologacao, wrapsInOperacao, refusesCpf, certeza, origem, em, nota } = options
  const source: Source = { id: `${uf}/ie`, nome: `A SEFAZ-${uf}` }

  async function ask(pergunta: Pergunta, meios: Meios): Promise<Inscricao[]> {
    const { http, certificado, ambiente, deadlineMs, relato } = meios
    if (!certificado) throw semCertificado(uf)
    const ends = performance.now() + deadlineMs
    const callAs = (operation: string) =>
      callSoap(http, {
        source,
        url: ambiente === 'producao' ? producao : homologacao,
        namespace: NAMESPACE,
        operation,
        body: wrapsInOperacao ? inOperation(consCad(uf, pergunta)) : inDados(consCad(uf, pergunta)),
        answer: 'retConsCad',
        certificate: certificado,
        deadlineMs: Math.max(1, ends - performance.now()),
      })
    const { answer, elapsedMs, text } = await callAs(OPERATION).catch((error: unknown) => {
      const isAction = error instanceof SourceError && error.codigo === 'soap-action'
      if (isAction) return callAs(OTHER_ACTION)
      throw error
    })
    relato?.pagina(() => normalize(text()))
    return readCadastro(answer, { uf, pergunta, source, elapsedMs, relato })
  }

  return {
    familia: 'cadastro',
    source,
    url: producao,
    aceita: ['cnpj', 'cpf', 'ie'],
    captcha: 'nenhum',
    certificado: true,
    ...(refusesCpf && { refusesCpf }),
    espera,
    certeza,
    origem,
    em,
    ...(nota !== undefined && { nota }),
    ask,
  }
}

const inDados = (message: string): string => `<nfeDadosMsg xmlns="${NAMESPACE}">${message}</nfeDadosMsg>`
const inOperation = (message: string): string =>
  `<${OPERATION} xmlns="${NAMESPACE}"><nfeDadosMsg>${message}</nfeDadosMsg></${OPERATION}>`

/** Throws RotaNaoAtende for a number that does not fit the message's schema. */
function consCad(uf: Uf, { tipo, documento }: Pergunta): string {
  if (tipo === 'ie' && !/^[0-9]{2,14}$/.test(documento)) {
    throw new RotaNaoAtende(
      `O serviço de consulta da SEFAZ-${uf} só recebe inscrições formadas de dígitos. Consulte pelo CNPJ ou pelo CPF.`,
    )
  }
  const tag = tipo.toUpperCase()
  return `<ConsCad xmlns="${NFE}" versao="2.00"><infCons><xServ>CONS-CAD</xServ><UF>${uf}</UF><${tag}>${documento}</${tag}></infCons></ConsCad>`
}

function semCertificado(uf: Uf): RotaNaoAtende {
  return new RotaNaoAtende(
    `A SEFAZ-${uf} só responde a quem apresenta um certificado digital, e este serviço está sem o do operador (A1_FILE).`,
  )
}

/** The registry service of SEFAZ Virtual do RS. It answers for RS, and for AC, ES, PB, RN and SC. */
export const cadastroSvrs = (uf: Uf, nota?: string): RotaIe =>
  cadastro(uf, {
    producao: 'https://cad.svrs.rs.gov.br/ws/cadconsultacadastro/cadconsultacadastro4.asmx',
    homologacao: 'https://cad-homologacao.svrs.rs.gov.br/ws/cadconsultacadastro/cadconsultacadastro4.asmx',
    certeza: 'verificado',
    origem: 'Portal Nacional da NF-e, lista de web services',
    em: '2026-09-18',
    ...(nota !== undefined && { nota }),
  })
