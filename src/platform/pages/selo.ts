import type { Situacao } from '../../sefaz/classificacao.ts'
import { type Html, html } from './web-html.ts'

const cores = ['', 'bom', 'lento', 'lento', 'ruim', 'ruim'] as const

/** A class in words. */
export const seloDaSituacao = ({ status_code, status }: Situacao): Html =>
  html`<span class="selo ${cores[status_code]}">${status}</span>`
