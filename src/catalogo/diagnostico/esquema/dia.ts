import { diaDe } from '../../../domain/sefaz/dia.ts'
import type { NotaAberta } from '../nota/abrir.ts'
import { descer } from '../nota/lugar.ts'
import type { DiaDoEsquema } from './calendario.ts'

/**
 * The day and the environment of a note's schema: the protocol's moment, else `dhEmi`, else today. What
 * `tpAmb` does not say is production.
 */
export function diaDoEsquema(
  { infNFe, autorizadaEm }: Pick<NotaAberta, 'infNFe' | 'autorizadaEm'>,
  agora: Date,
): DiaDoEsquema {
  const emissao = descer(infNFe, 'ide/dhEmi')?.texto.trim() ?? ''
  return {
    dia: lerDia(autorizadaEm ?? '') ?? lerDia(emissao) ?? diaDe(agora.getTime()),
    ambiente: descer(infNFe, 'ide/tpAmb')?.texto.trim() === '2' ? '2' : '1',
  }
}

/** The day as the issuer's clock has it; of an instant in Z the day in Brasília. */
function lerDia(instante: string): string | undefined {
  const [, dia, fuso] = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}(Z|[+-]\d{2}:\d{2})$/.exec(instante) ?? []
  const quando = Date.parse(instante)
  if (dia === undefined || Number.isNaN(quando)) return undefined
  return fuso === 'Z' ? diaDe(quando) : dia
}
