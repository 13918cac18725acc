import { listContribuintes } from '../mundo/contribuinte.ts'
import { exemplos } from '../mundo/exemplo.ts'
import { mascararCnpj, trocarUltimo } from './documento.ts'
import { type Linha, linha } from './linha.ts'

const CONSULTAR_CNPJ = '/api/consultar-cnpj'

/** Typed in from public facts, so it is in every base: the real one and the sample. */
const BANCO_DO_BRASIL = '00000000000191'

/** What there is to try with GET /api/consultar-cnpj, on the sample base. */
export function linhasDeConsultarCnpj(): Linha[] {
  const e = exemplos()
  const cnpj = e.umaInscricao.get('SP') ?? ''
  const achado = (documento: string, nota: string) => linha(CONSULTAR_CNPJ, { cnpj: documento }, 200, nota)
  const erro = (parametros: Record<string, string>, error_code: string, nota: string) =>
    linha(CONSULTAR_CNPJ, parametros, 400, nota, error_code)
  return [
    achado(BANCO_DO_BRASIL, 'órgão público conhecido'),
    achado(cnpj, 'empresa fictícia da base de amostra'),
    achado(comLetras(), 'CNPJ com letras'),
    linha(CONSULTAR_CNPJ, { cnpj: e.desconhecido }, 404, 'CNPJ fora da base', 'CNPJ_NAO_ENCONTRADO'),
    erro({}, 'PARAMETRO_AUSENTE', 'sem cnpj'),
    erro({ cnpj: trocarUltimo(cnpj) }, 'DOCUMENTO_INVALIDO', 'dígito verificador errado'),
    erro({ cnpj: mascararCnpj(cnpj) }, 'DOCUMENTO_INVALIDO', 'com pontuação'),
    erro({ cnpj, force_fresh: 'talvez' }, 'PARAMETRO_INVALIDO', 'force_fresh que não é sim nem não'),
    linha(
      CONSULTAR_CNPJ,
      { cnpj, force_fresh: 'true' },
      503,
      'a consulta ao vivo ainda não está ligada',
      'SITE_INDISPONIVEL',
    ),
  ]
}

/** The world begins with the sample's establishments; other CNPJs with letters come after them. */
function comLetras(): string {
  return listContribuintes().find(({ documento }) => /[A-Z]/.test(documento))?.documento ?? ''
}
