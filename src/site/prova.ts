import type { Exemplo } from '../painel/experimentar/exemplos.ts'
import { drawDados, highlightJson } from '../painel/experimentar/resposta.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'

export const CASO = 'caso'

/** A case that may be tried: a document of the simulator, under a name that the form sends. */
export type Caso = Exemplo & { nome: string }

export type ProvaFeita = {
  caso: string
  resposta: unknown
  falha?: string
  /** The day on which it was recorded; undefined for an answer of now. */
  gravada?: string
}

export type Experimento = {
  /** Empty where nobody plays the authorities. */
  casos: readonly Caso[]
  prova: ProvaFeita | undefined
  gravadas: readonly ProvaFeita[]
  prefixo: string
}

/** The try of the first page: of the simulator, or where there is none an answer that was recorded. */
export function drawExperimento({ casos, prova, gravadas, prefixo }: Experimento): Html {
  if (casos.length === 0) return html`${gravadas.map((one) => drawProva(one))}`
  // What is shown and what is chosen are the same question.
  const mostrada = prova ?? gravadas.find(({ caso }) => casos.some(({ nome }) => nome === caso))
  return html`<form class="prova" method="post" action="${url(`${prefixo}/#prova`)}"><label for="caso">Escolha uma pergunta. Os documentos são fictícios.</label><select id="caso" name="${CASO}">${grupos(casos, mostrada?.caso ?? '')}</select><button class="botao" type="submit">Perguntar</button></form>${mostrada && drawProva(mostrada)}`
}

const TEMAS = [
  ['/api/consultar-cnpj', 'Cadastro de empresa (CNPJ)'],
  ['/api/consultar', 'Inscrição estadual (IE)'],
] as const

const grupos = (casos: readonly Caso[], chosen: string): Content =>
  TEMAS.map(
    ([caminho, nome]) =>
      html`<optgroup label="${nome}">${casos.filter(({ endpoint }) => endpoint === caminho).map((one) => opcao(one, one.nome === chosen))}</optgroup>`,
  )

function opcao({ nome, valores, nota }: Caso, isChosen: boolean): Html {
  const text = `${valores.cnpj ?? valores.cpf ?? valores.ie ?? ''} · ${nota}`
  return isChosen
    ? html`<option value="${nome}" selected="">${text}</option>`
    : html`<option value="${nome}">${text}</option>`
}

function drawProva({ caso, resposta, falha, gravada }: ProvaFeita): Html {
  const id = caso.replace(/\W+/g, '-')
  return html`<div class="resposta-da-prova"><p><code>GET ${caso}</code> ${
    gravada === undefined
      ? html`<span class="selo bom">Respondido agora, pelo simulador</span>`
      : html`<span class="selo nota">Resposta gravada em ${gravada}, do simulador</span>`
  }</p>${falha === undefined ? html`${drawDados(resposta)}<details><summary id="json-${id}">A resposta em JSON</summary>${highlightJson(resposta)}</details>` : html`<p class="faixa-aviso ruim">${falha}</p>`}</div>`
}
