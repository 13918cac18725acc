import { randomBytes, randomUUID } from 'node:crypto'
import type { Db } from '../platform/db/db.ts'
import type { AcessosTable } from '../platform/db/tables.ts'
import { hashOf } from '../platform/secrets.ts'
import {
  deleteAcessos,
  deleteEncerrados,
  deleteExcesso,
  insertAcesso,
  notarUso,
  selectAcesso,
  selectAcessos,
  VIDA_MS,
} from './io.ts'
import { deleteCodigosVelhos } from './store-codigos.ts'

/** A login of a person, as its owner sees it. */
export type Acesso = {
  id: string
  conta_id: string
  /** A session of the dashboard, or the tokens of one login by the API. */
  tipo: 'painel' | 'api'
  criado_em: Date
  visto_em: Date
  expira_em: Date
  /** What the browser says of itself, shortened; and the address that it came from. */
  agente: string
  endereco: string
}

/** Who logs in, and from where. */
export type NovoAcesso = Pick<Acesso, 'conta_id' | 'tipo' | 'agente' | 'endereco'>

/** A new login. `token` is what the cookie of the dashboard holds; only its hash is stored. */
export type AcessoAberto = { acesso: Acesso; token: string }

/** The logins of the accounts: each node sees one that another made, or ended, at once. */
export type Acessos = {
  /** Makes a login that needs no password. */
  abrir: (novo: NovoAcesso) => Promise<AcessoAberto>
  /** Makes the login that a password proved; undefined where the account's stored one is another by now. */
  abrirPorSenha: (novo: NovoAcesso, senha_hash: string) => Promise<AcessoAberto | undefined>
  /** The session of a cookie's token; undefined for one that is unknown or over. */
  findByToken: (token: string) => Promise<Acesso | undefined>
  /** The login of an id; undefined for one that is unknown or over. */
  find: (id: string) => Promise<Acesso | undefined>
  /** The logins of an account that are not over. */
  list: (conta_id: string) => Promise<Acesso[]>
  /** Ends one login of an account. Whether there was one. */
  encerrar: (conta_id: string, id: string) => Promise<boolean>
  /** Ends all logins of an account, but for the one that is named. Returns how many. */
  encerrarTodos: (conta_id: string, options?: { menos?: string }) => Promise<number>
  /** Forgets the logins, and the one-time codes, that are over; how many. */
  sweep: () => Promise<number>
}

/** The most logins of an account: one more ends the one that was seen longest ago. */
const MAIS_ACESSOS = 50
const TOKEN_BYTES = 32
const MAIOR_AGENTE = 200

/** Opens the logins over a database. Makes no query by itself. */
export function openAcessos(db: Db, { now }: { now: () => Date }): Acessos {
  const find = async (coluna: 'id' | 'hash', valor: string): Promise<Acesso | undefined> => {
    const instante = now().getTime()
    const linha = await selectAcesso(db, coluna, valor, instante)
    if (!linha) return undefined
    await notarUso(db, linha, instante)
    return toAcesso(linha)
  }

  return {
    abrir: async (novo) => {
      const { linha, token } = toLinha(novo, now())
      await insertAcesso(db, linha)
      await deleteExcesso(db, novo.conta_id, MAIS_ACESSOS)
      return { acesso: toAcesso(linha), token }
    },
    abrirPorSenha: async (novo, senha_hash) => {
      const { linha, token } = toLinha(novo, now())
      if (!(await insertAcesso(db, linha, senha_hash))) return undefined
      await deleteExcesso(db, novo.conta_id, MAIS_ACESSOS)
      return { acesso: toAcesso(linha), token }
    },
    findByToken: (token) => find('hash', hashOf(token)),
    find: (id) => find('id', id),
    list: async (conta_id) => (await selectAcessos(db, conta_id, now().getTime())).map(toAcesso),
    encerrar: async (conta_id, id) => (await deleteAcessos(db, conta_id, { id })) > 0,
    encerrarTodos: (conta_id, { menos = '' } = {}) => deleteAcessos(db, conta_id, { menos }),
    sweep: async () => (await deleteEncerrados(db, now().getTime())) + (await deleteCodigosVelhos(db, now())),
  }
}

function toLinha({ agente, ...novo }: NovoAcesso, now: Date): { linha: AcessosTable; token: string } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const criado_em = now.getTime()
  const linha: AcessosTable = {
    ...novo,
    id: randomUUID(),
    hash: novo.tipo === 'painel' ? hashOf(token) : null,
    criado_em,
    visto_em: criado_em,
    expira_em: criado_em + VIDA_MS[novo.tipo],
    // A terminal that lists the logins must not obey it.
    agente: agente.replace(/\p{C}/gu, '').slice(0, MAIOR_AGENTE),
  }
  return { linha, token }
}

const toAcesso = ({ hash: _, ...linha }: AcessosTable): Acesso => ({
  ...linha,
  criado_em: new Date(linha.criado_em),
  visto_em: new Date(linha.visto_em),
  expira_em: new Date(linha.expira_em),
})
