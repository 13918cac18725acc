import { dataBrasileira } from '../documento/dia.ts'
import type { EsquemaUsado, Laudo } from './rules-laudo.ts'

/** Such as "PL_010e_v1.02 (desde 03/08/2026, refeito por nós)"; in disputed days with "ou" and the other. */
export const nomeDoEsquema = ({ outro, ...um }: Laudo['esquema']): string =>
  outro ? `${descrever(um)} ou ${descrever(outro)}` : descrever(um)

const descrever = ({ pacote, desde, origem }: EsquemaUsado): string =>
  `${pacote} (desde ${dataBrasileira(desde)}, ${nomesDasOrigens[origem]})`

/** For people. */
export const nomesDasOrigens: Readonly<Record<EsquemaUsado['origem'], string>> = {
  oficial: 'oficial',
  reconstruido: 'refeito por nós',
  instalado: 'oficial, instalado pelo operador',
}
