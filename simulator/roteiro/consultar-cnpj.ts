import { exemplos } from '../mundo/exemplo.ts'
import { listContribuintes } from '../mundo/mundo.ts'
import { mascararCnpj, trocarUltimo } from './documento.ts'
import { certo, type Espera, type Linha, linhasDe, recusado } from './linha.ts'

/** Typed in from public facts, so it is in every base: the real one and the sample. */
const BANCO_DO_BRASIL = '00000000000191'

/** A live answer. */
const aoVivo: Espera = { http: 200, creditos: 3 }

/** What there is to try with GET /api/consultar-cnpj, on the sample base. */
export function linhasDeConsultarCnpj(): Linha[] {
  const e = exemplos()
  const cnpj = e.umaInscricao.get('SP') ?? ''
  const naoEncontrado: Espera = { http: 404, error_code: 'CNPJ_NAO_ENCONTRADO', creditos: 0 }
  return linhasDe('/api/consultar-cnpj', [
    [{ cnpj: BANCO_DO_BRASIL }, certo, 'órgão público conhecido'],
    [{ cnpj }, certo, 'empresa fictícia da base de amostra'],
    [{ cnpj: comLetras() }, certo, 'CNPJ com letras'],
    [{ cnpj: e.desconhecido }, naoEncontrado, 'CNPJ fora da base'],
    [{}, recusado('PARAMETRO_AUSENTE'), 'sem cnpj'],
    [{ cnpj: trocarUltimo(cnpj) }, recusado('DOCUMENTO_INVALIDO'), 'dígito verificador errado'],
    [{ cnpj: mascararCnpj(cnpj) }, recusado('DOCUMENTO_INVALIDO'), 'com pontuação'],
    [{ cnpj, force_fresh: 'talvez' }, recusado('PARAMETRO_INVALIDO'), 'force_fresh que não é sim nem não'],
    [{ cnpj, force_fresh: 'true' }, aoVivo, 'ao vivo, pelo contrato'],
    [{ cnpj: comLetras(), force_fresh: 'true' }, aoVivo, 'CNPJ com letras, ao vivo'],
    [{ cnpj: e.desconhecido, force_fresh: 'true' }, naoEncontrado, 'CNPJ que a Receita não tem'],
  ])
}

/** The world begins with the sample's establishments; other CNPJs with letters come after them. */
function comLetras(): string {
  return listContribuintes().find(({ documento }) => /[A-Z]/.test(documento))?.documento ?? ''
}
