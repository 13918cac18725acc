import { exemplos } from '../mundo/exemplo.ts'
import { listContribuintes } from '../mundo/mundo.ts'
import { OUTRA } from '../platform/icp/catalogo.ts'
import { comReserva, federal, mascararCnpj, trocarUltimo } from './documento.ts'
import { certo, type Espera, type Linha, linhasDe, recusado, type Tentativa } from './linha.ts'

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
    [{ cnpj: OUTRA.documento }, naoEncontrado, 'empresa que a base de amostra não tem'],
    [{ cnpj: OUTRA.documento, force_fresh: 'true' }, aoVivo, 'a mesma, ao vivo'],
    ...aoVivoPorDocumento().map(
      ([cnpj, espera, nota]): Tentativa => [{ cnpj, force_fresh: 'true' }, espera, nota],
    ),
  ])
}

/** The world begins with the sample's establishments; other CNPJs with letters come after them. */
function comLetras(): string {
  return listContribuintes().find(({ documento }) => /[A-Z]/.test(documento))?.documento ?? ''
}

/** The companies of SERPRO's trial, those out of the ordinary, and misbehaviours: no five fail in a row. */
function aoVivoPorDocumento(): PorDocumento[] {
  const falhou: Espera = { http: 502, error_code: 'RF_LIVE_ERROR', creditos: 0 }
  const cenario = (nome: string, espera: Espera) => comEspera(federal(nome), espera)
  const reserva = (nome: string, espera: Espera) => comEspera(comReserva(nome), espera)
  return [
    [BANCO_DO_BRASIL, aoVivo, 'órgão público conhecido, ao vivo'],
    cenario('cnpj-206', falhou),
    cenario('gateway-502', falhou),
    ['34238864000168', aoVivo, 'empresa de teste do SERPRO: ativa'],
    cenario('gateway-503', falhou),
    cenario('gateway-504', falhou),
    ['54447820000155', aoVivo, 'empresa de teste do SERPRO: suspensa'],
    cenario('gateway-429', falhou),
    ['46768703000165', aoVivo, 'empresa de teste do SERPRO: inapta'],
    cenario('cnpj-400', falhou),
    ['31151791000184', aoVivo, 'empresa de teste do SERPRO: baixada'],
    reserva('html-503', falhou),
    ['34428654000132', aoVivo, 'empresa de teste do SERPRO: nula'],
    cenario('cnpj-206-simples', aoVivo),
    reserva('reset', falhou),
    reserva('demorado', aoVivo),
    reserva('layout', falhou),
    reserva('outro-documento', falhou),
    reserva('waf', falhou),
    cenario('cnpj-empresario', aoVivo),
    cenario('cnpj-sem-socios', falhou),
    cenario('gateway-403', falhou),
  ]
}

type PorDocumento = [cnpj: string, espera: Espera, nota: string]

const comEspera = (
  { documento, nota }: { documento: string; nota: string },
  espera: Espera,
): PorDocumento => [documento, espera, nota]
