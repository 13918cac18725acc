import type { Apresentacao } from '../../platform/pages/apresentacao.ts'
import { findEntry, markup } from '../../platform/pages/erros-textos.ts'
import { countOf, formatNumero } from '../../platform/pages/formatos.ts'
import { type Content, html, url } from '../../platform/pages/html.ts'
import { lista, membro, texto } from './json.ts'
import { type EntradaDoPainel, findPergunta } from './perguntas.ts'

/** What the API answered, and what it cost. */
export type Respondida = {
  http: number
  corpo: unknown
  request_id: string
  /** The credits that it cost; undefined where the answer does not say, as that of one who left. */
  cobrados: number | undefined
  /** Seconds until it may be repeated with hope. */
  retryS: number | undefined
  /** The month of the monthly base that answered, AAAA-MM. */
  base?: string | undefined
  ms: number
}

/** A question that was asked, with its answer: what is kept, and what a page of it is drawn from. */
export type Feita = {
  pergunta: string
  entrada: EntradaDoPainel
  respondida: Respondida
  /** Of a question to all states: the calls that asked some of them again, and what each cost. */
  refeitas: readonly { uf: string; request_id: string; cobrados: number }[]
}

/** What was asked, and where: Certidão estadual · Rio Grande do Sul. */
export const assuntoDe = ({ pergunta }: Feita, { onde }: Apresentacao): string =>
  [findPergunta(pergunta)?.nome, onde].filter(Boolean).join(' · ')

/** `restantes`: what the account has now, which other calls may have changed since. */
export function custoDe({ respondida, refeitas }: Feita, restantes: number): string {
  if (respondida.http === 200 && respondida.cobrados === undefined)
    return `só o que chegou, e o registro diz quanto · restam ${formatNumero(restantes)}`
  const all = refeitas.reduce((sum, one) => sum + one.cobrados, respondida.cobrados ?? 0)
  const cost = all === 0 ? 'Nada foi cobrado' : countOf(all, 'crédito', 'créditos')
  return `${cost} · restam ${formatNumero(restantes)}`
}

/** What a refusal or a failure says: its own words, and what to do. */
export function apresentarFalha({ corpo, retryS }: Respondida, prefixo: string): Apresentacao {
  const codigo = texto(membro(corpo, 'error_code'))
  return {
    tom: 'ruim',
    veredito: texto(membro(corpo, 'title')) || 'A consulta falhou',
    nome: '',
    frase: html`${texto(membro(corpo, 'detail'))}${conselho(codigo, corpo)}`,
    fatos: [
      ...(retryS === undefined ? [] : [{ rotulo: 'Vale repetir', valor: `em ${formatNumero(retryS)} s` }]),
      ...(codigo === ''
        ? []
        : [
            {
              rotulo: 'Código',
              valor: html`<a href="${url(`${prefixo}/erros#${codigo}`)}"><code>${codigo}</code></a>`,
            },
          ]),
    ],
    partes: [],
  }
}

function conselho(codigo: string, corpo: unknown): Content {
  const entry = findEntry(codigo)
  const motivos = lista(membro(corpo, 'errors')).map((one) => texto(membro(one, 'reason')))
  return [
    motivos.length > 1 && html`<ul>${motivos.map((one) => html`<li>${one}</li>`)}</ul>`,
    // What names a parameter is for programmers, who find it by the code.
    entry && !entry.action.includes('`') && html`<p>${markup(entry.action)}</p>`,
  ]
}
