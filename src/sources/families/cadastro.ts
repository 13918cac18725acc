import { ApiError } from '../../domain/errors.ts'
import type { Inscricao } from '../../domain/inscricao.ts'
import { SourceError } from '../../domain/source-error.ts'
import type { Uf } from '../../domain/uf.ts'
import type { Certeza, Meios, Pergunta, RotaIe } from '../estado.ts'
import { callSoap } from '../soap.ts'
import type { Source } from '../transport.ts'
import { readCadastro } from './cadastro-resposta.ts'

const NFE = 'http://www.portalfiscal.inf.br/nfe'
const NAMESPACE = `${NFE}/wsdl/CadConsultaCadastro4`

/** What a state's file says of its service. */
export type CadastroOptions = {
  producao: string
  homologacao: string
  /** The service wants a second `nfeDadosMsg` around the message. */
  envolveDuasVezes?: true
  certeza: Certeza
  origem: string
  em: string
}

/**
 * The web service CadConsultaCadastro4 (ConsCad 2.00: leiauteConsultaCadastro_v2.00.xsd; MOC 7.0, Anexo I), asked over
 * SOAP 1.2 with the operator's certificate.
 */
export function cadastro(uf: Uf, options: CadastroOptions): RotaIe {
  const { producao, homologacao, envolveDuasVezes, certeza, origem, em } = options
  const source: Source = { id: `${uf}/ie`, nome: `A SEFAZ-${uf}` }

  async function consultar(pergunta: Pergunta, meios: Meios): Promise<Inscricao[]> {
    const { http, certificado, ambiente, deadlineMs, signal } = meios
    if (!certificado) throw semCertificado(source)
    const message = consCad(uf, pergunta)
    const { answer, elapsedMs } = await callSoap(http, {
      source,
      url: ambiente === 'producao' ? producao : homologacao,
      namespace: NAMESPACE,
      operation: 'consultaCadastro',
      body: `<nfeDadosMsg xmlns="${NAMESPACE}">${envolveDuasVezes ? `<nfeDadosMsg>${message}</nfeDadosMsg>` : message}</nfeDadosMsg>`,
      answer: 'retConsCad',
      certificate: certificado,
      deadlineMs,
      signal,
    })
    return readCadastro(answer, { uf, pergunta, source, elapsedMs })
  }

  return { familia: 'cadastro', source, certeza, origem, em, consultar }
}

/** The message, with nothing between its tags. Throws ApiError for a number that its schema has no room for. */
function consCad(uf: Uf, { tipo, documento }: Pergunta): string {
  if (tipo === 'ie' && !/^[0-9]{2,14}$/.test(documento)) {
    const detail = `O serviço de consulta da SEFAZ-${uf} só recebe inscrições formadas de dígitos, e outra rota ainda não está ligada. Consulte pelo CNPJ ou pelo CPF. Nada foi cobrado.`
    throw new ApiError('SITE_INDISPONIVEL', detail)
  }
  const tag = tipo.toUpperCase()
  return `<ConsCad xmlns="${NFE}" versao="2.00"><infCons><xServ>CONS-CAD</xServ><UF>${uf}</UF><${tag}>${documento}</${tag}></infCons></ConsCad>`
}

function semCertificado(source: Source): SourceError {
  const message = `${source.nome} só responde a quem apresenta um certificado digital, e este serviço está sem o do operador (A1_FILE).`
  return new SourceError('blocked', message, { source: source.id, elapsedMs: 0 })
}
