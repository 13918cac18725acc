import { camposDeEmpresa } from '../dados-abertos/linha-empresa.ts'
import { camposDeSimples, temSimples } from '../dados-abertos/linha-simples.ts'
import { camposDeSocio, quantosSocios } from '../dados-abertos/linha-socio.ts'
import { camposDeEstabelecimento } from '../dados-abertos/linhas.ts'
import { type Empresa, empresa as empresaDoPlano } from '../dados-abertos/plano.ts'
import { sujarSocio } from '../dados-abertos/sujeira.ts'
import { sementeDe, tipoDoDocumento } from '../documento/documento.ts'
import { type LinhaDaAmostra, linhasDaAmostra } from '../mundo/amostra.ts'
import { findComportamento, OUTRO_DOCUMENTO } from '../mundo/comportamento.ts'
import { findContribuinte } from '../mundo/mundo.ts'
import { planoDaAmostra } from '../mundo/plano-da-amostra.ts'
import { findCenarioFederal } from './cenarios.ts'

/** An establishment as the registry keeps it: rows of the open data's layouts, one fact in one place. */
export type Cadastro = {
  /** 7 fields of Empresas, 30 of Estabelecimentos; of Simples 7 or none; of each partner 11. */
  empresa: readonly string[]
  estabelecimento: readonly string[]
  simples: readonly string[] | undefined
  socios: readonly (readonly string[])[]
}

let amostra: ReadonlyMap<string, LinhaDaAmostra> | undefined

/**
 * What the registry has under a CNPJ: the sample base's own rows, so that the live answer and the monthly one
 * agree; of whoever else the world knows, rows made the same way. Undefined for numbers that nobody has.
 */
export function acharCadastro(cnpj: string): Cadastro | undefined {
  amostra ??= new Map(
    linhasDaAmostra(planoDaAmostra()).map((uma) => [uma.estabelecimento.slice(0, 3).join(''), uma]),
  )
  const achada = amostra.get(cnpj)
  if (achada) return completar(achada)
  return tipoDoDocumento(cnpj) === 'cnpj' ? inventar(cnpj) : undefined
}

function completar({ empresa, estabelecimento, dona }: LinhaDaAmostra): Cadastro {
  const plano = planoDaAmostra()
  if (!dona) return { empresa, estabelecimento, simples: undefined, socios: [] }
  const socios = Array.from({ length: quantosSocios(plano, dona) }, (_, ordem) => {
    const campos = camposDeSocio(plano, dona, ordem)
    sujarSocio(plano, dona, campos)
    return campos
  })
  const simples = temSimples(plano, dona) ? camposDeSimples(plano, dona) : undefined
  return { empresa, estabelecimento, simples, socios }
}

const SITUACAO = 5
const MOTIVO = 7

/** The companies of SERPRO's trial, by CNPJ: situation and its reason as the open data number them. */
const provas: ReadonlyMap<string, { situacao: string; motivo: string }> = new Map([
  ['34238864000168', { situacao: '02', motivo: '00' }],
  ['54447820000155', { situacao: '03', motivo: '67' }],
  ['46768703000165', { situacao: '04', motivo: '63' }],
  ['31151791000184', { situacao: '08', motivo: '01' }],
  ['34428654000132', { situacao: '01', motivo: '11' }],
])

/** Companies that are in no monthly base: derived from their digits, or reserved. */
function inventar(cnpj: string): Cadastro | undefined {
  const prova = provas.get(cnpj)
  const quem = findContribuinte(cnpj)
  const cenario = findCenarioFederal(cnpj)
  const reservado = cnpj === OUTRO_DOCUMENTO || findComportamento(cnpj) || cenario
  if (!prova && !quem && !reservado) return undefined
  const plano = planoDaAmostra()
  const raiz = cnpj.slice(0, 8)
  const numero = sementeDe(raiz) >>> 1
  const dona: Empresa = {
    ...empresaDoPlano(plano, numero % plano.empresas),
    numero,
    raiz,
    tipo: cenario?.cnpj === 'empresario' ? 'individual' : 'limitada',
  }
  const ordem = Number.parseInt(cnpj.slice(8, 12), 36)
  const empresa = camposDeEmpresa(plano, dona)
  const estabelecimento = camposDeEstabelecimento(plano, dona, ordem % 100)
  estabelecimento.splice(1, 3, cnpj.slice(8, 12), cnpj.slice(12), cnpj.slice(8, 12) === '0001' ? '1' : '2')
  estabelecimento[SITUACAO] = prova?.situacao ?? '02'
  estabelecimento[MOTIVO] = prova?.motivo ?? '00'
  if (quem) empresa.splice(1, 2, quem.nome, quem.naturezaJuridica)
  return completar({ empresa, estabelecimento, dona })
}
