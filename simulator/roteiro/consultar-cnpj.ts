import { listContribuintes } from '../mundo/contribuinte.ts'
import { cnpjDesconhecido, trocarUltimo } from './escolha.ts'
import { type Linha, linha } from './linha.ts'

const CONSULTAR_CNPJ = '/api/consultar-cnpj'

/** Typed in from public facts, so it is in every base: the real one and the sample. */
const BANCO_DO_BRASIL = '00000000000191'

/** What there is to try with GET /api/consultar-cnpj, on the sample base. */
export function linhasDeConsultarCnpj(): Linha[] {
  const alfanumerico = listContribuintes().find(({ documento }) => /[A-Z]/.test(documento))?.documento ?? ''
  const achado = (cnpj: string, nota: string) => linha(CONSULTAR_CNPJ, { cnpj }, 200, nota)
  const erro = (parametros: Record<string, string>, error_code: string, nota: string) =>
    linha(CONSULTAR_CNPJ, parametros, 400, nota, error_code)
  return [
    achado(BANCO_DO_BRASIL, 'órgão público conhecido'),
    achado(primeiroDaAmostra(), 'empresa fictícia da base de amostra'),
    achado(alfanumerico, 'CNPJ com letras'),
    linha(CONSULTAR_CNPJ, { cnpj: cnpjDesconhecido() }, 404, 'CNPJ fora da base', 'CNPJ_NAO_ENCONTRADO'),
    erro({}, 'PARAMETRO_AUSENTE', 'sem cnpj'),
    erro({ cnpj: trocarUltimo(BANCO_DO_BRASIL) }, 'DOCUMENTO_INVALIDO', 'dígito verificador errado'),
    erro({ cnpj: '00.000.000/0001-91' }, 'DOCUMENTO_INVALIDO', 'com pontuação'),
    erro(
      { cnpj: BANCO_DO_BRASIL, force_fresh: 'talvez' },
      'PARAMETRO_INVALIDO',
      'force_fresh que não é sim nem não',
    ),
    linha(
      CONSULTAR_CNPJ,
      { cnpj: BANCO_DO_BRASIL, force_fresh: 'true' },
      503,
      'a consulta ao vivo ainda não está ligada',
      'SITE_INDISPONIVEL',
    ),
  ]
}

function primeiroDaAmostra(): string {
  const empresa = listContribuintes().find(
    ({ documento, inscricoes }) => /^99\d{12}$/.test(documento) && inscricoes.length > 0,
  )
  return empresa?.documento ?? ''
}
