import type { Situacao } from '../../domain/sefaz/classificacao.ts'
import { type Html, html } from '../html.ts'

const cores = ['', 'bom', 'lento', 'lento', 'ruim', 'ruim'] as const

/** A class in words. */
export const seloDaSituacao = ({ status_code, status }: Situacao): Html =>
  html`<span class="selo ${cores[status_code]}">${status}</span>`

/** `0,42 s` */
export const formatSegundos = (seconds: number): string =>
  `${seconds.toLocaleString('pt-BR', { minimumFractionDigits: 2, maximumFractionDigits: 2 })} s`
