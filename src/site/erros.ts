import type { FastifyInstance } from 'fastify'
import type { Manifestacao, StatusNfe } from '../nfe/rules.ts'
import { documentOf } from '../platform/http/document.ts'
import { readAnswers } from '../platform/http/operation.ts'
import { serveStatic } from '../platform/http/ready.ts'
import { colorir } from '../platform/pages/codigo.ts'
import { type CodeEntry, groups, markup } from '../platform/pages/erros-textos.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import { writePage } from '../platform/pages/layout.ts'
import { cabecalhosDePagina, cabecalhosPublicos, molduraDe } from '../platform/pages/moldura.ts'
import type { Platform } from '../platform/platform.ts'
import { quandoRepetir } from '../platform/wire/fonte.ts'
import type { SourceStatus } from '../platform/wire/source-status.ts'
import type { SituacaoCertidao } from '../portal/rules-certidao.ts'
import type { StatusCode } from '../sefaz/rules.ts'

/** A closed list of words that an answer may hold, each with its meaning. */
type ValueList = { id: string; heading: string; about: string; meanings: Readonly<Record<string, string>> }

// Specification, "CND status".
const situacoes: Record<SituacaoCertidao, string> = {
  negativa: 'Não há débitos: em dia.',
  positiva:
    'Há débitos. Na certidão federal, também quando a Receita Federal não a emite pela internet por haver pendências ou pela situação do cadastro: vem sem PDF e sem custo, com a mensagem dela em `status_raw`.',
  positiva_com_efeitos_de_negativa:
    'Há débitos, suspensos ou garantidos (recurso, decisão judicial, parcelamento): na prática, vale como negativa.',
  nao_contribuinte:
    'Estadual: não tem inscrição neste estado, o que é normal e não é erro. Federal: o CNPJ não está no cadastro da Receita Federal; não custa créditos.',
  sem_certidao:
    'Só na estadual: o órgão respondeu e não emitiu certidão. Não é falha e não equivale a positiva; o texto dele está em `status_raw`.',
  erro: 'Nada se pode concluir, e nada é cobrado. Estadual: a consulta falhou; veja `source_status`. Federal: a Receita Federal recusou o pedido (como o de uma filial, pois a certidão é da matriz) ou o PDF não pôde ser conferido; a mensagem está em `status_raw`.',
}

// Specification, "NF-e XML `status` values".
const notas: Record<StatusNfe, string> = {
  ok: 'O XML inteiro está em `xml`. É o único que cobra créditos.',
  somente_resumo:
    'A SEFAZ só entrega o resumo: o destinatário não se manifestou e a Ciência da Operação não pôde ser registrada (passou o prazo, a SEFAZ a recusou ou `manifestar` é false). Também quando o portal está fora do ar por um momento, ou a nota é antiga demais para se manifestar. `mensagem` diz qual dos casos e o que fazer.',
  nao_autorizado:
    'O dono do certificado não participa da nota. Consulte com o certificado do emitente, do destinatário, do transportador ou de quem o XML autoriza.',
  nao_encontrado: 'A SEFAZ não localizou a nota com esta chave e este certificado.',
  fora_prazo:
    'A SEFAZ já não entrega a nota pela chave (cStat 632, das antigas), e o portal nacional, tentado em seguida, também não a entregou.',
  chave_invalida: 'A chave não pode existir: dígito verificador, estado, mês ou modelo errado.',
  erro: 'A consulta falhou: a SEFAZ a recusou ou está indisponível. `retryable` diz se repetir pode dar certo.',
  cancelada: 'A nota foi cancelada ou denegada: o XML não é entregue e nenhum evento é registrado.',
}

// Specification, "`manifestacao` values".
const eventos: Record<Manifestacao, string> = {
  ciencia_registrada: 'A Ciência da Operação foi registrada agora (cStat 135 ou 136).',
  ciencia_ja_registrada: 'A Ciência já estava registrada (cStat 573).',
  ciencia_fora_prazo:
    'A Ciência foi recusada por passar do prazo (cStat 596). Se `status` é ok, o XML veio do portal, sem evento.',
  ciencia_rejeitada: 'A SEFAZ recusou a Ciência por outro motivo: está em `cstat` e `mensagem`.',
  ciencia_erro: 'A comunicação falhou ao registrar a Ciência: consulte de novo para saber se ela valeu.',
  ciencia_nao_suportada:
    'O certificado não tem chave RSA, e os eventos só aceitam assinatura RSA-SHA1: nada foi enviado.',
  confirmacao_registrada:
    'A Confirmação da Operação foi registrada agora (cStat 135 ou 136): o emitente não pode mais cancelar a nota, e o Desconhecimento não pode mais ser registrado.',
  confirmacao_ja_registrada: 'A Confirmação já estava registrada (cStat 573).',
  confirmacao_rejeitada: 'A SEFAZ recusou a Confirmação: o motivo está em `cstat` e `mensagem`.',
  confirmacao_erro:
    'A comunicação falhou ao registrar a Confirmação: consulte de novo para saber se ela valeu.',
  confirmacao_nao_suportada:
    'O certificado não tem chave RSA, e os eventos só aceitam assinatura RSA-SHA1: nada foi enviado.',
}

// Specification, "Conventions common to the lookup endpoints".
const fontes: Record<SourceStatus['status'], string> = {
  success: 'O órgão respondeu, mesmo que nada tenha sido achado; `error_code` e `error_message` vêm vazios.',
  error:
    'O órgão falhou ou não pôde ser consultado: `error_code` diz o código e `error_message`, o que houve.',
  timeout: 'O órgão não respondeu a tempo. Vem só nas consultas a todos os estados.',
}

// Specification, "SEFAZ status codes".
const classesDaSefaz: Record<`${StatusCode}`, string> = {
  0: 'Indisponível: não há leitura recente desta SEFAZ. Não quer dizer que ela está parada; passa sozinho.',
  1: 'Normal: responde em menos de 2 segundos.',
  2: 'Lento: responde em 2 segundos ou mais, e menos de 6.',
  3: 'Muito lento: responde em 6 segundos ou mais, e menos de 30.',
  4: 'Erro: respondeu que está parada, recusou a pergunta ou não pôde ser alcançada. Não autoriza documentos agora.',
  5: 'Timeout: não respondeu em 30 segundos. Não autoriza documentos agora.',
}

const valueLists: readonly ValueList[] = [
  {
    id: 'status-certidao',
    heading: 'status da certidão',
    about: '`result.status`, na certidão (CND) estadual e na federal.',
    meanings: situacoes,
  },
  {
    id: 'status-nota',
    heading: 'status da nota',
    about: '`resultados[0].status`, no XML da NF-e: sempre com HTTP 200.',
    meanings: notas,
  },
  {
    id: 'manifestacao',
    heading: 'manifestacao',
    about:
      '`resultados[0].manifestacao`, no XML da NF-e: o que houve com o evento desta consulta. null quando nenhum foi tentado.',
    meanings: eventos,
  },
  {
    id: 'source-status',
    heading: 'source_status.status',
    about:
      'Como terminou a pergunta ao órgão. Nas consultas a todos os estados, há um por estado: confira cada um.',
    meanings: fontes,
  },
  {
    id: 'status-sefaz',
    heading: 'status_code da SEFAZ',
    about:
      '`states[].status_code`, na situação das SEFAZ. Erro e timeout valem pela última leitura; as outras, pela média das últimas 3 rodadas.',
    meanings: classesDaSefaz,
  },
]

/** The operations that may answer a code: as HTTP error, or in `source_status`. */
type AnsweredBy = { http: readonly string[]; source: readonly string[] }

const indexHtml = (): readonly Html[] => [
  ...groups.map(({ heading, id, entries }) =>
    linksHtml(
      heading,
      id,
      entries.map(({ code }) => [code, code]),
    ),
  ),
  linksHtml(
    'Listas de valores',
    'valores',
    valueLists.map(({ id, heading }) => [id, heading]),
  ),
]

const linksHtml = (
  heading: string,
  id: string,
  links: readonly (readonly [id: string, text: string])[],
): Html => html`<div>
<p><a href="${url(`#${id}`)}"><strong>${heading}</strong></a></p>
<ul>${links.map(([to, text]) => html`<li><a href="${url(`#${to}`)}"><code>${text}</code></a></li>`)}</ul>
</div>
`

const codesHtml = (answeredBy: (code: string) => AnsweredBy): readonly Html[] =>
  groups.map(
    ({ id, heading, about, entries }) => html`<section aria-labelledby="${id}">
<h2 id="${id}">${heading}</h2>
<p>${markup(about)}</p>
${entries.map((entry) => entryHtml(entry, answeredBy(entry.code)))}</section>
`,
  )

const entryHtml = (entry: CodeEntry, answers: AnsweredBy): Html => html`<article id="${entry.code}">
<header><h3><a href="${url(`#${entry.code}`)}"><code>${entry.code}</code></a></h3><p><span class="selo">HTTP ${entry.status ?? 200}</span> ${repeatHtml(entry)}</p></header>
${entry.title.replaceAll(' ', '_').localeCompare(entry.code, 'pt', { sensitivity: 'base' }) !== 0 && html`<p class="titulo">${entry.title}</p>`}
<dl>
<dt>O que significa</dt><dd>${markup(entry.meaning)}</dd>
<dt>O que fazer</dt><dd>${markup(`${entry.action} ${entry.repeat ?? ''}`)}</dd>
<dt>Onde aparece</dt><dd>${answersHtml(entry, answers)}</dd>
</dl>
</article>
`

const repeatHtml = ({ retryS }: CodeEntry): Html =>
  retryS === null
    ? html`<span class="selo">Não repetir</span>`
    : html`<span class="selo bom">${quandoRepetir(retryS).replace('Tente de novo em', 'Repetir após').slice(0, -1)}</span>`

function answersHtml({ anyAddress }: CodeEntry, { http, source }: AnsweredBy): Content {
  if (anyAddress) return 'Qualquer endereço: a recusa vem antes de chegar a uma consulta.'
  if (http.length + source.length === 0) return 'Nenhuma consulta deste servidor, por enquanto.'
  return [operationsHtml('', http), operationsHtml('Em `source_status`, com HTTP 200:', source)]
}

/** A longer list of routes is folded. */
const AT_ONCE = 3

function operationsHtml(label: string, operations: readonly string[]): Content {
  if (operations.length === 0) return undefined
  const list = html`<ul>${operations.map((name) => html`<li><code>${name}</code></li>`)}</ul>`
  return html`${label !== '' && html`<p>${markup(label)}</p>`}${
    operations.length > AT_ONCE
      ? html`<details><summary>${operations.length} rotas</summary>${list}</details>`
      : list
  }`
}

const valuesHtml = (): readonly Html[] =>
  valueLists.map(
    ({ id, heading, about, meanings }) => html`<article id="${id}">
<h3><a href="${url(`#${id}`)}"><code>${heading}</code></a></h3>
<p>${markup(about)}</p>
<dl>
${Object.entries(meanings).map(
  ([word, meaning]) => html`<dt><code>${word}</code></dt><dd>${markup(meaning)}</dd>
`,
)}</dl>
</article>
`,
  )

const EXAMPLE = `HTTP/1.1 503 Service Unavailable
Content-Type: application/problem+json
Retry-After: 60

{
  "type": "/erros#SITE_INDISPONIVEL",
  "title": "Fonte indisponível",
  "status": 503,
  "detail": "A SEFAZ-SP não respondeu a tempo. Tente de novo em 1 minuto. Nada foi cobrado.",
  "instance": "urn:uuid:01a1da92-8d80-7889-a687-f5ac7c3db35d",
  "error_code": "SITE_INDISPONIVEL",
  "error_message": "A SEFAZ-SP não respondeu a tempo. Tente de novo em 1 minuto. Nada foi cobrado.",
  "request_id": "01a1da92-8d80-7889-a687-f5ac7c3db35d",
  "retryable": true
}`

/** The page that a problem's `type` points to, read from the OpenAPI document of `app`. */
export function serveErros(app: FastifyInstance, room: Platform): void {
  const moldura = molduraDe(room)
  serveStatic(app, '/erros', {
    type: 'text/html',
    headers: { ...cabecalhosDePagina, ...cabecalhosPublicos },
    make: () => writePage({ ...PAGINA, conteudo: errorsContent(readAnswers(documentOf(app))) }, moldura),
  })
}

const PAGINA = {
  titulo: 'Códigos de erro',
  descricao: 'Cada código de erro da API: o que significa, o que fazer e se vale repetir.',
  atual: 'erros',
  canonico: '/erros',
} as const

const errorsContent = (answeredBy: (code: string) => AnsweredBy): Html => html`<div class="codigos">
<h1>Códigos de erro</h1>
<ul class="pontos"><li>A falha de uma chamada vem como <code>application/problem+json</code> (RFC 9457). Algumas consultas respondem HTTP 200 mesmo quando um órgão falha: a falha vem então em <code>source_status</code>. Falhas não custam créditos.</li>
<li>Um programa lê <code>error_code</code>, que é estável, <code>retryable</code>, que diz se vale repetir, e o cabeçalho <code>Retry-After</code>, que diz depois de quantos segundos. O que se diz aqui é o geral: vale o que a resposta diz.</li>
<li>Guarde sempre <code>request_id</code>: é por ele que o operador acha o que houve.</li></ul>
<details class="indice-dobrado sem-papel"><summary>Índice dos códigos</summary><nav aria-label="Códigos e valores">${indexHtml()}</nav></details>
<pre class="codigo" tabindex="0"><code>${colorir(EXAMPLE, 'json')}</code></pre>
<nav class="indice-dos-codigos" aria-label="Códigos e valores">
${indexHtml()}
</nav>
${codesHtml(answeredBy)}
<section aria-labelledby="valores">
<h2 id="valores">Listas de valores</h2>
<p>Palavras que as respostas trazem e que não são erros.</p>
${valuesHtml()}
</section>
</div>`
