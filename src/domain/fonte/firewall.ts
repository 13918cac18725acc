import type { CodigoDaFalha } from './codigo.ts'

/** A firewall, or a portal's guard against robots. Its words are compared as `fold` gives them. */
type Firewall = {
  codigo: CodigoDaFalha
  /** Follows the authority's name. */
  texto: string
  /** Words that stand on no other page: a page that carries them is the firewall's. */
  palavras: RegExp
}

/** The firewalls of all states. Any page may be theirs, whatever its HTTP status. */
export const firewalls: readonly Firewall[] = [
  {
    codigo: 'waf',
    texto: 'bloqueou a consulta no seu firewall',
    // The F5 and Imperva pages of GO and MT, seen with status 200. F5's own page is in English.
    palavras:
      /ACESSO NEGADO.{0,500}POLITICA DE SEGURANCA|REQUISICAO FOI BLOQUEADA|REQUEST REJECTED(?! (?:[A-Z&]{1,20} ){0,5}(?:LTDA|EIRELI|S\/?A|ME|MEI|EPP)\b)|REQUESTED URL WAS REJECTED|INCAPSULA INCIDENT/,
  },
  {
    codigo: 'waf',
    texto: 'quer ver um navegador (F5)',
    // F5's challenge, which SP's CADESP has since 2026-09: a script, and a text for clients that run none.
    palavras: /ENABLE JAVASCRIPT TO VIEW THE PAGE CONTENT|YOUR SUPPORT ID IS ?:? ?\d/,
  },
  {
    codigo: 'cloudflare',
    texto: 'quer ver um navegador (Cloudflare)',
    palavras: /JUST A MOMENT ?(?:\.\.\.|…)|CHECKING YOUR BROWSER|ATTENTION REQUIRED! \| CLOUDFLARE/,
  },
  {
    codigo: 'automatizada',
    texto: 'recusou a consulta como automatizada',
    palavras: /SEU COMPUTADOR OU REDE PODE ESTAR ENVIANDO CONSULTAS AUTOMATIZADAS/,
  },
]

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
