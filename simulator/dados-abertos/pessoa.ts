import type { Plano } from './plano.ts'

/** A person's name, upper case, no accents: one or two first names and one to three surnames. */
export function nomeDePessoa({ vocabulario: v, aleatorio: a }: Plano): string {
  let nome = v.prenome(a)
  if (a.chance(0.42)) nome += ` ${v.prenome(a)}`
  if (a.chance(0.3)) nome += ` ${v.sobrenome(a)}`
  nome += a.chance(0.35) ? ` ${PARTICULAS[a.ate(4)]} ${v.sobrenome(a)}` : ` ${v.sobrenome(a)}`
  if (a.chance(0.35)) nome += ` ${v.sobrenome(a)}`
  return nome
}

const PARTICULAS = ['DE', 'DA', 'DOS', 'DO'] as const

/** A company's name without the words that tell its kind. */
export function nomeDeNegocio({ vocabulario: v, aleatorio: a }: Plano): string {
  const forma = a.ate(5)
  if (forma === 0) return `${v.rara(a)} ${v.ramo(a)} E ${v.ramo(a)}`
  if (forma === 1) return `${v.sobrenome(a)} & ${v.sobrenome(a)} ${v.ramo(a)}`
  if (forma === 2) return `${v.ramo(a)} ${v.fantasia(a)} ${v.fantasia(a)}`
  if (forma === 3) return `${v.rara(a)} ${v.ramo(a)} DE ${v.ramo(a)}`
  return `${v.prenome(a)} ${v.sobrenome(a)} ${v.ramo(a)}`
}

/** A day as AAAAMMDD, `anos` years at most before the extraction, recent days likelier. */
export function dataPassada({ aleatorio: a, hoje }: Plano, anos: number): string {
  const u = a.ate(1_000_000) / 1_000_000
  const ano = hoje.ano - 1 - Math.floor(anos * u * u * u)
  const mes = 1 + a.ate(12)
  const dia = 1 + a.ate(28)
  return String(ano * 10_000 + mes * 100 + dia)
}
