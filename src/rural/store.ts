import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../platform/db/db.ts'
import { openDurable } from '../platform/db/queries.ts'
import type { SessoesTable } from '../platform/db/tables.ts'
import { openSelo, openText, sealText } from '../platform/secrets.ts'
import { trusted } from '../platform/trusted.ts'
import {
  COOKIE_DO_SIGEF,
  type CookieDaSessao,
  type DadosDaSessao,
  endOfLogin,
  HOST_DO_SIGEF,
  hasLogin,
  SESSAO_MS,
} from './rules.ts'

type LinhaDaSessao = Omit<SessoesTable, 'nome'>

const selectSessao = ({ kysely }: Db, nome: string): Promise<LinhaDaSessao | undefined> =>
  kysely.selectFrom('sessoes').selectAll().where('nome', '=', nome).executeTakeFirst()

/** Writes a session in the place of the one before; on the disk when it resolves. */
async function upsertSessao(db: Db, nome: string, linha: LinhaDaSessao): Promise<void> {
  await openDurable(db)((on) =>
    on
      .insertInto('sessoes')
      .values({ nome, ...linha })
      .onConflict((conflict) => conflict.column('nome').doUpdateSet(linha))
      .execute(),
  )
}

/** Changes a session, unless somebody wrote other cookies meanwhile: then false. */
async function updateSessao(
  { kysely }: Db,
  { nome, versao }: Pick<SessoesTable, 'nome' | 'versao'>,
  values: Partial<LinhaDaSessao>,
): Promise<boolean> {
  const { numUpdatedRows } = await kysely
    .updateTable('sessoes')
    .set(values)
    .where('nome', '=', nome)
    .where('versao', '=', versao)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

const instantOrNull = (at: number | null): Date | null => (at === null ? null : new Date(Number(at)))

const toDados = (linha: Omit<LinhaDaSessao, 'selada' | 'versao'>): DadosDaSessao => ({
  importada_em: new Date(Number(linha.importada_em)),
  renovada_em: instantOrNull(linha.renovada_em),
  vence_em: new Date(Number(linha.vence_em)),
  login_ate: instantOrNull(linha.login_ate),
  renovavel: Number(linha.renovavel) === 1,
  estado: linha.estado,
  motivo: linha.motivo,
})

const fieldsOf = (cookies: readonly CookieDaSessao[]): Pick<LinhaDaSessao, 'login_ate' | 'renovavel'> => ({
  login_ate: endOfLogin(cookies),
  renovavel: hasLogin(cookies) ? 1 : 0,
})

/** Four hours from now, or the end that the cookie itself tells. */
function endOfSessao(cookies: readonly CookieDaSessao[], now: number): number {
  const cookie = cookies.find(({ nome, dominio }) => nome === COOKIE_DO_SIGEF && dominio === HOST_DO_SIGEF)
  // Without one the login makes it first.
  return cookie ? Math.min(now + SESSAO_MS, cookie.expira ?? Number.POSITIVE_INFINITY) : now
}

export type SessaoGuardada = { versao: string; cookies: CookieDaSessao[]; dados: DadosDaSessao }

/** The operator's session with SIGEF: its cookies are sealed under the server's secret. */
export type Sessoes = {
  /** The session; undefined if none was imported, or another secret sealed it. */
  find: () => Promise<SessaoGuardada | undefined>
  look: () => Promise<DadosDaSessao | undefined>
  /** As `look`, for reports that may not be late: `away` where the database does not answer soon. */
  lookSoon: () => Promise<DadosDaSessao | 'away' | undefined>
  /** Keeps imported cookies in the place of those before. SIGEF must take them before they are used. */
  keepImported: (cookies: readonly CookieDaSessao[]) => Promise<DadosDaSessao>
  /** Keeps the cookies of a renewal. False, with nothing kept, if others were imported meanwhile. */
  keepRenewed: (sessao: SessaoGuardada, cookies: readonly CookieDaSessao[]) => Promise<boolean>
  /** Says what is wrong with a session; false if others were imported meanwhile. */
  mark: (
    sessao: Pick<SessaoGuardada, 'versao'>,
    estado: 'suspeita' | 'encerrada',
    motivo: string,
  ) => Promise<boolean>
  delete: () => Promise<boolean>
}

type Options = {
  secret: string
  now: () => Date
  /** A session with the simulator is none with the real SIGEF, on the same database. */
  simulador: boolean
}

const SOON_MS = 2_000

export function openSessoes(db: Db, { secret, now, simulador }: Options): Sessoes {
  const nome = `${simulador ? 'simulador' : 'real'}:sigef`
  const selo = openSelo(secret, 'sessao do sigef')

  const common = (cookies: readonly CookieDaSessao[]) => ({
    ...fieldsOf(cookies),
    versao: randomUUID(),
    selada: sealText(selo, JSON.stringify(cookies), nome),
  })

  const look = async (): Promise<DadosDaSessao | undefined> => {
    const linha = await selectSessao(db, nome)
    return linha && openText(selo, linha.selada, nome) !== undefined ? toDados(linha) : undefined
  }
  // One at a time: where the table is locked, each would hold a connection that the lookups need.
  let looking: Promise<DadosDaSessao | 'away' | undefined> | undefined
  const lookAlone = (): Promise<DadosDaSessao | 'away' | undefined> => {
    looking ??= look()
      .catch(() => 'away' as const)
      .finally(() => {
        looking = undefined
      })
    return looking
  }

  return {
    look,
    lookSoon: () => Promise.race([lookAlone(), delay(SOON_MS, 'away' as const, { ref: false })]),
    find: async () => {
      const linha = await selectSessao(db, nome)
      const text = linha && openText(selo, linha.selada, nome)
      if (!linha || text === undefined) return undefined
      // Proven by the seal: only `keepImported` and `keepRenewed` make it, for this name.
      return {
        versao: linha.versao,
        cookies: trusted<CookieDaSessao[]>(JSON.parse(text)),
        dados: toDados(linha),
      }
    },
    keepImported: async (cookies) => {
      const at = now().getTime()
      const linha = {
        ...common(cookies),
        importada_em: at,
        renovada_em: null,
        vence_em: endOfSessao(cookies, at),
        estado: 'suspeita' as const,
        motivo: 'Ainda não foi conferida: o serviço a confere em minutos, ou antes da próxima consulta.',
      }
      await upsertSessao(db, nome, linha)
      return toDados(linha)
    },
    keepRenewed: ({ versao, dados }, cookies) => {
      const at = now().getTime()
      // Without a login SIGEF only said that it still takes the session: its end stays where it was.
      const vence_em = hasLogin(cookies) ? endOfSessao(cookies, at) : dados.vence_em.getTime()
      const values = { ...common(cookies), renovada_em: at, vence_em, estado: 'boa' as const, motivo: '' }
      return updateSessao(db, { nome, versao }, values)
    },
    mark: ({ versao }, estado, motivo) => updateSessao(db, { nome, versao }, { estado, motivo }),
    delete: async () =>
      (await db.kysely.deleteFrom('sessoes').where('nome', '=', nome).executeTakeFirst()).numDeletedRows > 0n,
  }
}
