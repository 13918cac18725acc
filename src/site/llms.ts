import type { FastifyInstance } from 'fastify'
import { documentOf } from '../platform/http/document.ts'
import { READY } from '../platform/http/ready.ts'
import { baseDe, molduraDe, openProntas } from '../platform/pages/moldura.ts'
import type { Platform } from '../platform/platform.ts'
import { type Capitulo, readCapitulos, textoAvulso } from './guia-capitulos.ts'

const CABECALHOS = { 'cache-control': 'public, max-age=3600' }

const APRESENTACAO = `# Consulta Fiscal

> API HTTP/JSON que responde perguntas fiscais sobre contribuintes brasileiros consultando os próprios órgãos: inscrição estadual, certidões (CND) dos estados e da União, CNPJ, imóveis rurais, XML da NF-e, situação das SEFAZ e rejeições. Cobra, em créditos, só o que entrega.

Toda chamada leva a chave da conta no cabeçalho \`X-API-Key\`. Falhas vêm em \`application/problem+json\` com \`error_code\`; onde a resposta tem \`source_status\`, ele também diz se a fonte falhou, com HTTP 200.
`

/**
 * Serves `/llms.txt` (llmstxt.org), which leads a language model to the guide as Markdown, and
 * `/llms-full.txt`, which is all of it, with the endpoints of the OpenAPI document.
 */
export function paraModelos(app: FastifyInstance, room: Platform): void {
  const moldura = molduraDe(room)
  const prontas = openProntas({ most: 2 })
  const base = (): string => baseDe(app, moldura)
  const textos = {
    '/llms.txt': () => escreverIndice(base()),
    '/llms-full.txt': () =>
      [
        APRESENTACAO,
        escreverConsultas(documentOf(app)),
        ...readCapitulos().map((capitulo) => textoAvulso(capitulo, base())),
      ].join('\n'),
  }
  for (const [nome, make] of Object.entries(textos))
    app.get(nome, READY, async (request, reply) =>
      prontas.send(request, reply, { nome, versao: '', type: 'text/plain', headers: CABECALHOS, make }),
    )
}

const escreverIndice = (base: string): string =>
  [
    APRESENTACAO,
    ...[...Map.groupBy(readCapitulos(), ({ parte }) => parte)].map(
      ([parte, seus]) => `## ${parte}\n\n${seus.map((capitulo) => linhaDe(capitulo, base)).join('\n')}\n`,
    ),
    `## Optional

- [OpenAPI](${base}/openapi.json): todas as chamadas, com parâmetros, respostas e exemplos
- [Códigos de erro](${base}/erros): o que significa cada código e o que fazer
- [Tudo em um arquivo](${base}/llms-full.txt): este guia inteiro, em Markdown
`,
  ].join('\n')

const linhaDe = ({ slug, titulo, descricao }: Capitulo, base: string): string =>
  `- [${titulo}](${base}/docs/${slug}.md): ${descricao}`

/** One line for each endpoint: what it answers, and its parameters. */
function escreverConsultas({ paths = {} }: { paths?: object }): string {
  const linhas = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(Object(operations)).map(([method, operation]) => {
      const { summary, parameters = [] } = Object(operation)
      const nomes = parameters
        .filter(({ in: place }: Record<string, unknown>) => place !== 'header')
        .map(
          ({ name, required }: Record<string, unknown>) => `\`${name}\`${required ? ' (obrigatório)' : ''}`,
        )
      const takes = nomes.length > 0 ? ` Parâmetros: ${nomes.join(', ')}.` : ''
      return `- \`${method.toUpperCase()} ${path}\`: ${summary}.${takes}`
    }),
  )
  return `## Chamadas\n\n${linhas.join('\n')}\n`
}
