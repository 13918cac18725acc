import { estados } from '../estados/estados.ts'
import { usesCcc } from '../platform/config/config.ts'
import { listLeituras } from '../platform/wire/leituras.ts'
import { describeFontes, type Fonte } from '../portal/fonte.ts'
import type { RuralRoom } from '../rural/rural.ts'
import { faltaDoSigef } from '../rural/sessao.ts'
import { listNacionais, type Nacionais } from './nacionais.ts'

type Oferta = {
  config: RuralRoom['config']
  /** The sessions with SIGEF that the operator imported. */
  sessoes: RuralRoom['sessoes']
  now: () => Date
  hasContrato: boolean
  hasConector: boolean
  /** The simulator plays SIGEF, which then needs no session. */
  hasSimulated: boolean
}

/** How the national sources stand for a service that has this. Reads the session with SIGEF. */
export async function readNacionais(oferta: Oferta): Promise<Nacionais> {
  const { config, sessoes, now, hasContrato, hasConector, hasSimulated } = oferta
  return {
    nfe: config.SEFAZ_AMBIENTE,
    ccc: usesCcc(config),
    contrato: hasContrato,
    cnir: hasConector,
    rotasFederais: config.CND_FEDERAL_ROTAS,
    sigef: await faltaDoSigef({ config, sessoes, hasSimulated, now: now() }),
    acervo: config.SIGEF_WFS,
  }
}

/** All sources, the states' before the national ones, with what they answered to all nodes lately. */
export async function listFontes(room: RuralRoom): Promise<Fonte[]> {
  const { config, sessoes, now, db, ambiente, sigef, contrato, cnir, captcha, certificado } = room
  // The counts that this node has not written yet belong to the answer.
  await room.leituras.flush()
  const leituras = await listLeituras(db, { now: now(), ambiente })
  const nacionais = listNacionais(
    await readNacionais({
      config,
      sessoes,
      now,
      hasContrato: contrato !== undefined,
      hasConector: cnir !== undefined,
      hasSimulated: sigef !== undefined,
    }),
  )
  const capacidade = { captcha, certificado: certificado !== undefined }
  return describeFontes({ estados: estados.values(), nacionais }, capacidade, leituras)
}
