import { dataBrasileira } from '../documento/dia.ts'
import { formatDocumento } from '../documento/documento.ts'
import {
  type Apresentacao,
  type Apresentar,
  copiavel,
  ditos,
  type Fato,
  type Tom,
} from '../platform/pages/apresentacao.ts'
import { prazoDa, semOperador, vencimentoDa } from '../platform/pages/formatos.ts'
import { type Content, html } from '../platform/pages/html.ts'
import { trusted } from '../platform/trusted.ts'
import type { SourceStatus } from '../platform/wire/source-status.ts'
import { isVencida } from '../portal/rules-certidao.ts'
import type { RespostaConsultarCndFederal } from './api.ts'
import { fontesDaCertidao } from './source.ts'

type Certidao = NonNullable<RespostaConsultarCndFederal['result']>

const situacoes: Readonly<Record<Certidao['status'], readonly [Tom, string]>> = {
  negativa: ['bom', 'Negativa'],
  positiva_com_efeitos_de_negativa: ['nota', 'Positiva com efeitos de negativa'],
  positiva: ['lento', 'Positiva'],
  nao_contribuinte: ['neutro', 'CNPJ fora do cadastro'],
  erro: ['ruim', 'A certidão não veio'],
}

/** Where people ask for the certificate and check one. */
const PORTAL = 'https://servicos.receitafederal.gov.br/servico/certidoes/'

export const apresentarCertidaoFederal: Apresentar = (corpo, agora) => {
  // The endpoint's own schema wrote it.
  const resposta = trusted<RespostaConsultarCndFederal>(corpo)
  const { document, document_type, source_status, result, fonte, consultado_em, cached } = resposta
  const documento = formatDocumento(document)
  const comum = {
    nome: '',
    onde: 'Receita Federal e PGFN',
    fatos: [{ rotulo: document_type.toUpperCase(), valor: documento }],
    partes: [],
    ...(consultado_em !== '' && {
      respondido: { quem: quem[fonte] ?? fonte, em: consultado_em, guardada: cached },
    }),
  }
  if (!result) return { ...comum, ...semResposta(source_status) }
  const { validade_iso, pdf_base64, url_verificacao, status } = result
  const venceu = isVencidaEm(result, agora)
  const [tom, dito] = situacoes[status]
  const veredito = venceu ? `${dito}, vencida` : dito
  const isCpf = document_type === 'cpf'
  const isCertidao = pdf_base64 !== ''
  return {
    ...comum,
    tom: venceu ? 'nota' : tom,
    veredito: isCpf ? 'Só há por CNPJ' : veredito,
    frase: isCpf ? result.status_raw : fraseDa(result, agora),
    fatos: [...comum.fatos, ...fatosDa(result)],
    partes: partesDosDizeres(result),
    ...(isCertidao && {
      papel: { tipo: 'pdf', nome: `certidao-federal-${document}.pdf`, base64: pdf_base64 },
      conferencia: { nome: 'Receita Federal', endereco: url_verificacao || PORTAL },
    }),
    ...(validade_iso !== '' &&
      status !== 'positiva' &&
      !venceu && {
        validade: { dia: validade_iso, titulo: `Último dia da certidão federal de ${documento}` },
      }),
  }
}

const isVencidaEm = ({ status, validade_iso: validade }: Certidao, agora: Date): boolean =>
  isVencida({ status, validade }, agora)

const quem: Readonly<Record<string, string>> = {
  [fontesDaCertidao.contrato.source.id]: 'Receita Federal, pelo SERPRO',
  [fontesDaCertidao.portal.source.id]: 'Receita Federal, pelo portal de certidões',
}

/** Nothing came: it is being made, the document is none, or the authority failed. */
function semResposta({
  error_code,
  error_message,
}: SourceStatus): Pick<Apresentacao, 'tom' | 'veredito' | 'frase'> {
  const frase = semOperador(semParametro(error_message))
  if (error_code === 'EM_PROCESSAMENTO')
    return { tom: 'lento', veredito: 'Em emissão: volte em alguns minutos', frase }
  if (error_code === 'CNPJ_INVALIDO') return { tom: 'ruim', veredito: 'CNPJ inválido', frase }
  if (error_code === 'CPF_INVALIDO') return { tom: 'ruim', veredito: 'CPF inválido', frase }
  return { tom: 'ruim', veredito: 'A Receita Federal não respondeu', frase }
}

/** Who fills a form in sends no parameters. */
const semParametro = (text: string): string =>
  text.replace(/^Parâmetro \w+: (.)/, (_, first: string) => first.toUpperCase())

/** What the certificate means, until when, and what to do with it. */
function fraseDa(certidao: Certidao, agora: Date): Content {
  const { status, validade_iso, pdf_base64, status_raw } = certidao
  if (isVencidaEm(certidao, agora)) return vencimentoDa(validade_iso, agora)
  const prazo = validade_iso === '' ? '' : html`${prazoDa(validade_iso, agora)}, para a matriz e as filiais.`
  switch (status) {
    case 'negativa':
      return html`Sem pendências na Receita Federal nem na dívida ativa da União. ${prazo}`
    case 'positiva_com_efeitos_de_negativa':
      return html`Há débitos, mas parcelados, garantidos ou suspensos: ela vale como negativa. ${prazo}`
    case 'positiva':
      return pdf_base64 === ''
        ? 'A Receita Federal não a emite pela Internet: há pendências, ou a situação do CNPJ não deixa. Veja no e-CAC, em Certidões e Situação Fiscal, o que falta; regularize e peça outra vez.'
        : html`Há débitos em aberto. Pague ou parcele no e-CAC (e no Regularize, os da dívida ativa), e peça outra vez.`
    case 'nao_contribuinte':
      return 'A Receita Federal não tem este CNPJ no cadastro. Confira o número.'
    default:
      return html`Nenhuma certidão foi entregue${status_raw !== '' && html`: <q>${status_raw}</q>`}`
  }
}

const modos = {
  '': '',
  consulta: 'Emitida antes, ainda válida',
  emissao: 'Emitida por esta consulta',
} as const

const fatosDa = ({ status, emissao_iso, validade_iso, protocolo, modo }: Certidao): readonly Fato[] =>
  ditos([
    { rotulo: 'Emitida em', valor: dataBrasileira(emissao_iso) },
    // Of the others the sentence says it.
    { rotulo: 'Válida até', valor: status === 'positiva' && dataBrasileira(validade_iso) },
    { rotulo: 'Código de controle', valor: copiavel(protocolo) },
    { rotulo: 'Como veio', valor: modos[modo] },
  ])

/** Of an error the sentence has them. */
const partesDosDizeres = ({ status, status_raw }: Certidao): Apresentacao['partes'] =>
  status_raw === '' || status === 'erro'
    ? []
    : [{ titulo: 'Nas palavras da Receita Federal', conteudo: html`<p><q>${status_raw}</q></p>` }]
