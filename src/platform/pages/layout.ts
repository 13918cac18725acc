import { type Content, type Html, html, jsonLd, url } from './html.ts'

/** It is decoration: the words beside it say the same. */
export const marca: Html = html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M5 2h9l5 5v15H5zm9 1.5V8h4.5zM8 11v2h8v-2zm0 4v2h8v-2z"/></svg>`

/** Where a page may be in the menus, by the word that it says of itself. */
export const entradas = {
  consultar: { nome: 'Consultar', caminho: '/painel/consultar/' },
  visao: { nome: 'Visão geral', caminho: '/painel/' },
  uso: { nome: 'Uso', caminho: '/painel/uso/' },
  registro: { nome: 'Chamadas', caminho: '/painel/registro/' },
  extrato: { nome: 'Extrato', caminho: '/painel/extrato/' },
  sefaz: { nome: 'SEFAZ agora', caminho: '/sefaz/' },
  rejeicoes: { nome: 'Rejeições', caminho: '/blog/rejeicoes/' },
  fontes: { nome: 'Fontes', caminho: '/painel/fontes/' },
  documentacao: { nome: 'Guia', caminho: '/docs/' },
  referencia: { nome: 'Referência', caminho: '/documentacao' },
  erros: { nome: 'Códigos de erro', caminho: '/erros' },
  precos: { nome: 'Preços', caminho: '/docs/creditos/' },
  configuracoes: { nome: 'Configurações', caminho: '/painel/configuracoes/' },
} as const

type Grupo = { titulo: string; chaves: readonly (keyof typeof entradas)[] }

const menuDoSite: readonly Grupo[] = [
  { titulo: '', chaves: ['sefaz', 'rejeicoes', 'documentacao', 'referencia', 'erros', 'precos'] },
]

const menuDoPainel: readonly Grupo[] = [
  { titulo: '', chaves: ['consultar', 'visao', 'uso', 'registro', 'extrato'] },
  { titulo: 'Acompanhar', chaves: ['sefaz', 'rejeicoes', 'fontes'] },
  { titulo: 'Aprender', chaves: ['documentacao', 'referencia', 'erros', 'precos'] },
  { titulo: 'Conta', chaves: ['configuracoes'] },
]

type EntradaDoMenu = keyof typeof entradas | 'entrar'

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
  /** What every page loads; undefined where another script hears the same keys. */
  modulo: string | undefined
  simulador: boolean
  /** How one speaks to the operator, in his own words. */
  contato: string | undefined
  /** Whether a visitor can make an account, by himself or with an invitation. */
  cadastro: boolean
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
${topo(pagina, moldura)}
<main id="conteudo" tabindex="-1">
${pagina.conteudo}
<footer class="rodape"><p>Consulta Fiscal pergunta às próprias autoridades e não tem vínculo com elas.</p>${moldura.contato !== undefined && html`<p>Quem opera este serviço: ${moldura.contato}</p>`}${moldura.simulador && html`<p>${SIMULADO}</p>`}${pagina.creditos !== undefined && html`<p>${pagina.creditos}</p>`}</footer>
</main>
</div>
</body>
</html>
`)

function cabeca(
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
<link rel="stylesheet" href="${url(prefixo + estilo)}"/>${[moldura.modulo ?? [], modulos].flat().map(
    (modulo) => html`
<script type="module" src="${url(prefixo + modulo)}"></script>`,
  )}${
    dados !== undefined &&
    html`
${jsonLd(dados)}`
  }`
}

const SIMULADO =
  'Modo simulador: nada aqui é real. Quem responde é um simulador nesta máquina, não os órgãos de verdade.'

/** What stands above or beside a page: the bar of everybody, or the menu of an account. */
const topo = ({ atual = '', conta }: DoTopo, moldura: MolduraDoSite): Html =>
  conta === undefined ? barra(atual, moldura) : lado({ atual, conta }, moldura)

type DoTopo = { atual?: string | undefined; conta?: Content }

const barra = (atual: string, moldura: MolduraDoSite): Html =>
  html`<header class="alto" data-atual="${atual}">
${aMarca(moldura)}
${menu({ grupos: menuDoSite, atual }, moldura)}
${procurar(moldura)}
${moldura.simulador && html`<p class="aviso">${selo}</p>`}${entrada(atual, moldura)}
</header>`

const lado = ({ atual, conta }: { atual: string; conta: Content }, moldura: MolduraDoSite): Html =>
  html`<header class="lado">
${aMarca(moldura)}
${procurar(moldura)}
${menu({ grupos: menuDoPainel, atual }, moldura)}
<div class="conta">${conta}${moldura.simulador && html`<p class="aviso">${selo}</p>`}</div>
</header>`

const aMarca = ({ prefixo }: MolduraDoSite): Html =>
  html`<a class="marca" href="${url(`${prefixo}/`)}">${marca} Consulta Fiscal</a>`

const selo = html`<span class="selo lento" title="${SIMULADO}">Simulador</span>`

const procurar = ({ prefixo }: MolduraDoSite): Html =>
  html`<a class="procurar" href="${url(`${prefixo}/busca`)}" aria-keyshortcuts="/ Control+K Meta+K"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M10.5 3a7.5 7.5 0 1 0 4.6 13.4l4.8 4.8 1.4-1.4-4.8-4.8A7.5 7.5 0 0 0 10.5 3zm0 2a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11z"/></svg><span>Procurar</span></a>`

/** On a phone the list is folded: what is before it opens it, without a script. */
const menu = (
  { grupos, atual }: { grupos: readonly Grupo[]; atual: string },
  { prefixo }: MolduraDoSite,
): Html =>
  html`<details class="abre-menu"><summary>Menu</summary></details>
<nav class="menu" aria-label="Principal">${grupos.map(
    ({ titulo, chaves }) =>
      html`${titulo !== '' && html`<p>${titulo}</p>`}<ul>${chaves.map((chave) => {
        const { nome, caminho } = entradas[chave]
        return html`<li><a href="${url(prefixo + caminho)}" aria-current="${chave === atual ? 'page' : 'false'}">${nome}</a></li>`
      })}</ul>`,
  )}</nav>`

/** The ways in stand beside the menu, which a phone folds. */
const entrada = (atual: string, { prefixo, cadastro }: MolduraDoSite): Html =>
  html`<p class="entrada"><a href="${url(`${prefixo}/painel/`)}" aria-current="${atual === 'entrar' ? 'page' : 'false'}">Entrar</a>${
    cadastro && html` <a class="botao" href="${url(`${prefixo}/criar-conta/`)}">Criar conta</a>`
  }</p>`

/** The page of everybody as an account sees it: its menu is in the place of the bar. */
export const withConta = (pagina: string, conta: Content, moldura: MolduraDoSite): string =>
  pagina.replace(/<header class="alto" data-atual="(\w*)">.*?<\/header>/s, (_, atual: string) =>
    String(lado({ atual, conta }, moldura)),
  )

export const cartao = (
  { titulo, id, classe = '', lado }: { titulo: string; id: string; classe?: string; lado?: Content },
  conteudo: Content,
): Html =>
  html`<section class="cartao ${classe}" aria-labelledby="${id}"><header><h2 id="${id}">${titulo}</h2>${lado}</header>${conteudo}</section>`
