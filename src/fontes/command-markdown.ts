import type { Estado } from '../portal/estado.ts'
import { type RotaDescrita, servicos } from '../portal/fonte.ts'
import { listNacionais } from './nacionais.ts'

const CABECALHO = `| UF | Service | Order | Source | Route | Host | Documents | Captcha | Certainty | Evidence | Date |
|---|---|---|---|---|---|---|---|---|---|---|
`

const INTRODUCAO = `# How each state is asked

Every route of the 27 states, in the order in which it is tried, from the states' own files (\`src/estados/\`), and
[the national sources](#national-sources).
This page is made by \`npm run -s fiscal -- fontes --markdown > docs/states.md\`; a test keeps it true.

**Certainty.** \`verificado\`: seen in a source of 2024 or later. \`antigo\`: seen in an older one. \`memoria\`: remembered.
\`desconhecido\`: nobody tells what the page is asked, so that it is never asked, live or simulated. No route was asked for real yet:
\`fiscal fontes verificar\` does it. What an operator should know besides is the \`nota\` of \`fiscal fontes\`.

${CABECALHO}`

const ABRANGENCIAS = `
## What the certificates cover

Debts inscribed in the dívida ativa (\`inscritos\`), the others (\`nao-inscritos\`), or both. Where a part is left out, \`avisos\` says
so in the answer.

| Route | Covers | Evidence |
|---|---|---|
`

const NACIONAIS = `
## National sources

They are in \`src/fontes/nacionais.ts\`. Some need what the operator brings: a contract (\`SERPRO_KEY\`), a connector
(\`CNIR_URL\`), a session (SIGEF), or who solves captchas for BR.

${CABECALHO}`

/** All of them, as a service in production that lacks nothing has them. */
const todas = listNacionais({
  nfe: 'producao',
  ccc: true,
  contrato: true,
  cnir: true,
  rotasFederais: 'contrato,portal',
  sigef: undefined,
  acervo: true,
})

/** The page of the documentation that lists all states' routes and the national sources, in Markdown. */
export function writeFontes(estados: Iterable<Estado>): string {
  const all = [...estados]
  const rows = all.flatMap((estado) =>
    servicos.flatMap((servico) =>
      estado[servico].map((rota, index) => rowOf(estado.uf, servico, index + 1, rota)),
    ),
  )
  const abrangencias = all.flatMap(({ cnd }) =>
    cnd.map(({ source, abrange: { debitos, origem } }) => `| ${source.id} | ${debitos} | ${origem} |\n`),
  )
  const nacionais = todas.map(([{ uf, servico, ordem }, rota]) => rowOf(uf, servico, ordem, rota))
  return `${INTRODUCAO}${rows.join('')}${ABRANGENCIAS}${abrangencias.join('')}${NACIONAIS}${nacionais.join('')}`
}

function rowOf(uf: string, servico: string, ordem: number, rota: RotaDescrita): string {
  const { source, familia, url, aceita, captcha, certeza, origem, em } = rota
  const asks = captcha === 'nenhum' ? '' : `${captcha.tipo} (${captcha.quando})`
  const host = new URL(url).host
  const cells = [uf, servico, ordem, source.id, familia, host, aceita.join(', '), asks, certeza, origem, em]
  return `| ${cells.join(' | ')} |\n`
}
