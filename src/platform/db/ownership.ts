import { codeOf } from '../wire/error-code.ts'
import type { Connections } from './postgres.ts'
import { StoreError } from './store-error.ts'

/** What the role of DATABASE_URL may do in its schema, by PostgreSQL's own words. */
type Direitos = {
  usuario: string
  esquema: string
  cria: boolean
  /** Who owns the service's tables, where it is not this role, nor one that it belongs to. */
  dono: string | null
}

const DIREITOS = `
  select quote_ident(current_user) as usuario, quote_ident(s.nspname) as esquema,
    has_schema_privilege(s.oid, 'USAGE') and has_schema_privilege(s.oid, 'CREATE') as cria,
    (select quote_ident(pg_get_userbyid(c.relowner)) from pg_class c
      where c.relnamespace = s.oid and c.relname in ('esquema', 'usos') and not pg_has_role(c.relowner, 'USAGE')
      limit 1) as dono
  from pg_namespace s where s.nspname = coalesce(current_schema(), 'public')`

/** SQLSTATE of a statement that the role may not run. */
const FORBIDDEN = '42501'

/**
 * Runs what makes and alters tables. Throws StoreError, with the statements that mend it, where the role of
 * DATABASE_URL may not: each version may alter a table, and each month begins a new one.
 */
export async function asOwner<T>({ ask }: Connections, shown: string, work: () => Promise<T>): Promise<T> {
  const { rows } = await ask({ text: DIREITOS })
  const direitos: Direitos = rows[0] ?? {
    usuario: 'current_user',
    esquema: 'public',
    cria: false,
    dono: null,
  }
  if (!direitos.cria || direitos.dono !== null) throw refusalOf(direitos, shown)
  try {
    return await work()
  } catch (error) {
    if (codeOf(error) !== FORBIDDEN || !(error instanceof Error)) throw error
    throw refusalOf({ ...direitos, dono: 'outro' }, shown, error)
  }
}

function refusalOf({ usuario, esquema, cria, dono }: Direitos, shown: string, cause?: Error): StoreError {
  const lacks = [
    ...(cria ? [] : [`não pode criar tabelas no esquema ${esquema}`]),
    ...(dono === null ? [] : [`não é o dono das tabelas do serviço${cause ? '' : ` (são de ${dono})`}`]),
  ]
  const statements = [
    ...(cria ? [] : [`GRANT USAGE, CREATE ON SCHEMA ${esquema} TO ${usuario};`]),
    ...(dono === null ? [] : [`ALTER TABLE tabela OWNER TO ${usuario};`]),
  ]
  return new StoreError(
    `O usuário ${usuario} do PostgreSQL em ${shown} (DATABASE_URL) ${lacks.join(' e ')}${cause ? `: ${cause.message}` : ''}. ` +
      `O serviço cria e altera as suas tabelas. Como administrador desse banco, execute ${statements.join(' e ')}` +
      `${dono === null ? '' : ' (uma vez para cada tabela do serviço)'} e inicie de novo.`,
    { cause },
  )
}
