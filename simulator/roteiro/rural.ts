import { readTable } from '../platform/table.ts'
import { exemplosRurais } from '../rural/parcelas.ts'
import {
  certo,
  dosReservados,
  type Espera,
  type Linha,
  linhasDe,
  parametrosDeUmDocumento,
  porDocumento,
  type Tentativa,
} from './linha.ts'

/** Failures of both are told with HTTP 200 and charge nothing. */
const falha = (source_error: string): Espera => ({ http: 200, source_error, creditos: 0 })
const esperas = {
  certo,
  fora: falha('SITE_INDISPONIVEL'),
  'nao-entendido': falha('PROCESSAMENTO_FALHOU'),
  http: falha('SIGEF_HTTP_ERROR'),
  rede: falha('SIGEF_NETWORK_ERROR'),
  leitura: falha('SIGEF_PARSE_FAILED'),
}
type Linhas = readonly (readonly [nome: string, espera: keyof typeof esperas, nota?: string])[]

const { cnir, sigef } = readTable<{ cnir: Linhas; sigef: Linhas }>('./esperas.json', import.meta.url)

export const linhasDeConsultarCnir = (): Linha[] =>
  linhasDe('/api/consultar-cnir', [
    ...titulares(),
    ...parametrosDeUmDocumento(),
    ...dosReservados(cnir, esperas),
  ])

function titulares(): Tentativa[] {
  const { pessoa, empresa, varios, comCondominos, comImunidades, soBaixados, desconhecida, semNada } =
    exemplosRurais()
  return [
    [porDocumento(pessoa), certo, 'pessoa com um imóvel'],
    [porDocumento(empresa), certo, 'produtor com CNPJ'],
    [porDocumento(varios), certo, 'vários imóveis'],
    [porDocumento(comCondominos), certo, 'um imóvel com condôminos'],
    [porDocumento(comImunidades), certo, 'um imóvel com imunidades'],
    [porDocumento(soBaixados), certo, 'só um imóvel baixado: nenhum ativo'],
    [porDocumento(semNada), certo, 'pessoa sem imóvel: lista vazia'],
    [porDocumento(desconhecida), certo, 'CNPJ que o conector não conhece: resposta vazia'],
  ]
}

export const linhasDeConsultarSigef = (): Linha[] =>
  linhasDe('/api/consultar-sigef', [
    ...detentores(),
    ...parametrosDeUmDocumento(),
    ...dosReservados(sigef, esperas),
  ])

function detentores(): Tentativa[] {
  const e = exemplosRurais()
  const achado = (documento: string, nota: string): Tentativa => [porDocumento(documento), certo, nota]
  return [
    achado(e.pessoa, 'pessoa com uma parcela'),
    achado(e.empresa, 'produtor com CNPJ'),
    achado(e.comCondominos, 'vários detentores'),
    achado(e.condomino, 'o segundo detentor das mesmas parcelas'),
    achado(e.doisMunicipios, 'uma parcela em dois municípios'),
    achado(e.variasMatriculas, 'uma parcela com várias matrículas'),
    achado(e.comHistorico, 'as parcelas do histórico não contam'),
    achado(e.semParcela, 'imóveis sem parcela no SIGEF: lista vazia'),
    achado(e.soBaixados, 'só parcelas do histórico: lista vazia'),
    achado(e.desconhecida, 'CNPJ sem parcela: lista vazia'),
  ]
}
