import type { Static } from 'typebox'
import { dataBrasileira } from '../documento/dia.ts'
import { formatDocumento } from '../documento/documento.ts'
import { type Uf, unidades } from '../documento/uf.ts'
import { estadoOf } from '../estados/estado.ts'
import {
  estadoSemResposta,
  fatoDoDocumento,
  fraseDosEstados,
  linhaDoEstado,
  quemRespondeu,
  respondidoPor,
  ressalvaDe,
  tomComFalhas,
  tomSemAchado,
} from '../inscricao/apresentacao.ts'
import {
  type Apresentar,
  type ApresentarEstado,
  copiavel,
  ditos,
  type EstadoApresentado,
  type Fato,
  isGuardada,
  type PapelDaResposta,
  type Tom,
  type ValidadeDaResposta,
} from '../platform/pages/apresentacao.ts'
import { countOf, prazoDa, semOperador, vencimentoDa } from '../platform/pages/formatos.ts'
import { type Content, html, url } from '../platform/pages/html.ts'
import { trusted } from '../platform/trusted.ts'
import { isVencida, type SituacaoCertidao } from '../portal/rules-certidao.ts'
import type { RespostaConsultarCnd } from './api.ts'
import type { CertidaoDoEstado, CertidaoResult, CertidoesEmTodos } from './schema.ts'

type Certidao = Static<typeof CertidaoResult>
type Entrada = Static<typeof CertidaoDoEstado>
type Todas = Static<typeof CertidoesEmTodos>

type Dito = { tom: Tom; palavra: string; desfecho: EstadoApresentado['desfecho'] }

const situacoes: Readonly<Record<SituacaoCertidao, Dito>> = {
  negativa: { tom: 'bom', palavra: 'Negativa', desfecho: 'achado' },
  positiva_com_efeitos_de_negativa: {
    tom: 'nota',
    palavra: 'Positiva com efeitos de negativa',
    desfecho: 'achado',
  },
  positiva: { tom: 'lento', palavra: 'Positiva', desfecho: 'pendencia' },
  sem_certidao: { tom: 'lento', palavra: 'Não emitida', desfecho: 'pendencia' },
  nao_contribuinte: { tom: 'neutro', palavra: 'Sem inscrição', desfecho: 'nada' },
  erro: { tom: 'ruim', palavra: 'A certidão não veio', desfecho: 'falhou' },
}

function ditoDa(certidao: Certidao, agora: Date): Dito {
  const dito = situacoes[certidao.status]
  return isVencida(certidao, agora)
    ? { tom: 'nota', palavra: `${dito.palavra}, vencida`, desfecho: 'pendencia' }
    : dito
}

/** What came instead of the certificate, where its failure says it. */
const DE_OUTRO = /enviou uma certidão que é de outro documento/

export const apresentarCertidao: Apresentar = (corpo, agora) => {
  // The endpoint's own schema wrote it.
  const { uf, document, document_type, source_status, result, fonte, consultado_em, cached } =
    trusted<RespostaConsultarCnd>(corpo)
  const { tom, palavra } = ditoDa(result, agora)
  const asked = { uf, tipo: document_type, documento: document, fonte }
  const papel = papelDa(result, asked)
  const validade = validadeDa(result, asked, agora)
  return {
    tom,
    veredito: DE_OUTRO.test(source_status.error_message)
      ? 'Veio a certidão de outro contribuinte'
      : result.status === 'nao_contribuinte'
        ? `Sem inscrição ${unidades[uf].em} ${uf}`
        : palavra,
    nome: '',
    onde: unidades[uf].nome,
    frase:
      result.status === 'erro' ? semOperador(source_status.error_message) : fraseDa(result, asked, agora),
    fatos: [fatoDoDocumento(document_type, document, uf), ...fatosDa(result)],
    partes: partesDosDizeres(result, uf),
    ...(papel && { papel }),
    ...(validade && { validade }),
    ...(isAddress(result.url_verificacao) && {
      conferencia: { nome: `SEFAZ-${uf}`, endereco: result.url_verificacao },
    }),
    ...(consultado_em !== '' && {
      respondido: { quem: quemRespondeu(uf, fonte), em: consultado_em, guardada: cached },
    }),
  }
}

const isAddress = (text: string): boolean => /^https?:\/\/[^\s\\]+$/.test(text)

type Pedida = { uf: Uf; tipo: 'cpf' | 'cnpj'; documento: string; fonte: string }

/** What the certificate means, until when, and what to do with it. */
function fraseDa(certidao: Certidao, asked: Pedida, agora: Date): Content {
  const { status, validade, impressao_base64 = '' } = certidao
  const { uf, tipo } = asked
  const prazo = validade === '' ? '' : html`${prazoDa(validade, agora)}.`
  const impressa =
    impressao_base64 !== '' && ' O estado a mostra como página: o PDF é uma impressão nossa do texto dela.'
  if (isVencida(certidao, agora)) return html`${vencimentoDa(validade, agora)}${impressa}`
  switch (status) {
    case 'negativa':
      return html`Sem débitos${SO_DE[rotaDa(asked)?.abrange.debitos ?? '']}. ${prazo}${abrange(asked)}${impressa}`
    case 'positiva_com_efeitos_de_negativa':
      return html`Há débitos, mas parcelados, garantidos ou suspensos: ela vale como negativa. ${prazo}${abrange(asked)}${impressa}`
    case 'positiva':
      return html`Há débitos em aberto ${unidades[uf].em} ${uf}. Pague ou parcele na SEFAZ-${uf}, e peça a certidão outra vez.${impressa}`
    case 'sem_certidao':
      return html`A SEFAZ-${uf} respondeu e não emitiu a certidão; isso não prova débito. Veja o que ela disse, e peça-a na ${pagina(asked)}.`
    default:
      return html`Este ${tipo.toUpperCase()} não tem inscrição estadual ${unidades[uf].em} ${uf}: ali não há o que certificar.`
  }
}

const rotaDa = ({ uf, fonte }: Pedida) => estadoOf(uf).cnd.find(({ source }) => source.id === fonte)

function pagina(asked: Pedida): Content {
  const rota = rotaDa(asked) ?? estadoOf(asked.uf).cnd[0]
  return html`<a href="${url(rota.url)}" rel="noreferrer">página da SEFAZ-${asked.uf}</a>`
}

/** Of which debts a clear certificate says that there are none, where not of all. */
const SO_DE: Readonly<Record<string, string>> = {
  inscritos: ' inscritos em dívida ativa',
  'nao-inscritos': ' fora da dívida ativa',
}

function abrange(asked: Pedida): Content {
  const { debitos, resto } = rotaDa(asked)?.abrange ?? { debitos: 'desconhecido' }
  const [quem = '', site] = resto?.split(SITE) ?? []
  const alem =
    quem !== '' &&
    html` Esses, quem certifica é ${site === undefined ? quem : html`<a href="${url(`https://${site}`)}" rel="noreferrer">${quem}</a>`}.`
  if (debitos === 'ambos') return ' Cobre débitos inscritos e não inscritos em dívida ativa.'
  if (debitos === 'inscritos')
    return html` Cobre só os débitos inscritos em dívida ativa: quem tem outros também a recebe.${alem}`
  if (debitos === 'nao-inscritos')
    return html` Não cobre os débitos inscritos em dívida ativa: quem os tem também a recebe.${alem}`
  return ' Confira no papel se ela cobre também a dívida ativa.'
}

/** The site of who certifies the rest, which is a link on the name. */
const SITE = / \((?:[A-Z]+, )?([a-z.]+\.gov\.br)\)/

const fatosDa = (certidao: Certidao): readonly Fato[] =>
  ditos([
    { rotulo: 'Emitida em', valor: dataBrasileira(certidao.emissao) },
    // Of the others the sentence says it.
    { rotulo: 'Válida até', valor: certidao.status === 'positiva' && dataBrasileira(certidao.validade) },
    { rotulo: 'Número da certidão', valor: copiavel(certidao.protocolo) },
    { rotulo: 'Código de autenticação', valor: copiavel(certidao.codigo_autenticacao) },
  ])

const partesDosDizeres = ({ status_raw }: Certidao, uf: Uf) =>
  status_raw === ''
    ? []
    : [{ titulo: `Nas palavras da SEFAZ-${uf}`, conteudo: html`<p><q>${status_raw}</q></p>` }]

function papelDa(
  { pdf_base64, impressao_base64 = '' }: Certidao,
  asked: Pedida,
): PapelDaResposta | undefined {
  const base64 = pdf_base64 || impressao_base64
  if (base64 === '') return undefined
  const nome = ['certidao', asked.uf.toLowerCase(), asked.documento].filter(Boolean).join('-')
  return { tipo: 'pdf', nome: `${nome}.pdf`, base64, ...(pdf_base64 === '' && { nosso: true }) }
}

/** Nobody waits for the end of one that names debts, or that is over. */
function validadeDa(
  certidao: Certidao,
  { uf, documento }: Pedida,
  agora: Date,
): ValidadeDaResposta | undefined {
  const { status, validade } = certidao
  const de = documento === '' ? '' : ` de ${formatDocumento(documento)}`
  return validade === '' || status === 'positiva' || isVencida(certidao, agora)
    ? undefined
    : { dia: validade, titulo: `Último dia da certidão estadual (${uf})${de}` }
}

export const apresentarCertidaoDoEstado: ApresentarEstado = (entrada, agora) =>
  // The endpoint's own schema wrote it.
  estadoDaCertidao(trusted<Entrada>(entrada), { tipo: 'cnpj', documento: '', request_id: '' }, agora)

function estadoDaCertidao(
  { uf, source_status, result, fonte, consultado_em }: Entrada,
  { request_id, ...titular }: Pick<Pedida, 'tipo' | 'documento'> & { request_id: string },
  agora: Date,
): EstadoApresentado {
  const falha = estadoSemResposta(uf, source_status)
  if (falha) return comDizeres(falha, result)
  if (!result) return { uf, desfecho: 'nada', palavra: '', fichas: [], motivo: '' }
  const asked = { uf, fonte, ...titular }
  const { tom, palavra, desfecho } = ditoDa(result, agora)
  if (desfecho === 'nada') return { uf, desfecho, palavra, fichas: [], motivo: '' }
  const papel = papelDa(result, asked)
  const validade = validadeDa(result, asked, agora)
  return {
    uf,
    desfecho,
    palavra,
    fichas: [
      {
        titulo: palavra,
        selo: { tom, palavra },
        linha: linhaDoEstado(uf, { fonte, consultado_em, guardada: isGuardada(request_id, consultado_em) }),
        fatos: [
          { rotulo: 'O que diz', valor: fraseDa(result, asked, agora) },
          ...fatosDa(result),
          ...ditos([{ rotulo: `Nas palavras da SEFAZ-${uf}`, valor: dizeres(result) }]),
          ...ditos([{ rotulo: 'Conferência', valor: conferir(result, uf) }]),
        ],
      },
    ],
    motivo: '',
    ...(papel && { papel }),
    ...(validade && { validade }),
  }
}

const dizeres = ({ status_raw }: Certidao): Content => status_raw !== '' && html`<q>${status_raw}</q>`

const conferir = ({ url_verificacao }: Certidao, uf: Uf): Content =>
  isAddress(url_verificacao) &&
  html`<a href="${url(url_verificacao)}" rel="noreferrer">Conferir na SEFAZ-${uf}</a>`

const comDizeres = (falha: EstadoApresentado, result: Certidao | null): EstadoApresentado =>
  result === null || result.status_raw === ''
    ? falha
    : { ...falha, motivo: `${falha.motivo} Ela disse: “${result.status_raw}”` }

export const apresentarCertidoesTodos: Apresentar = (corpo, agora) => {
  // The endpoint's own schema wrote it.
  const { request_id, document, document_type, results } = trusted<Todas>(corpo)
  const titular = { tipo: document_type, documento: document, request_id }
  const porEstado = results.map((entrada) => estadoDaCertidao(entrada, titular, agora))
  const respondidas = results.filter(({ source_status }) => source_status.status === 'success')
  const achadas = porEstado.filter(({ desfecho }) => desfecho === 'achado' || desfecho === 'pendencia')
  const tons = achadas.flatMap(({ fichas }) => fichas.map(({ selo }) => selo?.tom))
  return {
    tom: tomComFalhas(achadas.length > 0 ? piorDe(tons) : tomSemAchado(respondidas.length), porEstado),
    veredito:
      respondidas.length === 0
        ? 'Nenhum estado respondeu'
        : `${vereditoDeTodas(respondidas, achadas, agora)}${ressalvaDe(porEstado)}`,
    nome: '',
    fatos: [{ rotulo: document_type.toUpperCase(), valor: formatDocumento(document) }],
    partes: [],
    porEstado,
    ...fraseDosEstados(porEstado),
    ...respondidoPor(
      respondidas,
      respondidas.map(({ consultado_em }) => isGuardada(request_id, consultado_em)),
    ),
  }
}

/** What is owed counts before what one should know. */
const piorDe = (tons: readonly (Tom | undefined)[]): Tom =>
  tons.includes('lento') ? 'lento' : tons.every((one) => one === 'bom') ? 'bom' : 'nota'

const contagens = [
  ['positiva', 'positiva', 'positivas'],
  ['vencida', 'vencida', 'vencidas'],
  ['positiva_com_efeitos_de_negativa', 'com efeitos de negativa', 'com efeitos de negativa'],
  ['negativa', 'negativa', 'negativas'],
  ['sem_certidao', 'não emitida', 'não emitidas'],
] as const

function vereditoDeTodas(
  respondidas: readonly Entrada[],
  achadas: readonly EstadoApresentado[],
  agora: Date,
): string {
  const [first, ...others] = achadas
  if (!first || others.length > 0) return contarCertidoes(respondidas, agora)
  return `${first.palavra} ${unidades[first.uf].em} ${first.uf}`
}

/** `1 positiva, 2 negativas`: what needs something done comes first. */
function contarCertidoes(respondidas: readonly Entrada[], agora: Date): string {
  const kinds = respondidas.map(
    ({ result }) => result && (isVencida(result, agora) ? 'vencida' : result.status),
  )
  const said = contagens.flatMap(([kind, um, varias]) => {
    const count = kinds.filter((one) => one === kind).length
    return count === 0 ? [] : [countOf(count, um, varias)]
  })
  return said.join(', ') || 'Nenhuma certidão'
}
