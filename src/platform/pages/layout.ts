import { icones } from './icones.ts'
import { type EntradaDoMenu, menuDoPainel, menuDoSite } from './menus.ts'
import { type Content, type Html, html, jsonLd, url } from './web-html.ts'

/** A page inside the frame that all pages share. */
export type PaginaDoSite = {
  /** Without the product's name. */
  titulo: string
  /** One sentence for search machines and previews. */
  descricao: string
  /** The entry of the menu that this page belongs to; undefined for a page of none. */
  atual: EntradaDoMenu | undefined
  conteudo: Html
  /** The one address of the page, among those that show it, such as `/sefaz/`. */
  canonico?: string | undefined
  /** The modules that the page loads, by their addresses. */
  modulos?: readonly string[]
  /** What a search machine reads of the page, by the words of schema.org. */
  dados?: Readonly<Record<string, unknown>> | undefined
  /** A search machine leaves it out: one answer to one question. */
  avulsa?: boolean
  /** What the foot says besides. */
  creditos?: Content
  /** What the bar says of the account: the page has the menu of the dashboard. */
  conta?: Content
}

/** What the frame itself is drawn with. */
export type MolduraDoSite = {
  /** The path under which a proxy serves us; empty at the root. */
  prefixo: string
  /** The address that the operator gave for the whole; undefined where nobody gave one. */
  publico: string | undefined
  /** The addresses of the stylesheet and of the icon, with their hashes. */
  estilo: string
  icone: string
  simulador: boolean
}

/** Writes a whole page. It is well formed as XML too, so that any tool can read it. */
export const escreverPagina = (pagina: PaginaDoSite, moldura: MolduraDoSite): string =>
  String(html`<!DOCTYPE html>
<html lang="pt-BR">
<head>
${cabeca(pagina, moldura)}
</head>
<body>
<a class="pular" href="#conteudo">Ir para o conteúdo</a>
<div class="casa">
${lado(pagina, moldura)}
<main id="conteudo" tabindex="-1">
${pagina.conteudo}
<footer class="rodape"><p>Consulta Fiscal pergunta às próprias autoridades e não é delas.</p>${pagina.creditos !== undefined && html`<p>${pagina.creditos}</p>`}</footer>
</main>
</div>
</body>
</html>
`)

/** What stands in the head of a page. */
export function cabeca(
  { titulo, descricao, canonico, modulos = [], dados, avulsa = false }: Omit<PaginaDoSite, 'conteudo'>,
  moldura: MolduraDoSite,
): Html {
  const { prefixo, publico, estilo, icone } = moldura
  const endereco = canonico !== undefined && publico !== undefined ? publico + canonico : undefined
  return html`<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<title>${titulo} · Consulta Fiscal</title>
<meta name="description" content="${descricao}"/>
<meta name="color-scheme" content="light dark"/>${
    avulsa &&
    html`
<meta name="robots" content="noindex"/>`
  }
<meta property="og:title" content="${titulo}"/>
<meta property="og:description" content="${descricao}"/>
<meta property="og:type" content="website"/>
<meta property="og:locale" content="pt_BR"/>
<meta property="og:site_name" content="Consulta Fiscal"/>${
    endereco !== undefined &&
    html`
<meta property="og:url" content="${endereco}"/>`
  }${
    canonico !== undefined &&
    html`
<link rel="canonical" href="${url(endereco ?? prefixo + canonico)}"/>`
  }
<link rel="icon" href="${url(prefixo + icone)}"/>
<link rel="stylesheet" href="${url(prefixo + estilo)}"/>${modulos.map(
    (modulo) => html`
<script type="module" src="${url(prefixo + modulo)}"></script>`,
  )}${
    dados !== undefined &&
    html`
${jsonLd(dados)}`
  }`
}

/**
 * The bar of a page. The simulator's warning has a line of its own: without it a page is the same as in
 * production.
 */
export const lado = (
  { atual, conta }: Pick<PaginaDoSite, 'atual' | 'conta'>,
  { prefixo, simulador }: MolduraDoSite,
): Html =>
  html`<header class="lado">
<a class="marca" href="${url(`${prefixo}/`)}">${icones.marca} Consulta Fiscal</a>
<nav class="menu" aria-label="Principal"><ul>${Object.entries(
    conta === undefined ? menuDoSite : menuDoPainel,
  ).map(
    ([chave, { nome, caminho, icone }]) =>
      html`<li><a href="${url(prefixo + caminho)}" aria-current="${chave === atual ? 'page' : 'false'}">${icone}${nome}</a></li>`,
  )}</ul></nav>
${conta === undefined ? entrada(atual, prefixo) : html`<div class="conta">${conta}</div>`}${
  simulador &&
  html`
<p class="aviso"><strong class="selo lento">Simulador</strong> <span>Modo simulador: nada aqui é real. Quem responde é um simulador nesta máquina, não os órgãos de verdade.</span></p>`
}
</header>`

/** The way in stands beside the menu: on a phone the menu is longer than the screen. */
const entrada = (atual: PaginaDoSite['atual'], prefixo: string): Html =>
  html`<p class="entrada"><a href="${url(`${prefixo}/painel/`)}" aria-current="${atual === 'entrar' ? 'page' : 'false'}">${icones.pessoa}Entrar</a></p>`

/** A card: a framed part of a page with its heading. */
export const cartao = (
  { titulo, id, classe = '', lado }: { titulo: string; id: string; classe?: string; lado?: Content },
  conteudo: Content,
): Html =>
  html`<section class="cartao ${classe}" aria-labelledby="${id}"><header><h2 id="${id}">${titulo}</h2>${lado}</header>${conteudo}</section>`
