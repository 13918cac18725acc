import type { CodigoDaFalha } from '../platform/wire/fonte.ts'

/** A firewall, or a portal's guard against robots. Its words are compared as `fold` gives them. */
type Firewall = {
  codigo: CodigoDaFalha
  /** Follows the authority's name. */
  texto: string
  /** Words that stand on no other page: a page that carries them is the firewall's. */
  palavras: RegExp
  /** It sends a page of its own, on which nobody's document stands; a firm may be called as it speaks. */
  propria?: true
}

/** The firewalls of all states. Any page may be theirs, whatever its HTTP status. */
export const firewalls: readonly Firewall[] = [
  {
    codigo: 'waf',
    texto: 'bloqueou a consulta no seu firewall',
    // The F5 and Imperva pages of GO and MT, seen with status 200. F5's own page is in English.
    palavras: /ACESSO NEGADO.{0,500}POLITICA DE SEGURANCA|REQUISICAO FOI BLOQUEADA/,
  },
  {
    codigo: 'waf',
    texto: 'bloqueou a consulta no seu firewall',
    palavras:
      /REQUEST REJECTED(?! (?:[A-Z&]{1,20} ){0,5}(?:LTDA|EIRELI|S\/?A|ME|MEI|EPP)\b)|REQUESTED URL WAS REJECTED|INCAPSULA INCIDENT/,
    propria: true,
  },
  {
    codigo: 'waf',
    texto: 'quer ver um navegador (F5)',
    // F5's challenge, which SP's CADESP has since 2026-09: a script, and a text for clients that run none.
    palavras: /ENABLE JAVASCRIPT TO VIEW THE PAGE CONTENT|YOUR SUPPORT ID IS ?:? ?\d/,
    propria: true,
  },
  {
    codigo: 'cloudflare',
    texto: 'quer ver um navegador (Cloudflare)',
    palavras: /JUST A MOMENT ?(?:\.\.\.|…)|CHECKING YOUR BROWSER|ATTENTION REQUIRED! \| CLOUDFLARE/,
    propria: true,
  },
  {
    codigo: 'automatizada',
    texto: 'recusou a consulta como automatizada',
    palavras: /SEU COMPUTADOR OU REDE PODE ESTAR ENVIANDO CONSULTAS AUTOMATIZADAS/,
  },
]

/** A CNPJ or a CPF, whole or hidden in part. The ids of firewalls have other forms. */
const DOCUMENTO =
  /(?<![\d.-])(?:[\dA-Z*]{2}\.[\dA-Z*]{3}\.[\dA-Z*]{3}\/[\dA-Z*]{4}-[\d*]{2}|[\d*]{3}\.[\d*]{3}\.[\d*]{3}-[\d*]{2}|\d{14})(?![\d.-])/

/**
 * The firewall whose page this is: by what a reader sees of it, or by its title and what it says to those
 * without scripts. All words as `fold` gives them.
 */
export function findFirewall(vistas: string, ocultas = ''): Firewall | undefined {
  const temDocumento = DOCUMENTO.test(vistas)
  return firewalls.find(
    ({ palavras, propria }) =>
      palavras.test(ocultas) || (!(propria && temDocumento) && palavras.test(vistas)),
  )
}

/**
 * Parts of those words, and words of firewalls that nobody has named. A foot may have them too ("política de
 * segurança"), so they block only where they are the answer to a question.
 */
const naResposta =
  /ACESSO NEGADO|POLITICAS? DE SEGURANCA|NAO PODEMOS PROCESSAR (?:A )?SUA SOLICITACAO|REQUISICAO (?:FOI )?BLOQUEADA|CONSULTAS AUTOMATIZADAS|ACCESS DENIED|ATTENTION REQUIRED/

/** All words with which an answer, or a text in the place of a certificate, says that we are blocked. */
export const bloqueio = new RegExp(
  [naResposta, ...firewalls.map(({ palavras }) => palavras)].map(({ source }) => source).join('|'),
)
