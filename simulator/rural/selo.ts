import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Makes and knows values that only this simulator gives: they carry their end, so nothing is remembered. */
export type Selo = {
  /** 32 small letters and digits, as Django's `sessionid`. `sal`: four of them; drawn when left out. */
  emitir: (uso: string, ate: Date, sal?: string) => string
  /** How a value stands: ours and in force, ours and over, or none of ours. */
  conferir: (uso: string, valor: string | undefined, agora: Date) => 'vale' | 'vencido' | 'alheio'
}

/** The seals of one seed. A simulator that starts again with the same seed knows what it gave before. */
export function criarSelo(semente: string): Selo {
  const marcar = (uso: string, corpo: string): string =>
    createHmac('sha256', semente).update(`${uso} ${corpo}`).digest('hex').slice(0, 20)
  return {
    emitir: (uso, ate, sal = randomBytes(2).toString('hex')) => {
      const corpo = Math.floor(ate.getTime() / 1000)
        .toString(36)
        .padStart(8, '0')
      return corpo + sal + marcar(uso, corpo + sal)
    },
    conferir: (uso, valor = '', agora) => {
      if (!/^[0-9a-z]{32}$/.test(valor)) return 'alheio'
      const nosso = timingSafeEqual(
        Buffer.from(marcar(uso, valor.slice(0, 12))),
        Buffer.from(valor.slice(12)),
      )
      if (!nosso) return 'alheio'
      return Number.parseInt(valor.slice(0, 8), 36) * 1000 > agora.getTime() ? 'vale' : 'vencido'
    },
  }
}
