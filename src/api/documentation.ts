import { readFile } from 'node:fs/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Context } from '../context/context.ts'
import { errorsPage } from './errors-page/errors-page.ts'
import { serveStatic } from './http/static-body.ts'
import { describeApi, documentOf } from './openapi/document.ts'
import { addExamples, type Shown } from './openapi/examples.ts'

/** What every page says first where nothing is real. */
const SIMULADOR =
  'Modo simulador: as respostas são fictícias. Quem responde é um simulador nesta máquina, não os órgãos de verdade.'

/** What the pages may load, instead of nothing at all: from this host, and Scalar's styles in the page. */
const PAGE_POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; " +
  "object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'"

/**
 * Serves the OpenAPI 3.1 description, its reference page and the page of error codes. All come from our own
 * host.
 */
export async function documentation(
  app: FastifyInstance,
  { sources: { ambiente, exemplos }, config: { PUBLIC_URL } }: Context,
): Promise<void> {
  // A proxy may serve us under a path of its own, which our routes do not have.
  const prefix = PUBLIC_URL ? new URL(PUBLIC_URL).pathname.replace(/\/$/, '') : ''
  const warning = ambiente === 'simulador' ? SIMULADOR : ''
  await describeApi(app, { warning, publicUrl: PUBLIC_URL })
  // It changes only with the program, so a client asks whether its copy is still the same.
  const headers = { 'cache-control': 'no-cache' }
  const make = async (forNow: () => void): Promise<string> => {
    const document: Shown = JSON.parse(JSON.stringify(documentOf(app)))
    // The document is there without the simulator, which may be of an older version or starting again.
    const known = await exemplos().catch(() => {
      forNow()
      return {}
    })
    addExamples(document, await readAnswers(), known)
    return JSON.stringify(document)
  }
  serveStatic(app, '/openapi.json', { type: 'application/json', headers, make })
  app.get('/', { schema: { hide: true } }, (_request, reply) => reply.redirect(`${prefix}/documentacao`))
  servePages(app, warning, prefix)
}

/** A real answer to each endpoint's example by its path, and failures by their codes (data/README.md). */
const readAnswers = async (): Promise<Record<string, Record<string, unknown>>> =>
  JSON.parse(await readFile(new URL('../../data/exemplos.json', import.meta.url), 'utf8'))

/**
 * The script of the reference page. Scalar's package takes 24 MB of memory, so it is loaded when the page is
 * first opened, by an application of its own that serves only this file.
 */
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
  authentication: { preferredSecurityScheme: 'chave' },
  localization: { locale: 'pt' },
  customCss: CSS,
}

const page = (prefix: string): string => `<!doctype html>
<html lang="pt-BR">
<meta charset="utf-8"><meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,">
<title>Documentação · Consulta Fiscal</title>
<div id="app"></div>
<script src="${prefix}/documentacao/scalar.js"></script>
<script src="${prefix}/documentacao/iniciar.js"></script>
</html>`

function servePages(app: FastifyInstance, warning: string, prefix: string): void {
  const headers = { 'content-security-policy': PAGE_POLICY, 'cache-control': 'public, max-age=3600' }
  const serve = (url: string, type: string, make: () => string | Promise<Buffer>): void =>
    serveStatic(app, url, { type, headers, make })
  serve('/erros', 'text/html', () => errorsPage(documentOf(app), warning))
  serve('/documentacao', 'text/html', () => page(prefix))
  serve('/documentacao/', 'text/html', () => page(prefix))
  serve('/documentacao/scalar.js', 'text/javascript', scalarScript)
  const configuration = { ...CONFIGURATION, url: `${prefix}/openapi.json` }
  const start = `Scalar.createApiReference('#app', ${JSON.stringify(configuration)})`
  serve('/documentacao/iniciar.js', 'text/javascript', () => start)
}
