import type { EstadosRoom } from '../estados/estados.ts'
import { RotaNaoAtende } from '../platform/wire/fonte.ts'
import type { CaptchaSolver } from '../portal/captcha.ts'
import { fontesDaCertidao, type RotaFederal, type RotaOferecida } from './source.ts'
import { rotaContrato, type VersaoCnd } from './source-contrato.ts'
import { rotaPortal, semCaptcha } from './source-portal.ts'
import { type ChavesDoContrato, type Contrato, openContrato } from './source-serpro.ts'
import { type Certidoes, type Confianca, openCertidoes, openConfianca } from './store.ts'

export type FederalRoom = EstadosRoom & {
  /** The contract for the Receita Federal's APIs. Undefined live without SERPRO_KEY and SERPRO_SECRET. */
  contrato: Contrato | undefined
  certidoes: Certidoes
  confianca: Confianca
  rotas: readonly RotaOferecida[]
}

export function openFederal(estados: EstadosRoom, chaves: ChavesDoContrato | undefined): FederalRoom {
  const { http, db, now, ambiente, secret, config, captcha } = estados
  const contrato = chaves && openContrato(http, { chaves, etiqueta: config.SERPRO_TAG, now })
  return {
    ...estados,
    contrato,
    rotas: rotasFederais(config, { contrato, captcha }),
    certidoes: openCertidoes(db, { now, ambiente, secret }),
    confianca: openConfianca(db, { now, ambiente, secret }),
  }
}

type Escolhas = { CND_FEDERAL_ROTAS: string; CND_FEDERAL_VERSAO: VersaoCnd }

type Capacidades = { contrato: Contrato | undefined; captcha: CaptchaSolver }

export const rotasFederais = (escolhas: Escolhas, capacidades: Capacidades): RotaOferecida[] =>
  escolhas.CND_FEDERAL_ROTAS.split(',').map((id) =>
    id === 'contrato' ? offerContrato(escolhas, capacidades) : offerPortal(capacidades),
  )

function offerContrato({ CND_FEDERAL_VERSAO }: Escolhas, { contrato }: Capacidades): RotaOferecida {
  if (contrato) return { ...rotaContrato(contrato, CND_FEDERAL_VERSAO), falta: '' }
  const { source } = fontesDaCertidao.contrato
  const falta = `${source.nome} só responde a quem tem contrato com o SERPRO, e este serviço está sem as chaves dele (SERPRO_KEY e SERPRO_SECRET).`
  const ask: RotaFederal['ask'] = async () => {
    throw new RotaNaoAtende(falta)
  }
  return { id: 'contrato', source, issuesNova: false, ask, falta }
}

const offerPortal = ({ captcha }: Capacidades): RotaOferecida => ({
  ...rotaPortal,
  falta: semCaptcha(captcha),
})
