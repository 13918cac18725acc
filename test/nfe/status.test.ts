import { describe } from 'node:test'
import { type Row, startNfe, testRows, useNfe } from '../kit/nfe.ts'

const MINUTOS = /Repita a consulta em alguns minutos/
const NEGADO = /O portal nacional da NF-e não liberou o download: “.*não está autorizado a fazer o download/

const semXml = { xml: false, manifestacao: null, passos: 'consulta' } as const

/**
 * The specification, "NF-e XML `status` values": each value, by every way to it that the flow's table does
 * not have.
 */
const valores: Row[] = [
  [
    'ok: the recipient had manifested before',
    'ciencia-anterior',
    {
      status: 'ok',
      cstat: '138',
      manifestacao: null,
      xml: true,
      passos: 'consulta',
      livro: ['210210'],
      diz: /^XML completo, entregue pelo Ambiente Nacional da NF-e\.$/,
    },
  ],
  [
    'ok: the carrier gets the note without manifesting',
    'transportador',
    { ...semXml, status: 'ok', cstat: '138', xml: true, diz: /XML completo/ },
  ],
  [
    'ok: whom autXML names gets the note without manifesting',
    'autorizado',
    { ...semXml, status: 'ok', cstat: '138', xml: true, diz: /XML completo/ },
  ],
  [
    'ok: an Operação não Realizada released the note',
    'nao-realizada',
    { ...semXml, status: 'ok', cstat: '138', xml: true, livro: ['210240'], diz: /XML completo/ },
  ],
  [
    'somente_resumo: the Ciência cannot be registered, by SEFAZ rejection (651)',
    'ciencia-651',
    {
      status: 'somente_resumo',
      cstat: '651',
      manifestacao: 'ciencia_rejeitada',
      xml: false,
      passos: 'consulta 210210',
      diz: /foi recusada \(651: “.+”\).*Nenhum evento foi registrado/,
    },
  ],
  [
    'somente_resumo: the portal is transiently unavailable, for want of an accepted captcha',
    'portal-captcha',
    {
      ...semXml,
      status: 'somente_resumo',
      cstat: '138',
      passos: 'consulta portal',
      diz: /não aceitou a resposta ao captcha.*Nenhum evento foi registrado/,
      espera: 60,
    },
  ],
  [
    'somente_resumo: the page of the portal changed, so that repeating does not help; no Confirmação is sent over it',
    'portal-layout',
    {
      ...semXml,
      status: 'somente_resumo',
      cstat: '138',
      passos: 'consulta portal',
      diz: /mudou de página.*Nenhum evento foi registrado.*Peça o XML a quem emitiu/,
    },
  ],
  [
    'somente_resumo: what the portal delivers is checked like the rest, and is another note',
    'portal-outra-chave',
    {
      ...semXml,
      status: 'somente_resumo',
      cstat: '138',
      passos: 'consulta portal',
      diz: /não é a nota: o XML é de outra chave/,
    },
  ],
  [
    'nao_autorizado: the certificate holder is not a participant of the note',
    'estranho',
    { ...semXml, status: 'nao_autorizado', cstat: '640', diz: /não participa desta nota \(640: “.+”\)/ },
  ],
  [
    'nao_autorizado: a branch is not its head office',
    'filial',
    { ...semXml, status: 'nao_autorizado', cstat: '640', diz: /não participa desta nota/ },
  ],
  [
    'nao_autorizado: queries are limited, and both the event (575) and the portal say so',
    'limite-estranho',
    {
      status: 'nao_autorizado',
      cstat: '575',
      manifestacao: 'ciencia_rejeitada',
      xml: false,
      passos: 'consulta 210210 portal',
      diz: NEGADO,
    },
  ],
  [
    'nao_encontrado: SEFAZ did not locate the NF-e (137)',
    'nao-localizada',
    {
      ...semXml,
      status: 'nao_encontrado',
      cstat: '137',
      espera: 300,
      diz: /não localizou a NF-e desta chave \(137.*Repita a consulta em alguns minutos\.$/,
    },
  ],
  [
    'nao_encontrado: SEFAZ did not locate the NF-e (217)',
    'inexistente',
    {
      ...semXml,
      status: 'nao_encontrado',
      cstat: '217',
      espera: 300,
      diz: /não localizou a NF-e desta chave \(217.*Repita a consulta em alguns minutos\.$/,
    },
  ],
  [
    'fora_prazo: SEFAZ does not provide the note (632), and the portal is unavailable: retry, no event',
    'fora-prazo-portal-fora',
    {
      ...semXml,
      status: 'fora_prazo',
      cstat: '632',
      passos: 'consulta portal',
      diz: MINUTOS,
      espera: 60,
    },
  ],
  [
    'fora_prazo: the portal does not release, and the Confirmação is refused for its window (596)',
    'fora-prazo-portal-nega',
    {
      status: 'fora_prazo',
      cstat: '596',
      manifestacao: 'confirmacao_rejeitada',
      xml: false,
      passos: 'consulta portal 210200',
      diz: /recusada por prazo \(596: “.*\[90 dias\]”\)/,
    },
  ],
  [
    'fora_prazo: over 180 days old, and the portal does not release: no event is sent',
    'fora-prazo-seis-meses',
    { ...semXml, status: 'fora_prazo', cstat: '632', passos: 'consulta portal', diz: NEGADO },
  ],
  [
    'chave_invalida: the authority says so (618)',
    '618',
    { ...semXml, status: 'chave_invalida', cstat: '618', diz: /não aceita a chave de acesso \(618/ },
  ],
  [
    'cancelada: a cancelled note receives no event (653)',
    'cancelada',
    { ...semXml, status: 'cancelada', cstat: '653', diz: /não recebe evento/ },
  ],
  [
    'cancelada: a denied note receives no event (654)',
    'denegada',
    { ...semXml, status: 'cancelada', cstat: '654', diz: /não recebe evento/ },
  ],
  [
    'cancelada: the summary says that the note is cancelled: no event',
    'resumo-cancelada',
    { ...semXml, status: 'cancelada', cstat: '138', diz: /a nota está cancelada.*não recebe evento/ },
  ],
  [
    'cancelada: the summary says that the note is denied: no event',
    'resumo-denegada',
    { ...semXml, status: 'cancelada', cstat: '138', diz: /a nota está denegada.*não recebe evento/ },
  ],
  [
    'cancelada: the note was cancelled between the query and the event (650)',
    'ciencia-650',
    {
      status: 'cancelada',
      cstat: '650',
      manifestacao: 'ciencia_rejeitada',
      xml: false,
      passos: 'consulta 210210',
      diz: /recusada \(650: .*não recebe evento/,
    },
  ],
  [
    'erro: the service is paused (108)',
    '108',
    { ...semXml, status: 'erro', cstat: '108', diz: MINUTOS, espera: 60 },
  ],
  [
    'erro: a rejection that no table has (777) is told in its own words, without asking to repeat',
    '777',
    { ...semXml, status: 'erro', cstat: '777', diz: /777: “.+”.*repetir agora não muda a resposta/ },
  ],
  [
    "erro: a SOAP fault of the service's own side",
    'fault',
    { ...semXml, status: 'erro', cstat: '', diz: /não processou o pedido/, espera: 60 },
  ],
  [
    'erro: a page in the place of the answer (503)',
    'html-503',
    { ...semXml, status: 'erro', cstat: '', diz: /HTTP 503/, espera: 60 },
  ],
  [
    'erro: the note comes in a truncated gzip',
    'gzip-cortado',
    { ...semXml, status: 'erro', cstat: '', diz: /gzip.*cortada ou corrompida/ },
  ],
  [
    'erro: what comes is no note: its protocol is missing',
    'sem-protocolo',
    { ...semXml, status: 'erro', cstat: '', livro: ['210210'], diz: /protNFe/ },
  ],
  [
    'erro: the issuer, whom the portal refuses too',
    'emitente-portal-nega',
    { ...semXml, status: 'erro', cstat: '641', passos: 'consulta portal', diz: /no sistema que emitiu/ },
  ],
  [
    'erro: the query after a registered event fails, and the event is told all the same',
    'consulta-seguinte-108',
    {
      status: 'erro',
      cstat: '108',
      manifestacao: 'ciencia_registrada',
      xml: false,
      espera: 60,
      passos: 'consulta 210210 consulta',
      livro: ['210210'],
      diz: /Ciência da Operação \(210210\) foi registrada.*108/,
    },
  ],
]

describe('the status values of an NF-e call, over HTTP', { concurrency: false }, () => {
  const nfeOf = useNfe(startNfe)
  testRows(nfeOf, valores)
})
