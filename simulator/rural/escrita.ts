import { mascarar } from '../documento/mascara.ts'

/** An area in hectares as SIGEF writes it: `1.234,5678 ha`. */
export function hectaresBr(metros: number): string {
  const inteiros = String(Math.floor(metros / 10_000)).replace(/\B(?=(\d{3})+$)/g, '.')
  return `${inteiros},${String(metros % 10_000).padStart(4, '0')} ha`
}

/**
 * A holder's document as the page hides it (captured 2026-01-18): `***.123.456**` of a CPF,
 * `**.*12.345/0001**` of a CNPJ. Nothing of none.
 */
export function esconder(documento: string): string {
  if (documento === '') return ''
  return documento.length === 11
    ? `***${mascarar('.000.000', documento.slice(3, 9))}**`
    : `**.*${mascarar('00.000/0000', documento.slice(3, 12))}**`
}
