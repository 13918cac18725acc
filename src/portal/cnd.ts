import type { Classificacao, SituacaoDita } from './classificacao.ts'
import { first, naoInscrito, recusaPorDebitos } from './cnd-frase.ts'
import { classifyPapel } from './papel.ts'
import {
  aguardando,
  certifica,
  cobraCampo,
  daMateria,
  naoResultados,
  recusa,
  semCertidaoDita,
} from './rules-certidao.ts'
import { readDividas } from './rules-dividas.ts'
import { type Linha, lineOf, wordsAt } from './rules-palavras.ts'
import { withoutDuvida } from './rules-titular.ts'

/** The kind of a text: a certificate, or a page without one. */
export type OrigemDoTexto = 'pdf' | 'pagina'

/** How a state prints its certificates, if a part of the paper says nothing of the outcome. */
export type MolduraDaCertidao = {
  /** It matches the title. A paper without a title is not understood. */
  titulo?: RegExp
  /** It matches where the foot begins. The foot is the same for all outcomes (GO's speaks of debts). */
  rodape?: RegExp
}

/** No message of a state was longer. A page is longer. */
const LONGEST_MESSAGE = 600

/** No paper and no page is longer. A longer text may have lost a part. */
const LONGEST = 200_000

/**
 * Reads the outcome of a certificate (`pdf`), or of a message or page without one (`pagina`). A
 * contradiction, or unknown words, is `nao-entendido`; `sem_certidao` is a short refusal in words of the
 * trade.
 */
export function classifyCertidao(
  texto: string,
  origem: OrigemDoTexto,
  moldura: MolduraDaCertidao = {},
): Classificacao {
  if (texto.length > LONGEST) return naoEntendido
  if (origem === 'pagina') return classifyPagina(lineOf(texto))
  const lida = classifyFramed(lineOf(texto), moldura)
  if (lida.situacao === 'positiva' || lida.situacao === 'nao-entendido') return lida
  // Where a name ends may be in doubt. No word in it makes a paper better.
  const certa = classifyFramed(lineOf(texto, withoutDuvida), moldura)
  const isSaid =
    certa.situacao === lida.situacao ||
    (certa.situacao === 'nao-entendido' && certa.frase.includes(lida.frase))
  return isSaid ? lida : { situacao: 'nao-entendido', frase: lida.frase }
}

/**
 * Finds a refusal (captcha, firewall, closed…) that a page of any state may show. Undefined if there is none.
 */
export const findRecusa = (texto: string): SituacaoDita | undefined =>
  first(lineOf(texto.slice(0, LONGEST)), naoResultados)?.situacao

function classifyFramed(linha: Linha, { titulo, rodape }: MolduraDaCertidao): Classificacao {
  if (titulo && !titulo.exec(linha.folded)?.[0]) return naoEntendido
  return classifyPapel(rodape ? beforeFoot(linha, titulo, rodape) : linha)
}

/** The line up to its foot. The foot comes after the title. */
function beforeFoot({ plain, folded }: Linha, titulo: RegExp | undefined, rodape: RegExp): Linha {
  const title = titulo?.exec(folded)
  const from = title ? title.index + title[0].length : 0
  const at = folded.slice(from).search(rodape)
  const end = at < 0 ? undefined : from + at
  return { plain: plain.slice(0, end), folded: folded.slice(0, end) }
}

function classifyPagina(linha: Linha): Classificacao {
  const none = first(linha, naoResultados)
  if (none) return none
  if (certifica.test(linha.folded)) return classifyPapel(linha)
  const { deve, nadaDeve } = readDividas(linha.folded)
  if (deve && nadaDeve) return { situacao: 'nao-entendido', frase: linha.plain.slice(0, LONGEST_MESSAGE) }
  if (deve) return { situacao: 'positiva', frase: wordsAt(linha, deve.inicio, deve.fim) }
  const said = first(linha, [recusaPorDebitos, naoInscrito, semCertidaoDita, aguardando])
  if (said) return said
  // One word ("Atenção") is the title of an empty box. A taxpayer without debts would have got a certificate.
  const { plain, folded } = linha
  const isMessage =
    plain.includes(' ') && plain.length <= LONGEST_MESSAGE && !cobraCampo.test(folded) && !nadaDeve
  const isRefusal = isMessage && daMateria.test(folded) && recusa.test(folded)
  return isRefusal ? { situacao: 'sem_certidao', frase: plain } : naoEntendido
}

const naoEntendido: Classificacao = { situacao: 'nao-entendido', frase: '' }
