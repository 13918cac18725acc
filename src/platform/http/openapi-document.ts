import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { nameSchemas } from './document.ts'
import { listTags } from './tags.ts'

const introduction = (
  errors: string,
): string => `Consultas fiscais sobre contribuintes brasileiros, cobradas em créditos só pelo que é entregue.

**Chave.** Envie a da sua conta no cabeçalho \`X-API-Key\`, nunca na URL. Um programa que atende pessoas pode mandar, no lugar dela, o token
que \`POST /api/v1/auth/login\` dá, em \`Authorization: Bearer\`.

**Créditos e limites.** Cada resposta diz o que cobrou e o que resta em \`X-Credits-Charged\` e \`X-Credits-Remaining\`, e quantas requisições ainda
cabem no minuto em \`RateLimit\`. O mês inteiro está em \`GET /api/v1/conta\`. Falhas não são cobradas.

**Falhas.** Vêm como \`application/problem+json\` (RFC 9457), com um \`error_code\` estável; o que fazer com cada um está em [/erros](${errors}).
\`retryable\` diz se vale repetir, e o cabeçalho \`Retry-After\`, depois de quantos segundos. Onde houver \`source_status\`, confira-o também com HTTP 200.

**Idade.** O que pode vir de um cache traz \`consultado_em\` e o cabeçalho \`Age\`, em segundos. Onde se aceita \`Cache-Control: no-cache\`, ele
consulta de novo, pelo mesmo preço.

Os exemplos são respostas reais do simulador, sobre documentos fictícios: em produção, ponha os seus no lugar deles.`

/** What the operator decides of the document. */
type Operated = {
  /** What every page says first. It may be empty. */
  warning: string
  /** The setting PUBLIC_URL. */
  publicUrl: string | undefined
}

/** Describes every route registered after it, as OpenAPI 3.1. */
export async function describeApi(
  app: FastifyInstance,
  { warning, publicUrl = '/' }: Operated,
): Promise<void> {
  await app.register(swagger, {
    // Our paths never have the prefix that a proxy may add to them.
    stripBasePath: false,
    convertConstToEnum: false,
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Consulta Fiscal',
        version: '1',
        description: `${warning && `> **${warning}**\n\n`}${introduction(`${publicUrl.replace(/\/$/, '')}/erros`)}`,
        // As in package.json: the program comes without a public licence.
        license: { name: 'Uso reservado: sem licença pública', identifier: 'LicenseRef-UNLICENSED' },
      },
      servers: [{ url: publicUrl }],
      components: {
        securitySchemes: {
          chave: {
            type: 'apiKey',
            in: 'header',
            name: 'X-API-Key',
            description: 'A chave da conta, como fk_ e 38 letras e dígitos',
          },
          login: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description:
              'O access_token de POST /api/v1/auth/login, que vale 60 minutos. Com X-API-Key também, vale a chave',
          },
        },
      },
    },
  })
}

/** The document of the routes, with its schemas named. Call it once all routes are registered. */
export function documentOf(app: FastifyInstance): object {
  const document = app.swagger()
  return { ...nameSchemas(document), tags: listTags(tagsIn({ ...document.paths })) }
}

/** The tags that the operations have. */
function tagsIn(paths: object): ReadonlySet<string> {
  const operations = Object.values(paths).flatMap((path) => Object.values<{ tags?: string[] }>(path))
  return new Set(operations.flatMap(({ tags = [] }) => tags))
}
