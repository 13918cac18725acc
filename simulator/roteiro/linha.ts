import { readFileSync } from 'node:fs'
import { type CenarioFederal, cenariosFederais } from '../federal/cenarios.ts'
import { type Comportamento, comportamentos } from '../mundo/comportamento.ts'
import { exemplos } from '../mundo/exemplo.ts'

/** One thing to try with the service, and its result. */
export type Linha = {
  endpoint: string
  parametros: Record<string, string>
  envio?: Envio
  espera: Espera
  /** The heading that the page has it under; left out, that of its kind of answer. */
  grupo?: string
  nota: string
}

/** What goes in the body of a POST: `corpo`, the A1 file in base64 as `certificado`, and `senha`. */
export type Envio = {
  cenario: string
  certificado: string
  senha: string
  corpo: { chave: string; cnpj?: string; manifestar?: boolean; simular?: boolean }
}

export type Espera = {
  http: number
  error_code?: string
  /** `error_code` of `source_status`, where HTTP 200 tells a failure of the source. */
  source_error?: string
  /** `status` of the source or of the result, on endpoints that answer failures with HTTP 200. */
  status?: string
  /** `manifestacao` and `cstat` of the result of an NF-e; null and empty where there is none. */
  manifestacao?: string | null
  cstat?: string
  creditos: number
}

export const certo: Espera = { http: 200, creditos: 1 }

/** The authority is out of reach, or does not take the question. */
export const indisponivel: Espera = { http: 503, error_code: 'SITE_INDISPONIVEL', creditos: 0 }

/** The authority answered with what cannot be understood. */
export const falhou: Espera = { http: 502, error_code: 'PROCESSAMENTO_FALHOU', creditos: 0 }

export const recusado = (error_code: string): Espera => ({ http: 400, error_code, creditos: 0 })

export type Tentativa = readonly [parametros: Record<string, string>, espera: Espera, nota: string]

export const linhasDe = (endpoint: string, tentativas: readonly Tentativa[]): Linha[] =>
  tentativas.map(([parametros, espera, nota]) => ({ endpoint, parametros, espera, nota }))

export const porDocumento = (documento: string): Record<string, string> => ({
  [documento.length === 11 ? 'cpf' : 'cnpj']: documento,
})

export const changeUltimo = (numero: string): string =>
  numero.slice(0, -1) + ((Number(numero.at(-1)) + 1) % 10)

export const maskCnpj = (cnpj: string): string => cnpj.replace(/^(..)(...)(...)(....)/, '$1.$2.$3/$4-')

/** The reserved document that misbehaves as the row of this name says. Throws when there is none. */
export function comReserva(nome: string): Comportamento {
  const achado = comportamentos.find((um) => um.nome === nome)
  if (!achado) throw new Error(`O simulador não tem o comportamento ${nome}.`)
  return achado
}

/** Questions about reserved documents, tried as CNPJs; a document's own note stands where none is given. */
export const dosReservados = <N extends string>(
  reservados: readonly (readonly [nome: string, espera: N, nota?: string])[],
  esperas: Readonly<Record<N, Espera>>,
): Tentativa[] =>
  reservados.map(([nome, espera, resumo]): Tentativa => {
    const { documento, nota } = comReserva(nome)
    return [{ cnpj: documento }, esperas[espera], resumo ?? nota]
  })

export function federal(nome: string): CenarioFederal {
  const achado = cenariosFederais.find((um) => um.nome === nome)
  if (!achado) throw new Error(`O simulador não tem o cenário federal ${nome}.`)
  return achado
}

export function parametrosDoDocumento(): Tentativa[] {
  const cnpj = exemplos().umaInscricao.get('SP') ?? ''
  const invalido = recusado('DOCUMENTO_INVALIDO')
  return [
    [{}, recusado('PARAMETRO_AUSENTE'), 'sem cpf nem cnpj'],
    [{ cpf: '', cnpj: '' }, recusado('PARAMETRO_AUSENTE'), 'parâmetro vazio conta como não enviado'],
    [{ cnpj: changeUltimo(cnpj) }, invalido, 'CNPJ com dígito verificador errado'],
    [{ cnpj: maskCnpj(cnpj) }, invalido, 'CNPJ com pontuação'],
    [{ cpf: changeUltimo(exemplos().pessoaSemInscricao) }, invalido, 'CPF com dígito verificador errado'],
  ]
}

/** What is refused besides where exactly one of the two is taken. */
export function parametrosDeUmDocumento(): Tentativa[] {
  const { umaInscricao, pessoaSemInscricao: cpf } = exemplos()
  const cnpj = umaInscricao.get('SP') ?? ''
  return [...parametrosDoDocumento(), [{ cnpj, cpf }, recusado('PARAMETRO_CONFLITANTE'), 'cnpj e cpf juntos']]
}

export function pedidoDaLinha({ endpoint, parametros }: Linha): string {
  const consulta = new URLSearchParams(parametros).toString()
  return consulta ? `${endpoint}?${consulta}` : endpoint
}

/** `200`, `200 erro, 0 créditos`, `503 SITE_INDISPONIVEL`. Nothing but HTTP 200 is charged. */
export function esperaDaLinha({ espera }: Linha): string {
  const { http, error_code, source_error, status, manifestacao, cstat, creditos } = espera
  const resposta = [http, error_code ?? source_error, status, manifestacao]
    .filter((parte) => parte != null)
    .join(' ')
  const codigo = cstat ? ` (cStat ${cstat})` : ''
  const cobrados = http === 200 && creditos !== 1 ? `, ${creditos} créditos` : ''
  return resposta + codigo + cobrados
}

export const porEndpoint = (linhas: readonly Linha[]): Map<string, Linha[]> =>
  Map.groupBy(linhas, ({ endpoint }) => endpoint)

/** Columns; where they are wider than the terminal, what is asked and below it what comes. */
export function writeTexto(linhas: readonly Linha[], colunas: number): string {
  const celulas = linhas.map((linha) => [textoDoPedido(linha), esperaDaLinha(linha), linha.nota])
  const largura = (coluna: number) => Math.max(0, ...celulas.map((celula) => celula[coluna]?.length ?? 0))
  const larguras = [largura(0), largura(1), 0]
  if (largura(0) + largura(1) + largura(2) + 4 > colunas)
    return celulas
      .map(
        ([pedido = '', espera = '', nota = '']) =>
          `${breakAt(pedido, colunas).trimStart()}\n${breakAt(`${espera}  ${nota}`, colunas)}\n`,
      )
      .join('')
  return celulas
    .map((celula) => `${celula.map((texto, i) => texto.padEnd(larguras[i] ?? 0)).join('  ')}\n`)
    .join('')
}

/** Two spaces, then as many words as fit; a longer word is left whole. */
const breakAt = (texto: string, colunas: number): string =>
  texto
    .replace(new RegExp(`(\\S.{0,${colunas - 4}}|\\S{${colunas - 3},})(?:\\s+|$)`, 'g'), '  $1\n')
    .trimEnd()

function textoDoPedido(linha: Linha): string {
  if (!linha.envio) return pedidoDaLinha(linha)
  const { corpo, certificado, senha } = linha.envio
  const partes = [...Object.entries(corpo), ['certificado', `${certificado}.pfx`], ['senha', senha]]
  return `${linha.endpoint} ${partes.map((parte) => parte.join('=')).join(' ')}`
}

/** docs/simulator.md: `prosa.md`, then a table an endpoint. Nothing in it changes with the day. */
export function writeMarkdown(linhas: readonly Linha[]): string {
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
