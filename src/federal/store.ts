import type { Kysely } from 'kysely'
import { endOfDay } from '../documento/dia.ts'
import type { Db } from '../platform/db/db.ts'
import { deleteExpired, openDurable, relaxed } from '../platform/db/queries.ts'
import type { CertidoesTable, Tables } from '../platform/db/tables.ts'
import { openSelo, openText, sealText } from '../platform/secrets.ts'
import { trusted } from '../platform/trusted.ts'
import type { CertidaoFederal, RecusaFederal } from './certidao.ts'
import { deleteAnuncio, selectRegistro, upsertRegistro } from './registro-io.ts'

/** A certificate as the authority gave it. `fonte` is the id of the source that did. */
type CertidaoAnotada = { certidao: CertidaoFederal; fonte: string }

/** A refusal as the authority gave it, with notices for the client. */
type RecusaAnotada = { recusa: RecusaFederal; fonte: string; avisos: string[] }

/** All that is kept of a CNPJ. */
export type RegistroFederal = {
  guardada: (CertidaoAnotada & { conferidaEm: Date; emissao: EmissaoGuardada | undefined }) | undefined
  /** The last refusal, if the authority gave no certificate since. */
  recusada: (RecusaAnotada & { em: Date }) | undefined
  /** How far the running issuance is. Whoever noted it knows its shape. */
  andamento: unknown
}

/** The issuance of ours that made a certificate. `anunciada`: a caller was told to come back for it. */
type EmissaoGuardada = { fim: Date; anunciada: boolean }

/** A CNPJ as jobs carry it: nobody who reads their table sees it. */
type CnpjSelado = { chave: string; selado: string }

/**
 * The federal certificates, by CNPJ, with what their issuance has come to. The database holds a keyed hash of
 * the CNPJ and seals the rest, so that another secret or environment finds nothing.
 */
export type Certidoes = {
  find: (cnpj: string) => Promise<RegistroFederal>
  /** Writes down how far an issuance is; it is on the disk when this resolves. */
  noteAndamento: (cnpj: string, andamento: object) => Promise<void>
  /** Keeps a certificate until it ends, in a transaction; `emissao` is the job that issued it. */
  keep: (on: Connection, cnpj: string, kept: CertidaoAnotada & { emissao: string | null }) => Promise<void>
  /** Keeps a refusal for an hour, in a transaction. A certificate that is kept stays. */
  keepRecusa: (on: Connection, cnpj: string, kept: RecusaAnotada) => Promise<void>
  /** Forgets an issuance that came to nothing, in a transaction. */
  dropAndamento: (on: Connection, cnpj: string) => Promise<void>
  /** A caller is told to come back for what this job issues; it is on the disk when this resolves. */
  announce: (cnpj: string, job: string) => Promise<void>
  /** A caller gets the issuance that was announced. */
  deliver: (cnpj: string) => Promise<void>
  seal: (cnpj: string) => CnpjSelado
  /** The CNPJ of a job; undefined where another secret or environment made it. */
  open: (sealed: CnpjSelado) => string | undefined
  /** Deletes what has ended. Returns how many. */
  sweep: () => Promise<number>
}

type Connection = Kysely<Tables>

const HOUR_MS = 60 * 60_000
/** An issuance that ended nowhere is forgotten, and so is its announcement. */
const ISSUANCE_MS = 24 * HOUR_MS

type Options = { now: () => Date; ambiente: string; secret: string }

/** Opens the certificates of a database. */
export function openCertidoes(db: Db, { now, ambiente, secret }: Options): Certidoes {
  const selo = openSelo(secret, 'certidao federal')
  const durable = openDurable(db)
  const chaveOf = (cnpj: string): string => selo.mac(JSON.stringify([ambiente, cnpj]))
  const sealJson = (value: unknown, chave: string, what: string): string =>
    sealText(selo, JSON.stringify(value), `${what}/1 ${chave}`)
  const inFuture = (ms: number): number => now().getTime() + ms

  /** Opens what `sealJson` sealed. The caller's type is proven by the seal, which names kind and shape. */
  function openJson<T>(sealed: string | null, chave: string, what: string): T | undefined {
    const text = sealed === null ? undefined : openText(selo, sealed, `${what}/1 ${chave}`)
    return text === undefined ? undefined : trusted<T>(JSON.parse(text))
  }

  function registroOf(row: CertidoesTable): RegistroFederal {
    const { chave, emissao, emitida_em, anunciada, conferida_em, recusada_em } = row
    const kept = openJson<CertidaoAnotada>(row.certidao, chave, 'certidao')
    const recusa = openJson<RecusaAnotada>(row.recusa, chave, 'recusa')
    const made =
      emissao === null ? undefined : { fim: new Date(emitida_em), anunciada: anunciada === emissao }
    return {
      guardada: kept && { ...kept, conferidaEm: new Date(conferida_em), emissao: made },
      recusada: recusa && { ...recusa, em: new Date(recusada_em) },
      andamento: openJson<unknown>(row.andamento, chave, 'andamento'),
    }
  }

  return {
    find: async (cnpj) => {
      const row = await selectRegistro(db.kysely, chaveOf(cnpj))
      return row ? registroOf(row) : { guardada: undefined, recusada: undefined, andamento: undefined }
    },
    noteAndamento: (cnpj, noted) => {
      const chave = chaveOf(cnpj)
      const change = { andamento: sealJson(noted, chave, 'andamento'), ate: inFuture(ISSUANCE_MS) }
      return durable((on) => upsertRegistro(on, chave, change))
    },
    keep: (on, cnpj, { emissao, certidao, fonte }) => {
      const chave = chaveOf(cnpj)
      const instant = now().getTime()
      return upsertRegistro(on, chave, {
        certidao: sealJson({ certidao, fonte }, chave, 'certidao'),
        conferida_em: instant,
        emissao,
        emitida_em: emissao === null ? 0 : instant,
        andamento: null,
        recusa: null,
        recusada_em: 0,
        ate: endOfDay(certidao.validade)?.getTime() ?? instant,
      })
    },
    keepRecusa: (on, cnpj, { recusa, fonte, avisos }) => {
      const chave = chaveOf(cnpj)
      return upsertRegistro(on, chave, {
        recusa: sealJson({ recusa, fonte, avisos }, chave, 'recusa'),
        recusada_em: now().getTime(),
        andamento: null,
        ate: inFuture(HOUR_MS),
      })
    },
    dropAndamento: (on, cnpj) => upsertRegistro(on, chaveOf(cnpj), { andamento: null, ate: inFuture(0) }),
    announce: (cnpj, job) =>
      durable((on) => upsertRegistro(on, chaveOf(cnpj), { anunciada: job, ate: inFuture(ISSUANCE_MS) })),
    deliver: (cnpj) => relaxed(db, (on) => deleteAnuncio(on, chaveOf(cnpj))),
    seal: (cnpj) => {
      const chave = chaveOf(cnpj)
      return { chave, selado: selo.seal(cnpj, `cnpj ${chave}`) }
    },
    open: ({ chave, selado }) => {
      const cnpj = selo.open(selado, `cnpj ${chave}`)?.toString()
      return cnpj !== undefined && chaveOf(cnpj) === chave ? cnpj : undefined
    },
    sweep: () => deleteExpired(db.kysely, 'certidoes', now().getTime()),
  }
}
