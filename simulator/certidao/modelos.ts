import type { Uf } from '../documento/molde.ts'
import { type Modelo, modeloUsual, porDesfecho, type Usual } from './modelo.ts'
import { modelosGravados } from './modelos-gravados.ts'
import { modelosDoNorte } from './modelos-norte-nordeste.ts'
import { modelosDoSul } from './modelos-sul-sudeste.ts'
import { modelosVistos } from './modelos-vistos.ts'

/** Negative, positive and positive with effects of one name: `CERTIDÃO {NEGATIVA} DE DÉBITOS ESTADUAIS`. */
const nomes = (resto: string) =>
  porDesfecho(
    `CERTIDÃO NEGATIVA ${resto}`,
    `CERTIDÃO POSITIVA ${resto}`,
    `CERTIDÃO POSITIVA COM EFEITOS DE NEGATIVA ${resto}`,
  )

/** A certificate whose title does not name the outcome. The outcome stands below it. */
const comSubtitulo = (nome: string) =>
  porDesfecho(
    `${nome} - CERTIDÃO NEGATIVA`,
    `${nome} - CERTIDÃO POSITIVA`,
    `${nome} - CERTIDÃO POSITIVA COM EFEITOS DE NEGATIVA`,
  )

/** States whose certificate is known by its name alone, or not at all. */
const usuais = {
  ES: {
    orgao: 'GOVERNO DO ESTADO DO ESPÍRITO SANTO - SECRETARIA DE ESTADO DA FAZENDA',
    titulo: nomes('DE DÉBITOS PARA COM A FAZENDA PÚBLICA ESTADUAL'),
    conferencia: 'www.sefaz.es.gov.br',
  },
  MS: {
    orgao: 'SECRETARIA DE ESTADO DE FAZENDA DE MATO GROSSO DO SUL',
    titulo: nomes('DE DÉBITOS TRIBUTÁRIOS'),
    conferencia: 'servicos.efazenda.ms.gov.br/pndfis',
  },
  PB: {
    orgao: 'SECRETARIA DE ESTADO DA FAZENDA DA PARAÍBA',
    titulo: comSubtitulo('CERTIDÃO DE DÉBITOS'),
    conferencia: 'www.sefaz.pb.gov.br',
  },
  RN: {
    orgao: 'SECRETARIA DE ESTADO DA FAZENDA DO RIO GRANDE DO NORTE',
    titulo: nomes('DE DÉBITOS ESTADUAIS'),
    conferencia: 'uvt.sefaz.rn.gov.br',
    servico: 'Unidade Virtual de Tributação: Certidão Negativa',
  },
  RO: {
    orgao: 'SECRETARIA DE ESTADO DE FINANÇAS DE RONDÔNIA',
    titulo: nomes('DE TRIBUTOS ESTADUAIS'),
    conferencia: 'www.sefin.ro.gov.br',
  },
  RR: {
    orgao: 'SECRETARIA DE ESTADO DA FAZENDA DE RORAIMA',
    titulo: nomes('DE DÉBITOS'),
    conferencia: 'www.sefaz.rr.gov.br',
  },
  SE: {
    orgao: 'SECRETARIA DE ESTADO DA FAZENDA DE SERGIPE',
    titulo: nomes('DE DÉBITOS ESTADUAIS'),
    conferencia: 'www.sefaz.se.gov.br',
    servico: 'Serviço: Emissão de Certidão Negativa',
  },
} as const satisfies Partial<Record<Uf, Usual>>

const modelos: Readonly<Partial<Record<Uf, Modelo>>> = {
  ...modelosGravados,
  ...modelosVistos,
  ...modelosDoNorte,
  ...modelosDoSul,
}
const comNome: Readonly<Partial<Record<Uf, Usual>>> = usuais

/** How a state prints its certificates. */
export function modeloDe(uf: Uf): Modelo {
  const modelo = modelos[uf]
  if (modelo) return modelo
  const usual = comNome[uf] ?? {
    orgao: `ESTADO: ${uf}`,
    titulo: nomes('DE DÉBITOS ESTADUAIS'),
    conferencia: 'Internet',
  }
  return modeloUsual(usual)
}
