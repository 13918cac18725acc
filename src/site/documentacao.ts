import Fastify, { type FastifyInstance } from 'fastify'
import { serveStatic } from '../platform/http/ready.ts'
import { html, url } from '../platform/pages/html.ts'
import { cabeca, type MolduraDoSite, type PaginaDoSite, topo } from '../platform/pages/layout.ts'
import { cabecalhosDePagina, estaticos, molduraDe } from '../platform/pages/moldura.ts'
import type { Platform } from '../platform/platform.ts'

/** What the reference page may load: from this host, and Scalar's styles in the page. */
const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; " +
  "object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'"

/** The reference of the API. All that it loads comes from our own host. */
export function serveReferencia(app: FastifyInstance, room: Platform): void {
  const moldura = molduraDe(room)
  const { prefixo } = moldura
  const page = (url: string, type: string, make: () => string | Promise<Buffer>): void => {
    const headers = {
      ...cabecalhosDePagina,
      'content-security-policy': POLICY,
      'cache-control': 'public, max-age=3600',
    }
    serveStatic(app, url, { type, headers, make })
  }
  for (const path of ['/documentacao', '/documentacao/']) page(path, 'text/html', () => reference(moldura))
  page('/documentacao/scalar.js', 'text/javascript', scalarScript)
  const configuration = { ...CONFIGURATION, url: `${prefixo}/openapi.json` }
  const start = `Scalar.createApiReference('#app', ${JSON.stringify(configuration)})`
  page('/documentacao/iniciar.js', 'text/javascript', () => start)
}

const referencia: Omit<PaginaDoSite, 'conteudo'> = {
  titulo: 'Referência da API',
  descricao: 'A referência da API: cada consulta, com seus parâmetros, exemplos e respostas.',
  atual: 'referencia',
  canonico: '/documentacao',
}

/** Scalar draws all but the bar above it, and brings its own style: ours would change it. */
const reference = (moldura: MolduraDoSite): string =>
  String(html`<!DOCTYPE html>
<html lang="pt-BR">
<head>
${cabeca(referencia, { ...moldura, estilo: estaticos.referencia.caminho, modulo: undefined })}
</head>
<body>
${topo(referencia, moldura)}
<div id="app"></div>
<script src="${url(`${moldura.prefixo}/documentacao/scalar.js`)}"></script>
<script src="${url(`${moldura.prefixo}/documentacao/iniciar.js`)}"></script>
</body>
</html>
`)

/** Scalar takes 24 MB of memory: an application of its own loads it when the page is first opened. */
async function scalarScript(): Promise<Buffer> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const shelf = Fastify()
  await shelf.register(scalar, { routePrefix: '/', configuration: CONFIGURATION })
  const { payload } = await shelf.inject('/js/scalar.js')
  await shelf.close()
  // The library's settings have no translation for the key of its code samples.
  return Buffer.from(NO_EVAL + payload.replaceAll('YOUR_SECRET_TOKEN', 'SUA_CHAVE'))
}

/** Zod, which is in the script, would try whether it may make functions of text: our policy says no. */
const NO_EVAL = 'globalThis.__zod_globalConfig = { jitless: true };\n'

/** A certificate in one long line would push the answer away. The library's placeholder looks like a key. */
const CSS =
  '.cm-content { white-space: pre-wrap !important; word-break: break-all }' +
  '.scalar-password-input::placeholder { color: transparent !important }'

const CONFIGURATION = {
  title: 'Consulta Fiscal',
  url: '/openapi.json',
  proxyUrl: '',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  // Their buttons lead out of this host.
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never' as const,
  // Dark is the reader's choice for all pages: the system's.
  hideDarkModeToggle: true,
  authentication: { preferredSecurityScheme: 'chave' },
  localization: { locale: 'pt' },
  customCss: CSS,
}
