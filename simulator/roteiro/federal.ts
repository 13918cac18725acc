import { exemplos } from '../mundo/exemplo.ts'
import { listContribuintes } from '../mundo/mundo.ts'
import { FILIAL, OUTRA } from '../platform/icp/catalogo.ts'
import { readTable } from '../platform/table.ts'
import {
  certo,
  changeUltimo,
  comReserva,
  dosReservados,
  type Espera,
  federal,
  type Linha,
  linhasDe,
  maskCnpj,
  recusado,
  type Tentativa,
} from './linha.ts'

/** Typed in from public facts, so it is in every base: the real one and the sample. */
const BANCO_DO_BRASIL = '00000000000191'

/** A live answer. */
const aoVivo: Espera = { http: 200, creditos: 3 }

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
    [{ cnpj: changeUltimo(cnpj) }, recusado('DOCUMENTO_INVALIDO'), 'dígito verificador errado'],
    [{ cnpj: maskCnpj(cnpj) }, recusado('DOCUMENTO_INVALIDO'), 'com pontuação'],
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
const comLetras = (): string =>
  listContribuintes().find(({ documento }) => /[A-Z]/.test(documento))?.documento ?? ''

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

const livre = (status: string): Espera => ({ http: 200, status, creditos: 0 })

/** A failure that HTTP 200 tells. */
const falha = (source_error: string): Espera => ({ http: 200, source_error, creditos: 0 })

const esperas = {
  negativa: { ...certo, status: 'negativa' },
  efeitos: { ...certo, status: 'positiva_com_efeitos_de_negativa' },
  'positiva-paga': { ...certo, status: 'positiva' },
  erro: livre('erro'),
  positiva: livre('positiva'),
  'nao-contribuinte': livre('nao_contribuinte'),
  'sem-resposta': falha('PROVIDER_ERROR'),
  processando: falha('EM_PROCESSAMENTO'),
} as const satisfies Record<string, Espera>
type Nome = keyof typeof esperas

/** Companies out of the ordinary; `nova` asks with `emitir_nova`, which the portal alone can do. */
const tabela = readTable<{
  federal: {
    cenarios: readonly (readonly [nome: string, espera: Nome, pede?: keyof typeof EMITIR, nota?: string])[]
    reservados: readonly (readonly [nome: string, espera: Nome, nota?: string])[]
  }
}>('./esperas.json', import.meta.url).federal

export function linhasDeConsultarCndFederal(): Linha[] {
  const e = exemplos()
  const cnpj = e.umaInscricao.get('SP') ?? ''
  return linhasDe('/api/consultar-cnd-federal', [
    [{ cnpj }, esperas.negativa, 'empresa fictícia da base de amostra'],
    [{ cnpj: FILIAL.documento }, esperas.erro, 'filial: a certidão é da matriz'],
    [{ cnpj: e.desconhecido }, esperas['nao-contribuinte'], 'CNPJ que a Receita não tem'],
    [{}, recusado('PARAMETRO_AUSENTE'), 'sem cnpj nem cpf'],
    [{ cpf: e.pessoaSemInscricao }, esperas.erro, 'só por CPF: a consulta não existe'],
    [
      { cnpj: e.umaInscricao.get('MG') ?? '', cpf: e.pessoaSemInscricao },
      esperas.negativa,
      'cnpj e cpf: vale o cnpj',
    ],
    [{ cnpj: changeUltimo(cnpj) }, falha('CNPJ_INVALIDO'), 'dígito verificador errado'],
    [{ cnpj: maskCnpj(cnpj) }, falha('CNPJ_INVALIDO'), 'com pontuação'],
    [{ cpf: changeUltimo(e.pessoaSemInscricao) }, falha('CPF_INVALIDO'), 'CPF com dígito verificador errado'],
    [{ cnpj, emitir_nova: 'talvez' }, recusado('PARAMETRO_INVALIDO'), 'emitir_nova que não é sim nem não'],
    ...tabela.cenarios.map(([nome, espera, pede, resumo]): Tentativa => {
      const { documento, nota } = federal(nome)
      return [{ cnpj: documento, ...EMITIR[pede ?? 'consulta'] }, esperas[espera], resumo ?? nota]
    }),
    ...dosReservados(tabela.reservados, esperas),
  ])
}

const EMITIR = { consulta: {}, nova: { emitir_nova: 'true' }, nao: { emitir_nova: 'false' } } as const
