import type { Uf } from '../documento/uf.ts'
import type { Source } from '../platform/wire/fonte.ts'
import { RotaNaoAtende, SourceError } from '../platform/wire/fonte.ts'
import { callSoap } from '../platform/wire/soap.ts'
import { readCadastro } from './cadastro.ts'
import type { Certeza, Espera, Meios, Pergunta, RotaIe } from './estado.ts'
import { normalize } from './pagina.ts'
import type { Inscricao } from './rules-inscricao.ts'

const NFE = 'http://www.portalfiscal.inf.br/nfe'
const NAMESPACE = `${NFE}/wsdl/CadConsultaCadastro4`
const OPERATION = 'consultaCadastro'
/**
 * The other name of the action. Open clients in production send it to MG, PE, PR, RS and SVRS (2026-06-23).
 */
const OTHER_ACTION = 'consultaCadastro4'

/**
 * The schema requires this of every service (leiauteConsultaCadastro_v2.00.xsd). The shortest answer has some
 * 400 characters of XML.
 */
const espera: Espera = {
  marca: 'infCad',
  minimo: 300,
  campos: ['inscricao_estadual', 'razao_social', 'situacao_ie'],
}

/** The options of the service in a state's file. */
export type CadastroOptions = {
  producao: string
  homologacao: string
  /** The service wants the operation's own element around `nfeDadosMsg`. */
  envolveNaOperacao?: true
  /** The state's own page has no query by CPF, so the service probably answers 262. */
  recusaCpf?: true
  certeza: Certeza
  origem: string
  em: string
  nota?: string
}

/**
 * The web service CadConsultaCadastro4 (ConsCad 2.00: leiauteConsultaCadastro_v2.00.xsd; MOC 7.0, Anexo I).
 * It is asked over SOAP 1.2 with the operator's certificate.
 */
export function cadastro(uf: Uf, options: CadastroOptions): RotaIe {
  const { producao, homologacao, envolveNaOperacao, recusaCpf, certeza, origem, em, nota } = options
  const source: Source = { id: `${uf}/ie`, nome: `A SEFAZ-${uf}` }

  async function consultar(pergunta: Pergunta, meios: Meios): Promise<Inscricao[]> {
    const { http, certificado, ambiente, deadlineMs, relato } = meios
    if (!certificado) throw semCertificado(uf)
    const ends = performance.now() + deadlineMs
    const callAs = (operation: string) =>
      callSoap(http, {
        source,
        url: ambiente === 'producao' ? producao : homologacao,
        namespace: NAMESPACE,
        operation,
        body: envolveNaOperacao ? inOperation(consCad(uf, pergunta)) : inDados(consCad(uf, pergunta)),
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
    ...(recusaCpf && { recusaCpf }),
    espera,
    certeza,
    origem,
    em,
    ...(nota !== undefined && { nota }),
    consultar,
  }
}

const inDados = (message: string): string => `<nfeDadosMsg xmlns="${NAMESPACE}">${message}</nfeDadosMsg>`
const inOperation = (message: string): string =>
  `<${OPERATION} xmlns="${NAMESPACE}"><nfeDadosMsg>${message}</nfeDadosMsg></${OPERATION}>`

/**
 * Writes the message, with nothing between its tags. Throws RotaNaoAtende for a number that does not fit its
 * schema.
 */
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
