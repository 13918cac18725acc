import { join } from 'node:path'
import { importKey, issueKey, revealKey } from './contas/chave.ts'
import { findContaByEmail } from './contas/conta.ts'
import { createConta } from './contas/registrar.ts'
import type { Context } from './platform/context.ts'
import { explainFolder } from './platform/start.ts'

const SAMPLE = join(import.meta.dirname, '../data/cnpj-amostra')
const EMAIL = 'inicial@consulta-fiscal.local'

/**
 * Makes what a first start lacks: the sample base (simulator mode) and the initial account. Returns that
 * account's API key.
 */
export async function prepare(ctx: Context): Promise<string | undefined> {
  if (ctx.config.AUTHORITIES === 'simulator' && ctx.store.base.current() === undefined) {
    await importSample(ctx)
    ctx.store.base.refresh()
  }
  return ensureConta(ctx)
}

async function importSample({ config, now }: Context): Promise<void> {
  try {
    // Only a first start imports.
    const { importCnpj } = await import('./cnpj/importar/importar.ts')
    await importCnpj({ pasta: SAMPLE, raiz: join(config.DATA_DIR, 'cnpj'), amostra: true, now })
  } catch (error) {
    throw explainFolder(error, config.DATA_DIR)
  }
}

/**
 * The account of a new installation. Simulator mode always has one, live mode only if BOOTSTRAP_API_KEY is
 * set.
 */
async function ensureConta(ctx: Context): Promise<string | undefined> {
  const {
    store: { db, secret },
    now,
    config,
  } = ctx
  const given = config.BOOTSTRAP_API_KEY
  if (given === undefined && config.AUTHORITIES === 'live') return undefined
  // Of two nodes that start at once, one makes the account and the other finds it.
  const conta =
    (await createConta(db, { nome: 'Conta inicial', email: EMAIL, plano: 'pro', now: now() })) ??
    (await findContaByEmail(db, EMAIL))
  if (!conta) throw new Error('the initial account is neither new nor known')
  if (given !== undefined) {
    await importKey(db, secret, conta.id, given, now())
    return given
  }
  return (await revealKey(db, secret, conta.id)) ?? (await issueKey(db, secret, conta.id, { now: now() }))
}
