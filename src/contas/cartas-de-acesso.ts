import type { Carta } from '../platform/correio.ts'
import type { Db } from '../platform/db/db.ts'
import { networkOf } from '../platform/limits.ts'
import { codigoDaConta, codigoDoCadastro } from './cadastro.ts'
import { escreverCarta, type MotivoDaCarta, pedirCarta } from './cartas.ts'
import { type Conta, findContaByEmail, getConta } from './conta.ts'
import type { ContasRoom } from './contas.ts'
import { normalizarEmail } from './rules.ts'
import { criarCodigo } from './store-codigos.ts'
import { type Aguarde, contarTentativa, FILA_S } from './tentar.ts'

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
  room: Pick<ContasRoom, 'db' | 'secret' | 'now'>,
  motivo: MotivoDaCarta,
  publico: string,
): Promise<Carta | undefined> {
  const { now, db } = room
  const linkOf = (pagina: string, codigo: string) => `${publico}/${pagina}/?codigo=${codigo}`
  switch (motivo.tipo) {
    case 'cadastro': {
      const { tipo: _, ...pedido } = motivo
      const para = pedido.email
      if (await findContaByEmail(db, para))
        return escreverCarta('ja-tem-conta', { para, link: `${publico}/recuperar-senha/` })
      const codigo = await codigoDoCadastro(room, pedido)
      return escreverCarta('confirmar', { para, link: linkOf('confirmar-email', codigo) })
    }
    case 'redefinir': {
      const conta = await findContaByEmail(db, motivo.email)
      if (!conta) return undefined
      const codigo = await codigoDaSenha(db, conta, { vidaMs: VIDA_MS, now: now() })
      return escreverCarta('redefinir', { para: conta.email, link: linkOf('nova-senha', codigo) })
    }
    case 'confirmar': {
      const conta = await getConta(db, motivo.conta_id)
      const codigo = await codigoDaConta(room, conta)
      return escreverCarta('confirmar-conta', { para: conta.email, link: linkOf('confirmar-email', codigo) })
    }
    case 'senha-trocada': {
      const { email } = await getConta(db, motivo.conta_id)
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

/**
 * Asks for a letter with a code that sets a new password, by the same work for an e-mail without an account.
 * `carta` is false where the service sends none; `jaForam`: letters of this hour are there, and still good.
 */
export async function pedirTrocaDeSenha(
  room: ContasRoom,
  { email, endereco }: { email: string; endereco: string },
): Promise<{ carta: boolean } | 'email-invalido' | (Aguarde & { jaForam: boolean })> {
  if (room.config.SMTP_URL === undefined) return { carta: false }
  const normal = normalizarEmail(email)
  if (normal === undefined) return 'email-invalido'
  const rede = networkOf(endereco)
  const { recusa } = await contarTentativa(
    room,
    [
      ['carta/endereco', rede],
      ['carta/par', `${normal} ${rede}`],
      ['carta/email', normal],
    ],
    { email: normal, rede },
  )
  if (recusa) return { esperaS: recusa.esperaS, jaForam: recusa.de !== 'carta/endereco' }
  const pedida = await pedir(room, { tipo: 'redefinir', email: normal })
  return 'esperaS' in pedida ? { ...pedida, jaForam: false } : pedida
}

/** Asks for a letter by which the owner of an account proves its e-mail. */
export async function pedirConfirmacao(
  room: ContasRoom,
  { id }: Pick<Conta, 'id'>,
): Promise<{ carta: boolean } | Aguarde> {
  // He is in: what strangers ask for in his name does not count here.
  const recusa = await room.attempts.take(['carta/conta', id])
  if (recusa) return { esperaS: recusa.esperaS }
  return pedir(room, { tipo: 'confirmar', conta_id: id })
}

async function pedir(
  room: ContasRoom,
  motivo: Parameters<typeof pedirCarta>[1],
): Promise<{ carta: boolean } | Aguarde> {
  if (await pedirCarta(room, motivo)) return { carta: true }
  return room.config.SMTP_URL === undefined ? { carta: false } : { esperaS: FILA_S }
}
