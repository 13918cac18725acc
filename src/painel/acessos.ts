import { quando } from '../platform/pages/formatos.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import { cartao } from '../platform/pages/layout.ts'
import { navegadorDe } from './navegador.ts'

/** A log-in, as the page tells it. */
type AcessoAberto = {
  id: string
  tipo: 'painel' | 'api'
  agente: string
  endereco: string
  criado_em: Date
  visto_em: Date
}

/** What the card of the log-ins is drawn with; `atual` is the one of this browser. */
export type VistaDosAcessos = { base: string; csrf: Content; acessos: readonly AcessoAberto[]; atual: string }

/** Where the account is logged in, and how to end it. */
export function cartaoDosAcessos(vista: VistaDosAcessos): Html {
  const { base, csrf, acessos, atual } = vista
  const outros = acessos.filter(({ id }) => id !== atual)
  return cartao(
    { titulo: 'Acessos abertos', id: 'acessos' },
    html`<ul class="acessos">${acessos.map((one) => acesso(one, vista))}</ul>${
      outros.length > 0 &&
      html`<form method="post" action="${url(`${base}acessos/encerrar-outros/`)}">${csrf}<button class="discreto" type="submit">Encerrar todos os outros</button></form>`
    }`,
  )
}

function acesso(one: AcessoAberto, { base, csrf, atual }: VistaDosAcessos): Html {
  const { id, tipo, agente, endereco, criado_em, visto_em } = one
  const nome = tipo === 'api' ? `Pela API: ${navegadorDe(agente)}` : navegadorDe(agente)
  return html`<li><div><p><strong>${nome}</strong>${id === atual && html` <span class="selo bom">Este navegador</span>`}</p><p class="suave">De ${endereco}, desde ${quando(criado_em)}; último uso ${quando(visto_em)}</p></div>${
    id !== atual &&
    html`<form method="post" action="${url(`${base}acessos/encerrar/`)}">${csrf}<input type="hidden" name="id" value="${id}"/><button class="discreto" type="submit" aria-label="Encerrar ${nome}, de ${endereco}">Encerrar</button></form>`
  }</li>`
}
