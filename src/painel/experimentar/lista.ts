import { formatNumero } from '../../platform/pages/formatos.ts'
import { type Content, type Html, html, url } from '../../platform/pages/html.ts'
import { cartao } from '../../platform/pages/layout.ts'
import type { ConsultaDaApi } from './consulta.ts'

/** The lookups by their themes, each with what it costs. */
export function escreverLista(
  consultas: readonly ConsultaDaApi[],
  {
    enderecoDe,
    restantes,
    diagnostico,
  }: { enderecoDe: (id: string) => string; restantes: number; diagnostico: string },
): Html {
  const temas = new Map<string, ConsultaDaApi[]>()
  for (const one of consultas) temas.set(one.tema, [...(temas.get(one.tema) ?? []), one])
  return html`<div class="topo"><div><h1>Experimentar</h1><p class="suave">Cada consulta é feita de verdade, em nome da sua conta: entra no registro e no uso, e custa o que se diz. Restam <b>${formatNumero(restantes)}</b> créditos.</p></div></div>
<div class="grade">${[...temas].map(([tema, dele], at) =>
    cartao(
      { titulo: tema, id: `tema-${at}`, classe: 'meio' },
      html`<ul class="consultas">${dele.map((one) => linha(one, enderecoDe(one.id), diagnostico))}</ul>`,
    ),
  )}</div>`
}

/** The diagnosis of a note has a page of its own, without a key. */
function linha({ id, nome, custo }: ConsultaDaApi, endereco: string, diagnostico: string): Content {
  const where = id === 'diagnosticar' ? diagnostico : endereco
  return html`<li><a href="${url(where)}"><b>${nome}</b></a><span class="suave">${custo}</span></li>`
}
