import { estados } from '../estados/estados.ts'
import type { Db } from '../platform/db/db.ts'
import type { Ambiente } from '../platform/wire/fonte.ts'
import type { Leituras } from '../platform/wire/leituras.ts'
import { listLeituras } from '../platform/wire/leituras.ts'
import type { Capacidade } from '../portal/estado.ts'
import { describeFontes, type Fonte } from '../portal/fonte.ts'
import { faltaDoSigef } from '../rural/sessao.ts'
import type { Sessoes } from '../rural/store.ts'
import { listNacionais, type Nacionais } from './nacionais.ts'

/** What the list of sources needs of the service. The Context has all of it. */
type Recursos = {
  now: () => Date
  config: {
    SEFAZ_AMBIENTE: Nacionais['nfe']
    CND_FEDERAL_ROTAS: string
    SIGEF: 'ligado' | 'desligado'
    SIGEF_WFS: boolean
  }
  store: { db: Db; leituras: Pick<Leituras, 'flush'>; sessoes: Pick<Sessoes, 'look'> }
  sources: {
    ambiente: Ambiente
    ccc: boolean
    captcha: Capacidade['captcha']
    certificado: object | undefined
    contrato: object | undefined
    cnir: object | undefined
    sigef: object | undefined
  }
}

/** Every route of each state and every national source, with how it has answered in the last hour. */
export async function listarFontes({ store, sources, config, now }: Recursos): Promise<Fonte[]> {
  // The counts that this node has not written yet belong to the answer.
  await store.leituras.flush()
  const leituras = await listLeituras(store.db, { now: now(), ambiente: sources.ambiente })
  const sigef = await faltaDoSigef({
    config,
    sessoes: store.sessoes,
    hasSimulated: sources.sigef !== undefined,
    now: now(),
  })
  const nacionais = listNacionais({
    nfe: config.SEFAZ_AMBIENTE,
    ccc: sources.ccc,
    contrato: sources.contrato !== undefined,
    cnir: sources.cnir !== undefined,
    rotasFederais: config.CND_FEDERAL_ROTAS,
    sigef,
    acervo: config.SIGEF_WFS,
  })
  const recursos = { captcha: sources.captcha, certificado: sources.certificado !== undefined }
  return describeFontes({ estados: estados.values(), nacionais }, recursos, leituras)
}
