import { exemplosRurais } from '../rural/parcelas.ts'
import {
  certo,
  dosReservados,
  type Espera,
  type Linha,
  linhasDe,
  parametrosDeUmDocumento,
  porDocumento,
  type Reservado,
  type Tentativa,
} from './linha.ts'

/** Failures of the connector are told with HTTP 200 and charge nothing. */
const fora: Espera = { http: 200, source_error: 'SITE_INDISPONIVEL', creditos: 0 }
const naoEntendido: Espera = { http: 200, source_error: 'PROCESSAMENTO_FALHOU', creditos: 0 }

export function linhasDeConsultarCnir(): Linha[] {
  return linhasDe('/api/consultar-cnir', [
    ...titulares(),
    ...parametrosDeUmDocumento(),
    ...dosReservados(reservadosDoCnir),
  ])
}

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

const reservadosDoCnir: readonly Reservado[] = [
  ['cnir-401', fora],
  ['cnir-429', fora],
  ['cnir-sem-situacao', naoEntendido],
  ['cnir-sem-booleano', naoEntendido],
  ['cnir-numero-texto', naoEntendido],
  ['cnir-outros-membros', certo],
  ['cnir-duas-pessoas', naoEntendido],
  ['cnir-demais', naoEntendido],
  ['muitas', certo, 'CNIR: 40 imóveis'],
  ['cnir-nao-json', naoEntendido],
  ['cnir-gigante', naoEntendido],
  ['outro-documento', naoEntendido, 'CNIR: os imóveis são de outro titular'],
  ['cnd-efeitos', certo, 'CNIR: o que outras autoridades fazem de errado não chega aqui'],
  ['cnir-503', fora],
  ['cnir-lento', fora],
]

/** Failures of SIGEF are told with HTTP 200 and charge nothing. */
const falha = (source_error: string): Espera => ({ http: 200, source_error, creditos: 0 })
const http = falha('SIGEF_HTTP_ERROR')
const rede = falha('SIGEF_NETWORK_ERROR')
const leitura = falha('SIGEF_PARSE_FAILED')

export function linhasDeConsultarSigef(): Linha[] {
  return linhasDe('/api/consultar-sigef', [
    ...detentores(),
    ...parametrosDeUmDocumento(),
    ...dosReservados(reservadosDoSigef),
  ])
}

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

/** Answers stand between five failures of availability; the slow ones come last. */
const reservadosDoSigef: readonly Reservado[] = [
  ['sigef-25', certo],
  ['sigef-25-nova', certo],
  ['sigef-historico', certo],
  ['sigef-401', http],
  ['html-403', http, 'HTTP 403'],
  ['wfs-fora', certo],
  ['sigef-500', http],
  ['html-404', http, 'HTTP 404: a busca mudou de endereço'],
  ['wfs-excecao', certo],
  ['sigef-sem-documento', certo],
  ['waf', http, '"Request Rejected" com HTTP 200'],
  ['sigef-barrado', http],
  ['charset-certo', certo, 'página em ISO-8859-1, anunciada como tal'],
  ['sessao-velha', http, 'a busca manda entrar de novo'],
  ['sigef-sessao-cai', http],
  ['demorado', certo, 'a busca responde certo depois de 2 segundos'],
  ['sigef-detalhe-404', leitura],
  ['layout', leitura, 'a página da busca mudou'],
  ['sigef-detalhe-mudado', leitura],
  ['sigef-conta-errada', leitura],
  ['outro-documento', leitura, 'o documento do detentor, na página da parcela, é de outro'],
  ['vazio', leitura, 'HTTP 200 sem corpo'],
  ['corta-antes', rede],
  ['reset', rede],
  ['wfs-lento', certo],
  ['sigef-lento', rede],
]
