import type { Situacao } from '../../domain/sefaz/classificacao.ts'
import { type Html, html } from '../html.ts'

const cores = ['', 'bom', 'lento', 'lento', 'ruim', 'ruim'] as const

/** A class in words, with its mean time where there is one. */
export const seloDaSituacao = ({ status_code, status, status_avg }: Situacao): Html =>
  html`<span class="selo ${cores[status_code]}">${status}${status_avg > 0 && ` ${formatSegundos(status_avg)}`}</span>`

/** `0,42 s` */
export const formatSegundos = (seconds: number): string =>
  `${seconds.toLocaleString('pt-BR', { minimumFractionDigits: 2, maximumFractionDigits: 2 })} s`
