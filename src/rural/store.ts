import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../platform/db/db.ts'
import { openSelo, openText, sealText } from '../platform/secrets.ts'
import { trusted } from '../platform/trusted.ts'
import { deleteSessao, selectSessao, updateSessao, upsertSessao } from './io.ts'
import { endOfSessao, fieldsOf, toDados } from './linha.ts'
import { type CookieDaSessao, hasLogin } from './rules-sigef.ts'
import type { DadosDaSessao } from './sigef-sessao.ts'

/** The operator's session with its cookies. `versao` names these cookies. */
export type SessaoGuardada = { versao: string; cookies: CookieDaSessao[]; dados: DadosDaSessao }

/** The operator's session with SIGEF: its cookies are sealed under the server's secret. */
export type Sessoes = {
  /** The session; undefined if none was imported, or another secret sealed it. */
  find: () => Promise<SessaoGuardada | undefined>
  /** What is known of it, without its secrets. */
  look: () => Promise<DadosDaSessao | undefined>
  /** As `look`, for reports that may not be late: `away` where the database does not answer soon. */
  lookSoon: () => Promise<DadosDaSessao | 'away' | undefined>
  /** Keeps imported cookies in the place of those before. SIGEF must take them before they are used. */
  importar: (cookies: readonly CookieDaSessao[]) => Promise<DadosDaSessao>
  /** Keeps the cookies of a renewal. False, with nothing kept, if others were imported meanwhile. */
  renovar: (sessao: SessaoGuardada, cookies: readonly CookieDaSessao[]) => Promise<boolean>
  /** Says what is wrong with a session; false if others were imported meanwhile. */
  mark: (
    sessao: Pick<SessaoGuardada, 'versao'>,
    estado: 'suspeita' | 'encerrada',
    motivo: string,
  ) => Promise<boolean>
  /** Deletes it. Whether there was one. */
  apagar: () => Promise<boolean>
}

type Options = {
  secret: string
  now: () => Date
  /** A session with the simulator is none with the real SIGEF, on the same database. */
  simulador: boolean
}

/** How long a report waits for the database. */
const SOON_MS = 2_000

/** Opens the session that a database keeps. */
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
      // Proven by the seal: only `importar` and `renovar` make it, for this name.
      return {
        versao: linha.versao,
        cookies: trusted<CookieDaSessao[]>(JSON.parse(text)),
        dados: toDados(linha),
      }
    },
    importar: async (cookies) => {
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
    renovar: ({ versao, dados }, cookies) => {
      const at = now().getTime()
      // Without a login SIGEF only said that it still takes the session: its end stays where it was.
      const vence_em = hasLogin(cookies) ? endOfSessao(cookies, at) : dados.vence_em.getTime()
      const values = { ...common(cookies), renovada_em: at, vence_em, estado: 'boa' as const, motivo: '' }
      return updateSessao(db, { nome, versao }, values)
    },
    mark: ({ versao }, estado, motivo) => updateSessao(db, { nome, versao }, { estado, motivo }),
    apagar: () => deleteSessao(db, nome),
  }
}
