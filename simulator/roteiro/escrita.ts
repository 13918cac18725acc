import { readFileSync } from 'node:fs'
import type { Linha } from './linha.ts'

/** The path with its query, as curl takes it. */
export function pedidoDaLinha({ endpoint, parametros }: Linha): string {
  const consulta = new URLSearchParams(parametros).toString()
  return consulta ? `${endpoint}?${consulta}` : endpoint
}

/** What comes back, in a few characters: `200`, `200 erro, 0 créditos`, `503 SITE_INDISPONIVEL`. Nothing but HTTP 200 is charged. */
export function esperaDaLinha({ espera }: Linha): string {
  const { http, error_code, status, creditos } = espera
  const resposta = [http, error_code, status].filter((parte) => parte !== undefined).join(' ')
  return http === 200 && creditos !== 1 ? `${resposta}, ${creditos} créditos` : resposta
}

/** The list by endpoint, in the order of its first rows. */
export function porEndpoint(linhas: readonly Linha[]): Map<string, Linha[]> {
  return Map.groupBy(linhas, ({ endpoint }) => endpoint)
}

/** A table for a terminal: request, what comes back, why. */
export function escreverTexto(linhas: readonly Linha[]): string {
  const celulas = linhas.map((linha) => [pedidoDaLinha(linha), esperaDaLinha(linha), linha.nota])
  const largura = (coluna: number) => Math.max(0, ...celulas.map((celula) => celula[coluna]?.length ?? 0))
  const larguras = [largura(0), largura(1), 0]
  return celulas
    .map((celula) => `${celula.map((texto, i) => texto.padEnd(larguras[i] ?? 0)).join('  ')}\n`)
    .join('')
}

/** The document about the simulator: `prosa.md`, then a table an endpoint. */
export function escreverMarkdown(linhas: readonly Linha[]): string {
  const prosa = readFileSync(new URL('./prosa.md', import.meta.url), 'utf8')
  const tabelas = [...porEndpoint(linhas)].map(
    ([endpoint, suas]) =>
      `### \`GET ${endpoint}\`\n\n| Parameters | Answer | What it shows |\n|---|---|---|\n` +
      suas
        .map((linha) => `| ${codigo(consultaDaLinha(linha))} | ${esperaDaLinha(linha)} | ${linha.nota} |\n`)
        .join(''),
  )
  return `${prosa.trim()}\n\n${tabelas.join('\n')}`
}

function consultaDaLinha({ parametros }: Linha): string {
  return new URLSearchParams(parametros).toString()
}

const codigo = (texto: string) => (texto ? `\`${texto}\`` : '(none)')
