import type { Autoridade } from '../platform/autoridade.ts'
import type { ItemA1 } from '../platform/icp/catalogo.ts'
import type { Ambiente } from '../platform/pagina.ts'
import { escapar } from '../platform/xml.ts'
import { esperaDaLinha, pedidoDaLinha, porEndpoint } from '../roteiro/escrita.ts'
import type { Linha } from '../roteiro/linha.ts'
import type { Cliente } from './cliente.ts'
import { ESTILO } from './estilo.ts'
import { PROGRAMA } from './programa.ts'

/** The page's content: things to try, the A1 files, and the authorities that are played. */
export type Indice = {
  linhas: readonly Linha[]
  certificados: readonly ItemA1[]
  autoridades: readonly Autoridade[]
  /** Where the reader reached this page. */
  gateway: Ambiente['gateway']
  cliente: Cliente | undefined
}

/** The kinds of answers by the first digit of the HTTP status, in the order in which they are shown. */
const TIPOS = [
  ['2', 'certo', 'Respondem'],
  ['4', 'erro', 'Erros do pedido'],
  ['5', 'falha', 'Falhas da consulta'],
] as const

/** Goes before the requests that are sent with POST. */
const AVISO = `<p>Cada cenário tem o seu arquivo A1, que o comando baixa daqui. As chaves são de notas autorizadas há tantos dias quantos o cenário pede,
contados de quando esta página foi aberta: abra-a de novo para ter outras, sem nenhum evento registrado. O que um cenário faz de errado,
o seu certificado faz também com qualquer outra chave.</p>`

/** How the weather at the authorizers is overridden. */
const SEFAZ = `<h2 id="sefaz">O tempo na SEFAZ</h2>
<p>Os 27 autorizadores respondem pelo serviço de status como manda o tempo que faz em cada um: quase sempre bem, às vezes devagar, de vez em quando fora do ar.
Como estão agora: ${elo('/sefaz.json', 'sefaz.json')}; os 90 dias anteriores: ${elo('/sefaz/passado.json', 'sefaz/passado.json')}. Para mudar o tempo, diga a situação de cada um
(<code>normal</code>, <code>lento</code>, <code>sem-resposta</code>, <code>108</code>, <code>109</code>, <code>113</code>, <code>114</code>, <code>656</code>, <code>678</code>, <code>fault</code>,
<code>http-403</code>, <code>http-500</code>, <code>recusa-tls</code>, <code>html</code>, <code>malformado</code>, <code>corte</code>), e se um estado ativou a contingência; <code>DELETE</code> volta ao tempo que faz.</p>
<pre class="comando">curl -X PUT "$SIMULADOR/sefaz.json" -d '{"autorizadores": {"nfe-svrs": "108", "nfe-sp": {"caso": "lento", "ms": 3500}}, "svc": {"nfe": {"RJ": "ativada"}}}'
curl -X DELETE "$SIMULADOR/sefaz.json"</pre>`

/**
 * The index page: that nothing here is real, what to try with the command to paste, and the certificates to
 * download.
 */
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

/**
 * The parts of a POST, for readers who do not paste the command: key, file, password, and the way back to
 * this row.
 */
function dadosDa({ envio, espera }: Linha): string {
  if (!envio) return ''
  const { corpo, certificado, senha } = envio
  const id = `${certificado}${espera.http === 200 ? '' : `-${espera.http}`}`
  const arquivo = `<a href="/certificados/${certificado}.pfx" download>${certificado}.pfx</a>`
  const segredo = senha ? `senha <code>${escapar(senha)}</code>` : 'senha vazia'
  const aqui = `<a href="#${id}" aria-label="Endereço desta linha">#</a>`
  return `<p class="dados" id="${id}">${aqui} <code>${corpo.chave}</code> ${arquivo}, ${segredo}</p>`
}

/**
 * The body of a POST as bash writes it: the certificate is fetched from here and put in base64 at its place.
 */
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
