import type { Rejeicao } from '../rules.ts'
import { plain } from '../rules-busca.ts'

/** What the authority's answer says beside its code. */
export type Resposta = {
  codigo: number | undefined
  /** The number of the item, `[nItem: 5]`. */
  nItem: string | undefined
  /** The key of the note that the authority has, `[chNFe: …]`. */
  chave: string | undefined
}

/** The authority's sentence has 255 characters at most (MOC 7.0, xMotivo); what is behind is not read. */
const MAIOR = 500

/** Reads the code and the sentence that the authority returned. The code may stand in the sentence alone. */
export function lerResposta(
  cstat: number | undefined,
  motivo: string | undefined,
  porCodigo: ReadonlyMap<number, Rejeicao>,
): Resposta {
  const texto = motivo?.slice(0, MAIOR) ?? ''
  return {
    codigo: cstat ?? codigoEscrito(texto) ?? codigoDaFrase(texto, porCodigo),
    nItem: /\[\s*n?Item\s*:\s*0*(\d{1,3})\s*\]/i.exec(texto)?.[1],
    chave: /\[\s*chNFe\s*:\s*([0-9A-Z]{44})\s*\]/i.exec(texto)?.[1],
  }
}

/** What the reader should know where what the authority returned leads to no entry of the catalogue. */
export function avisosDaResposta(
  { codigo }: Resposta,
  motivo: string | undefined,
  porCodigo: ReadonlyMap<number, Rejeicao>,
): string[] {
  if (porCodigo.size === 0) return []
  if (codigo === undefined)
    return motivo?.trim()
      ? [
          'O texto informado não é o motivo de uma rejeição conhecida: informe o código (cStat) que a SEFAZ devolveu.',
        ]
      : []
  return porCodigo.has(codigo)
    ? []
    : [`O código ${codigo} não está no catálogo de rejeições: confira o cStat na resposta da SEFAZ.`]
}

/** `539`, `539 - Rejeição…`, `cStat: 539`, `Rejeição 539: …`. */
function codigoEscrito(texto: string): number | undefined {
  const achado =
    /^\s*(\d{3,4})\b/.exec(texto) ?? /\b(?:cStat|Rejei[cç][aã]o|c[oó]digo)\W{0,4}(\d{3,4})\b/i.exec(texto)
  return achado ? Number(achado[1]) : undefined
}

function codigoDaFrase(texto: string, porCodigo: ReadonlyMap<number, Rejeicao>): number | undefined {
  const frase = simplificar(texto)
  if (frase.length < 8) return undefined
  const iguais = [...porCodigo.values()].filter(({ motivo }) => simplificar(motivo) === frase)
  return iguais.length === 1 ? iguais[0]?.codigo : undefined
}

/** Without the prefix, the placeholders, accents and marks, which vary from authority to authority. */
const simplificar = (texto: string): string =>
  plain(texto)
    .replace(/^\s*rejeicao\W*/, '')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
