import type { Carta } from '../platform/correio.ts'
import type { Db } from '../platform/db/db.ts'
import { codigoDaConta, codigoDoCadastro } from './cadastro.ts'
import type { MotivoDaCarta } from './cartas.ts'
import { findContaByEmail, getConta } from './conta.ts'
import { criarCodigo } from './store-codigos.ts'
import { escreverCarta } from './textos.ts'

type Recursos = { now: () => Date; store: { db: Db; secret: string } }

/**
 * How long a letter with a code for a new password may lie. Longer than the hour in which strangers may use
 * up the letters of an e-mail: its owner always has one whose code is good.
 */
const VIDA_MS = 2 * 3_600_000

/**
 * Writes the letter that was asked for, with its code; undefined where nobody is to get one. `publico` is the
 * address of the service, without a slash at its end.
 */
export async function escrever(
  recursos: Recursos,
  motivo: MotivoDaCarta,
  publico: string,
): Promise<Carta | undefined> {
  const { now, store } = recursos
  const linkOf = (pagina: string, codigo: string) => `${publico}/${pagina}/?codigo=${codigo}`
  switch (motivo.tipo) {
    case 'cadastro': {
      const { tipo: _, ...pedido } = motivo
      const para = pedido.email
      if (await findContaByEmail(store.db, para))
        return escreverCarta('ja-tem-conta', { para, link: `${publico}/recuperar-senha/` })
      const codigo = await codigoDoCadastro(recursos, pedido)
      return escreverCarta('confirmar', { para, link: linkOf('confirmar-email', codigo) })
    }
    case 'redefinir': {
      const conta = await findContaByEmail(store.db, motivo.email)
      if (!conta) return undefined
      const codigo = await codigoDaSenha(store.db, conta, { vidaMs: VIDA_MS, now: now() })
      return escreverCarta('redefinir', { para: conta.email, link: linkOf('nova-senha', codigo) })
    }
    case 'confirmar': {
      const conta = await getConta(store.db, motivo.conta_id)
      const codigo = await codigoDaConta(recursos, conta)
      return escreverCarta('confirmar-conta', { para: conta.email, link: linkOf('confirmar-email', codigo) })
    }
    case 'senha-trocada': {
      const { email } = await getConta(store.db, motivo.conta_id)
      return escreverCarta('senha-trocada', { para: email, link: `${publico}/recuperar-senha/` })
    }
  }
}

/** Makes the code by which the owner of an account sets a new password, once. */
export const codigoDaSenha = (
  db: Db,
  { id, email }: { id: string; email: string },
  { vidaMs, now }: { vidaMs: number; now: Date },
): Promise<string> => criarCodigo(db, { tipo: 'redefinir', conta_id: id, email, vidaMs, now })
