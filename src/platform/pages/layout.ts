import { type Content, type Html, html, jsonLd, url } from './html.ts'

/** An icon of 24 by 24. It is decoration: the words beside it say the same. */
const icone = (contorno: string): Html =>
  html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${contorno}"/></svg>`

export const icones = {
  marca: icone('M5 2h9l5 5v15H5zm9 1.5V8h4.5zM8 11v2h8v-2zm0 4v2h8v-2z'),
  lugar: icone(
    'M12 2a7 7 0 0 0-7 7c0 5 7 13 7 13s7-8 7-13a7 7 0 0 0-7-7zm0 4.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z',
  ),
  linhas: icone('M4 5h16v2H4zm0 6h16v2H4zm0 6h10v2H4z'),
  livro: icone('M3 4h7l2 1.5L14 4h7v15h-7l-2 1.5L10 19H3zm8 3.2L9.4 6H5v11h5l1 .7zm2 0v10.5l1-.7h5V6h-4.4z'),
  aviso: icone('M12 3 1.5 21h21zm-1 7h2v5h-2zm0 7h2v2h-2z'),
  recusa: icone(
    'M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm0 2.2a7.8 7.8 0 1 1 0 15.6 7.8 7.8 0 0 1 0-15.6zM8.9 7.5 7.5 8.9l3.1 3.1-3.1 3.1 1.4 1.4 3.1-3.1 3.1 3.1 1.4-1.4-3.1-3.1 3.1-3.1-1.4-1.4-3.1 3.1z',
  ),
  pessoa: icone('M12 3a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM3.5 21c0-4.4 3.8-7 8.5-7s8.5 2.6 8.5 7z'),
  casa: icone('M12 3 2.5 11H5v9h5v-6h4v6h5v-9h2.5z'),
  barras: icone('M4 12h4v8H4zm6-8h4v16h-4zm6 5h4v11h-4z'),
  seta: icone('M7 4v16l13-8z'),
  folha: icone('M5 2h14v20l-3.5-2-3.5 2-3.5-2L5 22zm3 5v2h8V7zm0 4v2h8v-2zm0 4v2h5v-2z'),
  antena: icone(
    'M12 4a8 8 0 0 1 8 8h-2.3A5.7 5.7 0 0 0 12 6.3zm0 4.3a3.7 3.7 0 0 1 3.7 3.7H12zM4 9l11 11a8 8 0 0 1-11-11z',
  ),
  chave: icone('M8 7a5 5 0 0 1 4.9 4H22v4h-3v3h-4v-3h-2.1A5 5 0 1 1 8 7zm0 3a2 2 0 1 0 0 4 2 2 0 0 0 0-4z'),
} as const

type Entrada = { nome: string; caminho: string; icone: Html }

const menuDoSite = {
  sefaz: { nome: 'SEFAZ', caminho: '/sefaz/', icone: icones.lugar },
  rejeicoes: { nome: 'Rejeições', caminho: '/blog/rejeicoes/', icone: icones.recusa },
  documentacao: { nome: 'Documentação', caminho: '/docs/', icone: icones.livro },
  referencia: { nome: 'Referência', caminho: '/documentacao', icone: icones.linhas },
  erros: { nome: 'Códigos de erro', caminho: '/erros', icone: icones.aviso },
} as const satisfies Record<string, Entrada>

const menuDoPainel = {
  visao: { nome: 'Visão geral', caminho: '/painel/', icone: icones.casa },
  uso: { nome: 'Uso', caminho: '/painel/uso/', icone: icones.barras },
  registro: { nome: 'Registro', caminho: '/painel/registro/', icone: icones.linhas },
  experimentar: { nome: 'Experimentar', caminho: '/painel/experimentar/', icone: icones.seta },
  extrato: { nome: 'Extrato', caminho: '/painel/extrato/', icone: icones.folha },
  fontes: { nome: 'Fontes', caminho: '/painel/fontes/', icone: icones.antena },
  configuracoes: { nome: 'Configurações', caminho: '/painel/configuracoes/', icone: icones.chave },
  sefaz: menuDoSite.sefaz,
  rejeicoes: menuDoSite.rejeicoes,
  documentacao: menuDoSite.documentacao,
} as const satisfies Record<string, Entrada>

type EntradaDoMenu = keyof typeof menuDoSite | keyof typeof menuDoPainel | 'entrar'

export type PaginaDoSite = {
  titulo: string
  descricao: string
  atual: EntradaDoMenu | undefined
  conteudo: Html
  /** The one address of the page, among those that show it, such as `/sefaz/`. */
  canonico?: string | undefined
  modulos?: readonly string[]
  dados?: Readonly<Record<string, unknown>> | undefined
  /** A search machine leaves it out: one answer to one question. */
  avulsa?: boolean
  creditos?: Content
  conta?: Content
}

export type MolduraDoSite = {
  /** The path under which a proxy serves us; empty at the root. */
  prefixo: string
  publico: string | undefined
  estilo: string
  icone: string
  simulador: boolean
}

/** Writes a whole page. It is well formed as XML too, so that any tool can read it. */
export const writePage = (pagina: PaginaDoSite, moldura: MolduraDoSite): string =>
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

/** The simulator's warning has a line of its own: without it a page is as in production. */
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

export const cartao = (
  { titulo, id, classe = '', lado }: { titulo: string; id: string; classe?: string; lado?: Content },
  conteudo: Content,
): Html =>
  html`<section class="cartao ${classe}" aria-labelledby="${id}"><header><h2 id="${id}">${titulo}</h2>${lado}</header>${conteudo}</section>`
