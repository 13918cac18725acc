import type { Ambiente, ResponderPagina } from '../platform/atendimento.ts'
import type { Autoridade, Pagina } from '../platform/autoridade.ts'
import type { ItemA1 } from '../platform/icp/catalogo.ts'
import type { Icp } from '../platform/icp/icp.ts'
import { escapar } from '../platform/xml.ts'
import { esperaDaLinha, type Linha, pedidoDaLinha, porEndpoint } from '../roteiro/linha.ts'
import { escreverDocumentos, listarNotas, listarRoteiro } from '../roteiro/roteiro.ts'

/** The service that uses this simulator: its address, and a key to try it with. */
export type Cliente = { servico: string; chave: string }

/** A line of JSON in which the parent process says where the service is; undefined for anything else. */
export function lerCliente(linha: string): Cliente | undefined {
  try {
    const { servico, chave } = Object(JSON.parse(linha))
    const isCliente = URL.canParse(servico) && typeof chave === 'string' && /^\w+$/.test(chave)
    return isCliente ? { servico: String(servico), chave } : undefined
  } catch {
    return undefined
  }
}

/** Light and dark, one column on a narrow screen, nothing loaded from elsewhere. */
export const ESTILO = `
:root {
  color-scheme: light dark;
  --papel: light-dark(#fff, #15181c); --tinta: light-dark(#1c2127, #e4e7eb); --fraca: light-dark(#59636e, #a0a9b4);
  --linha: light-dark(#d8dee4, #343a42); --fundo: light-dark(#f4f6f8, #1e2329); --elo: light-dark(#0b57c2, #83b4ff);
  --certo: light-dark(#116329, #6fdd8b); --erro: light-dark(#8a4b00, #f2b85c); --falha: light-dark(#a40e26, #ff9a96);
}
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 78rem; padding: 1.5rem 1rem 4rem; background: var(--papel); color: var(--tinta); font: 1rem/1.5 system-ui, sans-serif }
h1 { margin: 0 0 1rem; font-size: clamp(1.5rem, 5vw, 2.1rem); line-height: 1.2 }
h2 { margin: 3rem 0 .5rem; font-size: 1.4rem }
h3 { margin: 2rem 0 .25rem; font-size: 1.1rem }
h4 { margin: 1.25rem 0 .25rem; font-size: 1rem; color: var(--fraca) }
p { max-width: 46rem }
a { color: var(--elo) }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: 0; list-style: none }
code, pre { font: .85rem/1.5 ui-monospace, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere }
pre, .comando { padding: .35rem .6rem; border-radius: .35rem; background: var(--fundo) }
pre { max-width: 46rem; white-space: pre-wrap }
.comando { display: block; font-size: .8rem; user-select: all }
h3 code, nav code { font-size: inherit; font-weight: inherit }
.aviso { max-width: none; padding: .75rem 1rem; border-left: .35rem solid var(--erro); background: var(--fundo) }
.linhas { margin: 0; padding: 0; list-style: none }
.linhas > li { display: grid; gap: .25rem 1rem; align-items: center; padding: .45rem 0; border-top: 1px solid var(--linha) }
.linhas p, .linhas strong { margin: 0; overflow-wrap: anywhere }
.linhas .dados { color: var(--fraca); font-size: .85rem }
.dados code { user-select: all }
:target { outline: 2px solid var(--elo); outline-offset: .2rem }
.certo { color: var(--certo) } .erro { color: var(--erro) } .falha { color: var(--falha) }
.linhas > li[hidden] { display: none }
.copiar { justify-self: start; padding: .1rem .6rem; border: 1px solid var(--linha); border-radius: .35rem; background: var(--papel); color: var(--fraca); font: inherit; font-size: .8rem; cursor: pointer }
.filtro input { width: 16rem; max-width: 100%; padding: .35rem .6rem; border: 1px solid var(--linha); border-radius: .35rem; background: var(--papel); color: inherit; font: inherit }
summary { padding: .45rem 0; cursor: pointer }
@media (min-width: 60rem) {
  .linhas > li { grid-template-columns: 4fr 9fr auto 3fr }
  .arquivos > li { grid-template-columns: 2fr 2fr 5fr 5fr }
}
`

/** A copy button at each command, and a filter over all rows. The page also works without it. */
export const PROGRAMA = `
for (const comando of document.querySelectorAll('.comando')) {
  const botao = document.createElement('button')
  botao.type = 'button'
  botao.className = 'copiar'
  botao.textContent = 'Copiar'
  botao.addEventListener('click', async () => {
    await navigator.clipboard.writeText(comando.textContent)
    botao.textContent = 'Copiado'
    setTimeout(() => { botao.textContent = 'Copiar' }, 1500)
  })
  comando.after(botao)
}
const plano = (texto) => texto.normalize('NFD').replace(/\\p{M}/gu, '').toLowerCase()
const linhas = [...document.querySelectorAll('.linhas > li')].map((li) => [li, plano(li.textContent)])
const filtro = document.getElementById('filtro')
filtro.closest('p').hidden = false
filtro.addEventListener('input', () => {
  const palavras = plano(filtro.value).split(/\\s+/).filter(Boolean)
  let vistas = 0
  for (const [li, texto] of linhas) {
    li.hidden = !palavras.every((palavra) => texto.includes(palavra))
    if (!li.hidden) vistas++
  }
  for (const dobra of document.querySelectorAll('details')) {
    dobra.open = palavras.length > 0
    dobra.hidden = !dobra.querySelector('li:not([hidden])')
  }
  filtro.closest('p').querySelector('output').textContent = palavras.length === 0 ? '' : vistas + (vistas === 1 ? ' linha' : ' linhas')
})
`

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

const SEFAZ = `<h2 id="sefaz">O tempo na SEFAZ</h2>
<p>Os 27 autorizadores respondem pelo serviço de status como manda o tempo que faz em cada um: quase sempre bem, às vezes devagar, de vez em quando fora do ar.
Como estão agora: ${elo('/sefaz.json', 'sefaz.json')}; os 90 dias anteriores: ${elo('/sefaz/passado.json', 'sefaz/passado.json')}. Para mudar o tempo, diga a situação de cada um
(<code>normal</code>, <code>lento</code>, <code>sem-resposta</code>, <code>108</code>, <code>109</code>, <code>113</code>, <code>114</code>, <code>656</code>, <code>678</code>, <code>fault</code>,
<code>http-403</code>, <code>http-500</code>, <code>recusa-tls</code>, <code>html</code>, <code>malformado</code>, <code>corte</code>), e se um estado ativou a contingência; <code>DELETE</code> volta ao tempo que faz.</p>
<pre class="comando">curl -X PUT "$SIMULADOR/sefaz.json" -d '{"autorizadores": {"nfe-svrs": "108", "nfe-sp": {"caso": "lento", "ms": 3500}}, "svc": {"nfe": {"RJ": "ativada"}}}'
curl -X DELETE "$SIMULADOR/sefaz.json"</pre>`

/** The index page. */
export function escreverIndice({ linhas, certificados, autoridades, gateway, cliente }: Indice): string {
  const secoes = [...porEndpoint(linhas)]
  const elos = secoes.map(([endpoint]) => elo(`#${ancora(endpoint)}`, `<code>${escapar(endpoint)}</code>`))
  return `<!DOCTYPE html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Simulador das autoridades fiscais</title>
<style>${ESTILO}</style>
</head>
<body>
<header>
<h1>Simulador das autoridades fiscais</h1>
<p class="aviso" role="note"><strong>Isto é um simulador.</strong> Nenhuma autoridade foi consultada: empresas, pessoas, documentos,
inscrições e certificados são fictícios. Um número ou nome que exista é coincidência. Não use nada daqui como prova de nada.</p>
<nav aria-label="Nesta página">
${lista('', [...elos, elo('#sefaz', 'O tempo na SEFAZ'), elo('#certificados', 'Certificados A1'), elo('#autoridades', 'Autoridades')])}
</nav>
</header>
<main>
<h2>O que experimentar</h2>
<p>Em um terminal, diga uma vez onde o serviço e este simulador atendem e qual é a chave de API; depois cole qualquer um dos comandos:</p>
<pre class="comando">export SERVICO=${escapar(cliente?.servico ?? 'http://localhost:8080')}
export SIMULADOR=${escapar(enderecoDe(gateway))}
export CHAVE=${escapar(cliente?.chave ?? 'fk_a_sua_chave')}</pre>
<p class="filtro" hidden><label>Filtrar por documento, estado ou palavra: <input type="search" id="filtro" autocomplete="off"></label> <output for="filtro"></output></p>
<p>Qualquer outro CPF ou CNPJ válido também responde: cerca de um em cada cinco não é conhecido por ninguém.
A mesma lista para programas: ${elo('/documentos.json', 'documentos.json')}.</p>
${secoes.map(([endpoint, suas]) => escreverSecao(endpoint, suas)).join('\n')}
${SEFAZ}
<h2 id="certificados">Certificados A1 para baixar</h2>
<p>Arquivo, senha, titular e para que serve; os dos cenários da NF-e estão nas linhas deles. Valem só aqui; a autoridade que os assina é ${elo('/ca.pem', 'ca.pem')}.
A mesma lista para programas: ${elo('/certificados.json', 'certificados.json')}.</p>
${lista('linhas arquivos', certificados.map(escreverCertificado))}
<h2 id="autoridades">Autoridades</h2>
<p>Todas atendem nesta porta, cada uma pelos seus nomes reais, na mesma linguagem das verdadeiras.</p>
${lista('linhas', autoridades.map(escreverAutoridade))}
</main>
<script>${PROGRAMA}</script>
</body>
</html>
`
}

function escreverSecao(endpoint: string, linhas: readonly Linha[]): string {
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
    `<h3 id="${nome}"><code>${metodo} ${escapar(endpoint)}</code></h3>`,
    ...(metodo === 'POST' ? [AVISO, escreverElos(secoes)] : []),
    ...secoes.map(({ titulo, id, linhas }) => `<h4 id="${id}">${titulo}</h4>\n${escreverGrupo(linhas)}`),
  ].join('\n')
}

type Classificada = { linha: Linha; classe: string }

/** From this number on, rows that differ only in the state are folded into one. */
const IGUAIS = 5

/** Single rows come first. After them, folded, come the rows that repeat for each state. */
function escreverGrupo(linhas: readonly Classificada[]): string {
  const feitios = Map.groupBy(linhas, ({ linha }) => linha.nota.replace(/\b[A-Z]{2}\b/g, 'cada estado'))
  const escrever = (suas: readonly Classificada[]) =>
    lista(
      'linhas',
      suas.map(({ linha, classe }) => escreverLinha(linha, classe)),
    )
  const grandes = [...feitios].filter(([, suas]) => suas.length >= IGUAIS)
  const poucas = linhas.filter((uma) => !grandes.some(([, suas]) => suas.includes(uma)))
  const dobradas = grandes.map(
    ([feitio, suas]) =>
      `<details><summary>${escapar(feitio)} (${suas.length})</summary>\n${escrever(suas)}</details>`,
  )
  return [poucas.length > 0 ? escrever(poucas) : '', ...dobradas].join('\n')
}

function escreverElos(secoes: readonly { id: string; titulo: string; linhas: readonly unknown[] }[]): string {
  const elos = secoes.map(({ id, titulo, linhas }) => elo(`#${id}`, `${titulo} (${linhas.length})`))
  return `<nav aria-label="Nesta seção">\n${lista('', elos)}</nav>`
}

function escreverLinha(linha: Linha, classe: string): string {
  const comando = `curl -i -H "X-API-Key: $CHAVE" ${envioDa(linha)}"$SERVICO${pedidoDaLinha(linha)}"`
  return (
    `<div><p>${escapar(linha.nota)}</p>${dadosDa(linha)}</div><code class="comando">${escapar(comando)}</code>` +
    `<code class="${classe}">${escapar(esperaDaLinha(linha))}</code>`
  )
}

/** The parts of a POST, for readers who do not paste the command. */
function dadosDa({ envio, espera }: Linha): string {
  if (!envio) return ''
  const { corpo, certificado, senha } = envio
  const id = `${certificado}${espera.http === 200 ? '' : `-${espera.http}`}`
  const arquivo = `<a href="/certificados/${certificado}.pfx" download>${certificado}.pfx</a>`
  const segredo = senha ? `senha <code>${escapar(senha)}</code>` : 'senha vazia'
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

function escreverCertificado({ nome, senha, titular, nota }: ItemA1): string {
  const { tipo, documento } = titular
  return (
    `<strong><a href="/certificados/${nome}.pfx" download>${nome}.pfx</a></strong>` +
    `<p>${senha ? `<code>${escapar(senha)}</code>` : '(senha vazia)'}</p>` +
    `<p>${escapar(titular.nome)}, ${tipo.toUpperCase()} ${documento}</p><p>${escapar(nota)}</p>`
  )
}

function escreverAutoridade({ nome, hosts, pedeCertificado }: Autoridade): string {
  const nota = pedeCertificado ? 'pede certificado' : 'sem certificado'
  return `<strong>${escapar(nome)}</strong><code>${escapar(hosts.join(' '))}</code><p>${nota}</p>`
}

function lista(classe: string, itens: readonly string[]): string {
  return `<ul class="${classe}">\n${itens.map((item) => `<li>${item}</li>\n`).join('')}</ul>`
}

function elo(endereco: string, html: string): string {
  return `<a href="${endereco}">${html}</a>`
}

function enderecoDe({ host, porta }: Ambiente['gateway']): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${porta}`
}

function ancora(endpoint: string): string {
  return endpoint.replace(/\W+/g, '-').replace(/^-|-$/g, '')
}

/** A note whose XML comes at once and registers no event. */
const DO_EXEMPLO = 'ciencia-anterior'

/**
 * `/` for people, `/documentos.json` and `/exemplos.json` for programs. Each load makes new keys of notes.
 */
export function criarPaginas(
  agora: () => Date,
  cliente: () => Cliente | undefined = () => undefined,
): ResponderPagina {
  return (caminho, { gateway, icp, autoridades }) => {
    if (caminho === '/') {
      const linhas = [...listarRoteiro(), ...listarNotas(agora())]
      const corpo = escreverIndice({
        linhas,
        certificados: icp.catalogo,
        autoridades,
        gateway,
        cliente: cliente(),
      })
      return { status: 200, tipo: 'text/html; charset=utf-8', corpo }
    }
    if (caminho === '/documentos.json') {
      const corpo = escreverDocumentos('json', agora())
      return { status: 200, tipo: 'application/json; charset=utf-8', corpo }
    }
    return caminho === '/exemplos.json' ? escreverExemplos(icp, agora()) : undefined
  }
}

/** By path of the endpoint, the members of a body that no document can know before: a key and an A1 file. */
async function escreverExemplos(icp: Icp, agora: Date): Promise<Pagina> {
  const linha = listarNotas(agora).find(({ envio }) => envio?.cenario === DO_EXEMPLO)
  const { certificado: nome = '', corpo } = linha?.envio ?? {}
  const arquivo = await icp.certificado(nome)
  const enviado = { ...corpo, certificado: arquivo?.pfx.toString('base64'), senha: arquivo?.item.senha }
  const corpoDaPagina = JSON.stringify({ [linha?.endpoint ?? '']: enviado })
  return { status: 200, tipo: 'application/json; charset=utf-8', corpo: corpoDaPagina }
}
