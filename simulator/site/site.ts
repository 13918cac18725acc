import { readFileSync } from 'node:fs'
import type { Ambiente, AnswerPagina } from '../platform/atendimento.ts'
import type { Autoridade, Pagina } from '../platform/autoridade.ts'
import type { ItemA1 } from '../platform/icp/catalogo.ts'
import type { Icp } from '../platform/icp/icp.ts'
import { escapeXml } from '../platform/xml.ts'
import { esperaDaLinha, type Linha, pedidoDaLinha, porEndpoint } from '../roteiro/linha.ts'
import { listNotas, listRoteiro, writeDocumentos } from '../roteiro/roteiro.ts'

/** The service that uses this simulator: its address, and a key to try it with. */
export type Cliente = { servico: string; chave: string }

/** A line of JSON in which the parent process says where the service is; undefined for anything else. */
export function readCliente(linha: string): Cliente | undefined {
  try {
    const { servico, chave } = Object(JSON.parse(linha))
    const isCliente = URL.canParse(servico) && typeof chave === 'string' && /^\w+$/.test(chave)
    return isCliente ? { servico: String(servico), chave } : undefined
  } catch {
    return undefined
  }
}

export type Indice = {
  linhas: readonly Linha[]
  certificados: readonly ItemA1[]
  autoridades: readonly Autoridade[]
  gateway: Ambiente['gateway']
  cliente: Cliente | undefined
}

/** The kinds of answers by the first digit of the HTTP status, in the order in which they are shown. */
const TIPOS = [
  ['2', 'certo', 'Respondem'],
  ['4', 'erro', 'Erros do pedido'],
  ['5', 'falha', 'Falhas da consulta'],
] as const

const AVISO = `<p>Cada cenário tem o seu arquivo A1, que o comando baixa daqui. As chaves são de notas autorizadas há tantos dias quantos o cenário pede,
contados de quando esta página foi aberta: abra-a de novo para ter outras, sem nenhum evento registrado. O que um cenário faz de errado,
o seu certificado faz também com qualquer outra chave.</p>`

const readArquivo = (nome: string): string => readFileSync(new URL(nome, import.meta.url), 'utf8')

/** The index page: `pagina.html`, which loads nothing from elsewhere and also works without its script. */
export function writeIndice({ linhas, certificados, autoridades, gateway, cliente }: Indice): string {
  const secoes = [...porEndpoint(linhas)]
  const elos = secoes.map(([endpoint]) => elo(`#${ancora(endpoint)}`, `<code>${escapeXml(endpoint)}</code>`))
  const fixos = { sefaz: 'O tempo na SEFAZ', certificados: 'Certificados A1', autoridades: 'Autoridades' }
  const valores: Readonly<Record<string, string>> = {
    estilo: readArquivo('estilo.css'),
    nav: lista('', [...elos, ...Object.entries(fixos).map(([id, nome]) => elo(`#${id}`, nome))]),
    servico: escapeXml(cliente?.servico ?? 'http://localhost:8080'),
    simulador: escapeXml(enderecoDe(gateway)),
    chave: escapeXml(cliente?.chave ?? 'fk_a_sua_chave'),
    secoes: secoes.map(([endpoint, suas]) => writeSecao(endpoint, suas)).join('\n'),
    certificados: lista('linhas arquivos', certificados.map(writeCertificado)),
    autoridades: lista('linhas', autoridades.map(writeAutoridade)),
    programa: readArquivo('programa.js'),
  }
  return readArquivo('pagina.html').replace(/\{\{(\w+)\}\}/g, (_, nome: string) => valores[nome] ?? '')
}

function writeSecao(endpoint: string, linhas: readonly Linha[]): string {
  const grupos = TIPOS.flatMap(([digito, classe, titulo]) =>
    linhas
      .filter(({ espera }) => `${espera.http}`.startsWith(digito))
      .map((linha) => ({ grupo: linha.grupo ?? titulo, linha, classe })),
  )
  const nome = ancora(endpoint)
  const secoes = [...Map.groupBy(grupos, ({ grupo }) => grupo)].map(([titulo, suas], indice) => {
    return { titulo, id: `${nome}-${indice + 1}`, linhas: suas }
  })
  const metodo = linhas.some(({ envio }) => envio) ? 'POST' : 'GET'
  return [
    `<h3 id="${nome}"><code>${metodo} ${escapeXml(endpoint)}</code></h3>`,
    ...(metodo === 'POST' ? [AVISO, writeElos(secoes)] : []),
    ...secoes.map(({ titulo, id, linhas }) => `<h4 id="${id}">${titulo}</h4>\n${writeGrupo(linhas)}`),
  ].join('\n')
}

type Classificada = { linha: Linha; classe: string }

/** From this number on, rows that differ only in the state are folded into one. */
const IGUAIS = 5

/** Single rows come first. After them, folded, come the rows that repeat for each state. */
function writeGrupo(linhas: readonly Classificada[]): string {
  const feitios = Map.groupBy(linhas, ({ linha }) => linha.nota.replace(/\b[A-Z]{2}\b/g, 'cada estado'))
  const write = (suas: readonly Classificada[]) =>
    lista(
      'linhas',
      suas.map(({ linha, classe }) => writeLinha(linha, classe)),
    )
  const grandes = [...feitios].filter(([, suas]) => suas.length >= IGUAIS)
  const poucas = linhas.filter((uma) => !grandes.some(([, suas]) => suas.includes(uma)))
  const dobradas = grandes.map(
    ([feitio, suas]) =>
      `<details><summary>${escapeXml(feitio)} (${suas.length})</summary>\n${write(suas)}</details>`,
  )
  return [poucas.length > 0 ? write(poucas) : '', ...dobradas].join('\n')
}

function writeElos(secoes: readonly { id: string; titulo: string; linhas: readonly unknown[] }[]): string {
  const elos = secoes.map(({ id, titulo, linhas }) => elo(`#${id}`, `${titulo} (${linhas.length})`))
  return `<nav aria-label="Nesta seção">\n${lista('', elos)}</nav>`
}

function writeLinha(linha: Linha, classe: string): string {
  const comando = `curl -i -H "X-API-Key: $CHAVE" ${envioDa(linha)}"$SERVICO${pedidoDaLinha(linha)}"`
  return (
    `<div><p>${escapeXml(linha.nota)}</p>${dadosDa(linha)}</div><code class="comando">${escapeXml(comando)}</code>` +
    `<code class="${classe}">${escapeXml(esperaDaLinha(linha))}</code>`
  )
}

/** The parts of a POST, for readers who do not paste the command. */
function dadosDa({ envio, espera }: Linha): string {
  if (!envio) return ''
  const { corpo, certificado, senha } = envio
  const id = `${certificado}${espera.http === 200 ? '' : `-${espera.http}`}`
  const arquivo = `<a href="/certificados/${certificado}.pfx" download>${certificado}.pfx</a>`
  const segredo = senha ? `senha <code>${escapeXml(senha)}</code>` : 'senha vazia'
  const aqui = `<a href="#${id}" aria-label="Endereço desta linha">#</a>`
  return `<p class="dados" id="${id}">${aqui} <code>${corpo.chave}</code> ${arquivo}, ${segredo}</p>`
}

/** The body of a POST as bash writes it. */
function envioDa({ envio }: Linha): string {
  if (!envio) return ''
  const { corpo, certificado, senha } = envio
  const arquivo = `$(curl -s "$SIMULADOR/certificados/${certificado}.pfx" | base64 | tr -d '\\n')`
  const json = JSON.stringify({ ...corpo, certificado: '', senha })
  return `-H "Content-Type: application/json" -d '${json.replace('"certificado":""', `"certificado":"'"${arquivo}"'"`)}' `
}

function writeCertificado({ nome, senha, titular, nota }: ItemA1): string {
  const { tipo, documento } = titular
  return (
    `<strong><a href="/certificados/${nome}.pfx" download>${nome}.pfx</a></strong>` +
    `<p>${senha ? `<code>${escapeXml(senha)}</code>` : '(senha vazia)'}</p>` +
    `<p>${escapeXml(titular.nome)}, ${tipo.toUpperCase()} ${documento}</p><p>${escapeXml(nota)}</p>`
  )
}

function writeAutoridade({ nome, hosts, asksCertificado }: Autoridade): string {
  const nota = asksCertificado ? 'pede certificado' : 'sem certificado'
  return `<strong>${escapeXml(nome)}</strong><code>${escapeXml(hosts.join(' '))}</code><p>${nota}</p>`
}

const lista = (classe: string, itens: readonly string[]): string =>
  `<ul class="${classe}">\n${itens.map((item) => `<li>${item}</li>\n`).join('')}</ul>`

const elo = (endereco: string, html: string): string => `<a href="${endereco}">${html}</a>`

const enderecoDe = ({ host, porta }: Ambiente['gateway']): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${porta}`

const ancora = (endpoint: string): string => endpoint.replace(/\W+/g, '-').replace(/^-|-$/g, '')

/** A note whose XML comes at once and registers no event. */
const DO_EXEMPLO = 'ciencia-anterior'

/**
 * `/` for people, `/documentos.json` and `/exemplos.json` for programs. Each load makes new keys of notes.
 */
export const createPaginas =
  (agora: () => Date, cliente: () => Cliente | undefined = () => undefined): AnswerPagina =>
  (caminho, { gateway, icp, autoridades }) => {
    if (caminho === '/') {
      const linhas = [...listRoteiro(), ...listNotas(agora())]
      const corpo = writeIndice({
        linhas,
        certificados: icp.catalogo,
        autoridades,
        gateway,
        cliente: cliente(),
      })
      return { status: 200, tipo: 'text/html; charset=utf-8', corpo }
    }
    if (caminho === '/documentos.json') {
      const corpo = writeDocumentos('json', agora())
      return { status: 200, tipo: 'application/json; charset=utf-8', corpo }
    }
    return caminho === '/exemplos.json' ? writeExemplos(icp, agora()) : undefined
  }

/** By path of the endpoint, the members of a body that no document can know before: a key and an A1 file. */
async function writeExemplos(icp: Icp, agora: Date): Promise<Pagina> {
  const linha = listNotas(agora).find(({ envio }) => envio?.cenario === DO_EXEMPLO)
  const { certificado: nome = '', corpo } = linha?.envio ?? {}
  const arquivo = await icp.certificado(nome)
  const enviado = { ...corpo, certificado: arquivo?.pfx.toString('base64'), senha: arquivo?.item.senha }
  const corpoDaPagina = JSON.stringify({ [linha?.endpoint ?? '']: enviado })
  return { status: 200, tipo: 'application/json; charset=utf-8', corpo: corpoDaPagina }
}
