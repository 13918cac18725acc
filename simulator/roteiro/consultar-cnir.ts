import { exemplosRurais } from '../rural/exemplo.ts'
import { dosReservados, type Reservado } from './documento.ts'
import { certo, type Espera, type Linha, linhasDe, porDocumento, type Tentativa } from './linha.ts'
import { parametrosDeUmDocumento } from './parametros.ts'

/** Failures of the connector are told with HTTP 200 and charge nothing. */
const fora: Espera = { http: 200, source_error: 'SITE_INDISPONIVEL', creditos: 0 }
const naoEntendido: Espera = { http: 200, source_error: 'PROCESSAMENTO_FALHOU', creditos: 0 }

/** What there is to try with GET /api/consultar-cnir. */
export function linhasDeConsultarCnir(): Linha[] {
  return linhasDe('/api/consultar-cnir', [
    ...titulares(),
    ...parametrosDeUmDocumento(),
    ...dosReservados(reservados),
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

const reservados: readonly Reservado[] = [
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
