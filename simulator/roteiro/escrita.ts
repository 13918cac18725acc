import { readFileSync } from 'node:fs'
import type { Linha } from './linha.ts'

/** The path with its query, as curl takes it. */
export function pedidoDaLinha({ endpoint, parametros }: Linha): string {
  const consulta = new URLSearchParams(parametros).toString()
  return consulta ? `${endpoint}?${consulta}` : endpoint
}

/**
 * What comes back, in a few characters: `200`, `200 erro, 0 créditos`, `503 SITE_INDISPONIVEL`. Nothing but
 * HTTP 200 is charged.
 */
export function esperaDaLinha({ espera }: Linha): string {
  const { http, error_code, source_error, status, manifestacao, cstat, creditos } = espera
  const resposta = [http, error_code ?? source_error, status, manifestacao]
    .filter((parte) => parte != null)
    .join(' ')
  const codigo = cstat ? ` (cStat ${cstat})` : ''
  const cobrados = http === 200 && creditos !== 1 ? `, ${creditos} créditos` : ''
  return resposta + codigo + cobrados
}

/** The list by endpoint, in the order of its first rows. */
export function porEndpoint(linhas: readonly Linha[]): Map<string, Linha[]> {
  return Map.groupBy(linhas, ({ endpoint }) => endpoint)
}

/** A table for a terminal: request, what comes back, why. */
export function escreverTexto(linhas: readonly Linha[]): string {
  const celulas = linhas.map((linha) => [textoDoPedido(linha), esperaDaLinha(linha), linha.nota])
  const largura = (coluna: number) => Math.max(0, ...celulas.map((celula) => celula[coluna]?.length ?? 0))
  const larguras = [largura(0), largura(1), 0]
  return celulas
    .map((celula) => `${celula.map((texto, i) => texto.padEnd(larguras[i] ?? 0)).join('  ')}\n`)
    .join('')
}

function textoDoPedido(linha: Linha): string {
  if (!linha.envio) return pedidoDaLinha(linha)
  const { corpo, certificado, senha } = linha.envio
  const partes = [...Object.entries(corpo), ['certificado', `${certificado}.pfx`], ['senha', senha]]
  return `${linha.endpoint} ${partes.map((parte) => parte.join('=')).join(' ')}`
}

/**
 * The document about the simulator: `prosa.md`, then a table an endpoint. Nothing in it changes with the day.
 */
export function escreverMarkdown(linhas: readonly Linha[]): string {
  const prosa = readFileSync(new URL('./prosa.md', import.meta.url), 'utf8')
  const tabelas = [...porEndpoint(linhas)].map(([endpoint, suas]) => {
    const isPost = suas.some(({ envio }) => envio)
    const cabecalho = isPost ? '| Scenario | File |' : '| Parameters |'
    const regua = isPost ? '|---|---|---|---|' : '|---|---|---|'
    return (
      `### \`${isPost ? 'POST' : 'GET'} ${endpoint}\`\n\n${cabecalho} Answer | What it shows |\n${regua}\n` +
      suas
        .map((linha) => `| ${celulasDoPedido(linha)} | ${esperaDaLinha(linha)} | ${linha.nota} |\n`)
        .join('')
    )
  })
  return `${prosa.trim()}\n\n${tabelas.join('\n')}`
}

function celulasDoPedido({ parametros, envio }: Linha): string {
  if (!envio) return codigo(new URLSearchParams(parametros).toString())
  const { chave: _, ...resto } = envio.corpo
  const opcoes = Object.entries(resto).map(([nome, valor]) => `, \`${nome}\` = ${valor}`)
  return `${codigo(envio.cenario)}${opcoes.join('')} | ${codigo(`${envio.certificado}.pfx`)}`
}

const codigo = (texto: string) => (texto ? `\`${texto}\`` : '(none)')
