import { type Content, type Html, html } from './web-html.ts'

/** A field of a form. */
export type CampoDoFormulario = {
  nome: string
  rotulo: string
  tipo: 'email' | 'password' | 'text'
  /** What a password manager fills it by (HTML, 4.10.18.7). */
  autocomplete: 'current-password' | 'name' | 'new-password' | 'off' | 'username'
  maior: number
  menor?: number
  dica?: Content
  valor?: string
}

/** What is wrong with a form that was sent: a sentence for each field, and one for the whole under ''. */
export type Falhas = Readonly<Record<string, string>>

/** What stands above the form that was sent, and names each wrong field; nothing where all is well. */
export function avisoDasFalhas(falhas: Falhas): Content {
  const { '': geral, ...campos } = falhas
  const nomes = Object.keys(campos)
  if (geral === undefined && nomes.length === 0) return undefined
  return html`<div class="faixa-aviso ruim" id="falha" role="alert"><div>${geral !== undefined && html`<p>${geral}</p>`}${
    nomes.length > 0 && html`<p>Confira o que está marcado abaixo.</p>`
  }</div></div>`
}

/**
 * Draws the fields of a form, each with what is wrong with it. The first wrong one has the focus, and so has
 * the last one where the whole is wrong: a reader hears why.
 */
export function campos(all: readonly CampoDoFormulario[], falhas: Falhas = {}): Html {
  const wrong = all.find(({ nome }) => falhas[nome] !== undefined)
  const marked = wrong ?? (falhas[''] === undefined ? undefined : all.at(-1))
  return html`${all.map((one) => campo(one, falhas[one.nome], one === marked))}`
}

function campo(one: CampoDoFormulario, falha: string | undefined, isMarked: boolean): Html {
  const { nome, rotulo, dica } = one
  return html`<div class="campo"><label for="${nome}">${rotulo}</label>${
    dica !== undefined && html`<p class="suave" id="${nome}-dica">${dica}</p>`
  }${isMarked ? entradaMarcada(one, falha) : entrada(one, falha)}<p class="falha" id="${nome}-falha">${falha}</p></div>`
}

const entrada = (one: CampoDoFormulario, falha: string | undefined): Html =>
  html`<input id="${one.nome}" name="${one.nome}" type="${one.tipo}" value="${one.valor}" autocomplete="${one.autocomplete}" autocapitalize="${capitalsOf(one)}" spellcheck="false" required="" minlength="${one.menor ?? 0}" maxlength="${one.maior}" aria-invalid="${falha === undefined ? 'false' : 'true'}" aria-describedby="${describedBy(one, false)}"/>`

/** The same with the focus: an attribute without a value is there or not. */
const entradaMarcada = (one: CampoDoFormulario, falha: string | undefined): Html =>
  html`<input autofocus="" id="${one.nome}" name="${one.nome}" type="${one.tipo}" value="${one.valor}" autocomplete="${one.autocomplete}" autocapitalize="${capitalsOf(one)}" spellcheck="false" required="" minlength="${one.menor ?? 0}" maxlength="${one.maior}" aria-invalid="${falha === undefined ? 'false' : 'true'}" aria-describedby="${describedBy(one, true)}"/>`

const capitalsOf = ({ autocomplete }: CampoDoFormulario): string =>
  autocomplete === 'name' ? 'words' : 'none'

const describedBy = ({ nome, dica }: CampoDoFormulario, isMarked: boolean): string =>
  [isMarked && 'falha', dica !== undefined && `${nome}-dica`, `${nome}-falha`].filter(Boolean).join(' ')
