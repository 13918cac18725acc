import { estados } from '../estados/estados.ts'
import { listLeituras } from '../platform/wire/leituras.ts'
import { describeFontes, type Fonte } from '../portal/fonte.ts'
import type { RuralRoom } from '../rural/rural.ts'
import { faltaDoSigef } from '../rural/sessao.ts'
import { listNacionais } from './nacionais.ts'

export async function listFontes(room: RuralRoom): Promise<Fonte[]> {
  const { config, now, db, ambiente, sessoes, sigef, ccc, contrato, cnir, captcha, certificado } = room
  // The counts that this node has not written yet belong to the answer.
  await room.leituras.flush()
  const leituras = await listLeituras(db, { now: now(), ambiente })
  const hasSimulated = sigef !== undefined
  const nacionais = listNacionais({
    nfe: config.SEFAZ_AMBIENTE,
    ccc,
    contrato: contrato !== undefined,
    cnir: cnir !== undefined,
    rotasFederais: config.CND_FEDERAL_ROTAS,
    sigef: await faltaDoSigef({ config, sessoes, hasSimulated, now: now() }),
    acervo: config.SIGEF_WFS,
  })
  const capacidade = { captcha, certificado: certificado !== undefined }
  return describeFontes({ estados: estados.values(), nacionais }, capacidade, leituras)
}
