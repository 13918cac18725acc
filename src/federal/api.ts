import { type Static, Type } from 'typebox'
import { dataBrasileira } from '../documento/dia.ts'
import { cnpjProblem, cpfProblem, type Documento, tiposNacionais } from '../documento/documento.ts'
import { type Caller, retryAfter } from '../platform/http/exchange.ts'
import { lookup } from '../platform/http/lookup.ts'
import { documentoOf, isOn, Switch } from '../platform/http/parameters.ts'
import { tellFailure } from '../platform/http/problem.ts'
import {
  diaOuVazio,
  documentoAsked,
  OneOf,
  OrNull,
  ouVazio,
  Procedencia,
  pdfEmBase64,
  RequestId,
  sourceStatusOf,
  text,
} from '../platform/http/schemas.ts'
import { SourceStatusError, success } from '../platform/wire/source-status.ts'
import type { FederalRoom } from './federal.ts'
import { type CndFederal, endAnuncio, findCndFederal, findKept } from './lookup.ts'

const BRASILEIRA = '[0-9]{2}/[0-9]{2}/[0-9]{4}'
const CODIGO_DE_CONTROLE = '[0-9A-F]{4}([.][0-9A-F]{4}){3}'

const CertidaoFederalResult = Type.Object(
  {
    tipo: OneOf(['cnd_federal'], 'Sempre cnd_federal'),
    status: OneOf(
      ['negativa', 'positiva', 'positiva_com_efeitos_de_negativa', 'nao_contribuinte', 'erro'],
      'positiva, em geral sem PDF: a Receita Federal não emite pela Internet por pendências ou pela situação no CNPJ; ' +
        'nao_contribuinte: o CNPJ não consta do cadastro; erro: o pedido foi recusado (como o de uma filial), ou o PDF não foi aceito',
    ),
    status_raw: Type.String({
      description:
        'O título da certidão, ou o que a Receita Federal disse no lugar dela; em erro, o que ela disse ou por que o papel dela não foi aceito',
    }),
    modo: OneOf(
      ['', 'consulta', 'emissao'],
      'consulta: a certidão já existia; emissao: foi emitida por esta consulta; vazio quando não há certidão na resposta',
    ),
    validade: ouVazio(BRASILEIRA, 'DD/MM/AAAA; vazio quando não há certidão'),
    validade_iso: diaOuVazio('AAAA-MM-DD; vazio quando não há certidão'),
    emissao: ouVazio(BRASILEIRA, 'DD/MM/AAAA; vazio quando não há certidão'),
    emissao_iso: diaOuVazio('AAAA-MM-DD; vazio quando não há certidão'),
    protocolo: ouVazio(
      CODIGO_DE_CONTROLE,
      'Código de controle, XXXX.XXXX.XXXX.XXXX; vazio quando não há certidão',
    ),
    pdf_base64: pdfEmBase64('O PDF oficial em base64; vazio quando não há certidão'),
    url_verificacao: Type.String({ description: 'Reservado; por ora vazio' }),
    orgao: OneOf(['RFB+PGFN'], 'Sempre RFB+PGFN'),
  },
  {
    title: 'CertidaoFederal',
    description: 'A certidão de débitos federais e da dívida ativa da União, ou o que foi dito no lugar dela',
  },
)

const CODIGOS = ['EM_PROCESSAMENTO', 'PROVIDER_ERROR', 'CNPJ_INVALIDO', 'CPF_INVALIDO'] as const

const consultarCndFederalResponse = Type.Object(
  {
    request_id: RequestId,
    // A document that is none is answered too.
    ...documentoAsked(tiposNacionais, text('O documento como foi enviado')),
    cached: Type.Boolean({
      description: 'true quando a resposta já estava guardada; a certidão, enquanto vale por mais de 3 dias',
    }),
    source_status: sourceStatusOf(CODIGOS),
    result: OrNull(CertidaoFederalResult, 'quando source_status.status não é success'),
    ...Procedencia,
  },
  { title: 'RespostaConsultarCndFederal' },
)

export type RespostaConsultarCndFederal = Static<typeof consultarCndFederalResponse>
type Answer = RespostaConsultarCndFederal
type Result = Static<typeof CertidaoFederalResult>

/** Specification, "Endpoints" and "Federal CND decision rules". */
export const consultarCndFederal = lookup({
  url: '/api/consultar-cnd-federal',
  words: {
    nome: 'Certidão federal',
    tag: 'Certidões',
    custo:
      '1 crédito por certidão entregue, guardada ou nova. `positiva` sem PDF, `nao_contribuinte` e `erro` não custam nada, e valem por 1 hora, também com `emitir_nova=true`.',
    description: `A certidão de débitos relativos a tributos federais e à dívida ativa da União, de um CNPJ. Uma certidão que vale por mais de 3 dias é entregue como está (\`modo\` consulta); sem ela, ou com \`emitir_nova=true\`, outra é emitida (\`modo\` emissao), uma por vez para cada CNPJ. Espécie, datas e código de controle são lidos do PDF oficial, e ele só é entregue se declara o CNPJ consultado. Vale por 180 dias, para a matriz e as filiais; consulte pelo CNPJ da matriz.

**Ainda em emissão.** Depois de cerca de um minuto a resposta traz \`error_code\` EM_PROCESSAMENTO e \`Retry-After\`; a emissão continua, e a consulta seguinte entrega a certidão sem começar outra. Repetir \`emitir_nova=true\` em 15 minutos entrega a mesma emissão.

**Custo.** {custo}

**Só por CNPJ.** Se cpf e cnpj vierem juntos, vale o cnpj; só com cpf, \`result.status\` é \`erro\`. Um documento inválido é dito em \`source_status\` (CNPJ_INVALIDO, CPF_INVALIDO), com HTTP 200.`,
  },
  query: Type.Object(
    {
      cnpj: Type.Optional(Type.String({ description: 'CNPJ da matriz, 14 dígitos, sem pontuação' })),
      cpf: Type.Optional(
        Type.String({ description: 'CPF: não há esta consulta por CPF, e a resposta o diz' }),
      ),
      emitir_nova: Type.Optional(Switch('true emite sempre outra, mesmo que uma valha')),
    },
    { 'x-pelo-menos-um': ['cnpj', 'cpf'] },
  ),
  example: { cnpj: '98764010000106' },
  response: consultarCndFederalResponse,
  headers: { 'Retry-After': retryAfter },
  errors: { http: ['PARAMETRO_AUSENTE', 'PARAMETRO_INVALIDO'], source: CODIGOS },
  price: { hold: 1 },
  ask: ({ emitir_nova, ...query }, call, room: FederalRoom) => {
    const asked = documentoOf(query)
    const refused = refusalOf(asked, call)
    if (refused) return { price: 'free', run: () => refused }
    const { documento: cnpj } = asked
    const pergunta = { cnpj, emitirNova: isOn(emitir_nova) }
    return {
      charged: ({ result }) => (result?.pdf_base64 ? 1 : 0),
      // A kept refusal is free: without a credit it is told to nobody, as any answer.
      ready: async () => {
        const kept = await findKept(room, pergunta)
        return kept?.tipo === 'certidao' ? answer(call, asked, kept) : undefined
      },
      run: async () => {
        try {
          const chamada = { request_id: call.request_id, conta: call.conta.id, leaving: call.leaving() }
          return answer(call, asked, await findCndFederal(room, pergunta, chamada))
        } catch (error) {
          return answerFailure(error, call, asked)
        }
      },
      paid: async ({ result }) => {
        if (result?.modo === 'emissao' && result.pdf_base64) await endAnuncio(room, cnpj)
      },
    }
  },
})

/** What is answered of a document that the authority is not asked about; undefined of all others. */
function refusalOf(asked: Documento, call: Caller): Answer | undefined {
  const { tipo, documento } = asked
  const problem = tipo === 'cnpj' ? cnpjProblem(documento) : cpfProblem(documento)
  if (problem !== undefined) {
    const code = tipo === 'cnpj' ? 'CNPJ_INVALIDO' : 'CPF_INVALIDO'
    return answerFailure(new SourceStatusError(code, `Parâmetro ${tipo}: ${problem}.`), call, asked)
  }
  if (tipo === 'cnpj') return undefined
  const result = { ...semCertidao, status: 'erro' as const, status_raw: SO_CNPJ }
  return { ...base(call, asked), source_status: success, result }
}

const SO_CNPJ = 'A certidão federal só é consultada por CNPJ.'

const semCertidao = {
  tipo: 'cnd_federal',
  modo: '',
  validade: '',
  validade_iso: '',
  emissao: '',
  emissao_iso: '',
  protocolo: '',
  pdf_base64: '',
  url_verificacao: '',
  orgao: 'RFB+PGFN',
} as const

const base = ({ request_id }: Caller, { tipo, documento }: Documento) => ({
  request_id,
  document: documento,
  document_type: tipo,
  cached: false,
  fonte: '',
  consultado_em: '',
  avisos: [],
})

const answer = (
  call: Caller,
  asked: Documento,
  { cached, fonte, consultado_em, avisos, ...found }: CndFederal,
): Answer => ({
  ...base(call, asked),
  cached,
  source_status: success,
  result: resultOf(found),
  fonte,
  consultado_em,
  avisos: isOfFilial(asked, found) ? [...avisos, DA_MATRIZ] : avisos,
})

/** Whether the authority gave nothing because the certificate is the head office's. */
const isOfFilial = ({ documento }: Documento, found: Found): boolean =>
  found.tipo === 'recusa' && found.recusa.status === 'erro' && documento.slice(8, 12) !== '0001'

const DA_MATRIZ =
  'Este CNPJ parece ser de filial. A certidão federal é emitida para a matriz e vale também para as filiais: consulte pelo CNPJ da matriz.'

type Found =
  | Pick<CndFederal & { tipo: 'certidao' }, 'tipo' | 'certidao' | 'modo'>
  | Pick<CndFederal & { tipo: 'recusa' }, 'tipo' | 'recusa'>

function resultOf(found: Found): Result {
  if (found.tipo === 'recusa') {
    const { status, dizeres } = found.recusa
    return { ...semCertidao, status, status_raw: dizeres }
  }
  const { modo, certidao } = found
  const { validade, emissao, ...rest } = certidao
  return {
    ...semCertidao,
    ...rest,
    modo,
    validade: dataBrasileira(validade),
    validade_iso: validade,
    emissao: dataBrasileira(emissao),
    emissao_iso: emissao,
  }
}

const answerFailure = (error: unknown, call: Caller, asked: Documento): Answer => ({
  ...base(call, asked),
  source_status: tellFailure(error, call),
  result: null,
})
