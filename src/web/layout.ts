import { type Content, type Html, html, url } from './html.ts'
import { icones } from './icones.ts'

/** A page inside the frame that all pages share. */
export type PaginaDoSite = {
  /** Without the product's name. */
  titulo: string
  /** One sentence for search machines and previews. */
  descricao: string
  /** The entry of the menu that this page belongs to. */
  atual: EntradaDoMenu
  conteudo: Html
  /** The modules that the page loads, by their addresses. */
  modulos?: readonly string[]
}

export type EntradaDoMenu = keyof typeof menu

/** What the frame itself is drawn with. */
export type MolduraDoSite = {
  /** The path under which a proxy serves us; empty at the root. */
  prefixo: string
  /** The address of the stylesheet, with its hash. */
  estilo: string
  simulador: boolean
}

const menu = {
  sefaz: { nome: 'SEFAZ', caminho: '/sefaz/', icone: icones.lugar },
  documentacao: { nome: 'Documentação', caminho: '/documentacao', icone: icones.linhas },
  erros: { nome: 'Códigos de erro', caminho: '/erros', icone: icones.aviso },
} as const satisfies Record<string, { nome: string; caminho: string; icone: Html }>

/** Writes a whole page. */
export const escreverPagina = (
  { titulo, descricao, atual, conteudo, modulos = [] }: PaginaDoSite,
  { prefixo, estilo, simulador }: MolduraDoSite,
): string =>
  `<!DOCTYPE html>\n${html`<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${titulo} · Consulta Fiscal</title>
<meta name="description" content="${descricao}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${url(ICONE)}">
<link rel="stylesheet" href="${url(prefixo + estilo)}">
${modulos.map((modulo) => html`<script type="module" src="${url(prefixo + modulo)}"></script>`)}
</head>
<body>
<a class="pular" href="#conteudo">Ir para o conteúdo</a>
<div class="casa">
<header class="lado">
<a class="marca" href="${url(`${prefixo}/`)}">${icones.marca} Consulta Fiscal</a>
<nav class="menu" aria-label="Principal"><ul>${Object.entries(menu).map(([chave, entrada]) =>
    itemDoMenu(entrada, { prefixo, atual: chave === atual }),
  )}</ul></nav>
<div class="lado-pe">${simulador && html`<span class="selo lento">Simulador</span><span>Nada aqui é real: quem responde é um simulador.</span>`}</div>
</header>
<main id="conteudo">
${conteudo}
</main>
</div>
</body>
</html>`}\n`

/** The favicon is in the page, so that nothing else is asked for. */
const ICONE = '/favicon.svg'

const itemDoMenu = (
  { nome, caminho, icone }: (typeof menu)[EntradaDoMenu],
  { prefixo, atual }: { prefixo: string; atual: boolean },
): Html =>
  html`<li><a href="${url(prefixo + caminho)}" aria-current="${atual ? 'page' : 'false'}">${icone}${nome}</a></li>`

/** A card: a framed part of a page with its heading. */
export const cartao = (
  { titulo, id, classe = '', lado }: { titulo: string; id: string; classe?: string; lado?: Content },
  conteudo: Content,
): Html =>
  html`<section class="cartao ${classe}" aria-labelledby="${id}"><header><h2 id="${id}">${titulo}</h2>${lado}</header>${conteudo}</section>`
