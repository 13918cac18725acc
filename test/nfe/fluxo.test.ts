import { describe } from 'node:test'
import { type Row, startNfe, testRows, useNfe } from '../kit/nfe.ts'

const REGISTRADA = /Ciência da Operação \(210210\) foi registrada e não pode ser desfeita/
const CONFIRMADA = /Confirmação da Operação \(210200\) foi registrada.*o emitente já não pode cancelar/
const DEZ_DIAS = /recusada por prazo \(596: “.*\[10 dias\]”\)/
const NO_PORTAL = /XML completo, obtido no portal nacional da NF-e\./
const REPITA = /Repita a consulta em alguns minutos/

/** The specification, "NF-e retrieval flow with automatic manifestation", row by row. */
const fluxo: Row[] = [
  [
    'step 1: SEFAZ returns only the summary: the Ciência is registered, the key queried again, ok in the same request',
    'ciencia',
    {
      status: 'ok',
      cstat: '138',
      manifestacao: 'ciencia_registrada',
      xml: true,
      diz: REGISTRADA,
      passos: 'consulta 210210 consulta',
      livro: ['210210'],
    },
  ],
  [
    'step 1, for a person: the recipient is a CPF',
    'pessoa',
    {
      status: 'ok',
      cstat: '138',
      manifestacao: 'ciencia_registrada',
      xml: true,
      diz: REGISTRADA,
      passos: 'consulta 210210 consulta',
      livro: ['210210'],
    },
  ],
  [
    'step 1: the note is released a moment after the event: one more query brings it',
    'ciencia-segunda-consulta',
    {
      status: 'ok',
      cstat: '138',
      manifestacao: 'ciencia_registrada',
      xml: true,
      diz: REGISTRADA,
      passos: 'consulta 210210 consulta consulta',
      livro: ['210210'],
    },
  ],
  [
    'step 1: the note is released later than that: the event is told, and a retry asked',
    'ciencia-demorada',
    {
      status: 'somente_resumo',
      cstat: '138',
      manifestacao: 'ciencia_registrada',
      xml: false,
      passos: 'consulta 210210 consulta consulta',
      livro: ['210210'],
      espera: 60,
      diz: /O XML ainda não foi liberado.*nenhum evento será registrado de novo/,
    },
  ],
  [
    'step 2: Ciência refused because more than 10 days passed (596): ok if the portal releases the XML, no event registered',
    'ciencia-fora-prazo',
    {
      status: 'ok',
      cstat: '596',
      manifestacao: 'ciencia_fora_prazo',
      xml: true,
      diz: NO_PORTAL,
      passos: 'consulta 210210 portal',
    },
  ],
  [
    'step 2: if the portal is transiently unavailable, somente_resumo and a retry is requested, with no event registered',
    'ciencia-fora-prazo-portal-fora',
    {
      status: 'somente_resumo',
      cstat: '596',
      manifestacao: 'ciencia_fora_prazo',
      xml: false,
      passos: 'consulta 210210 portal',
      diz: REPITA,
      espera: 60,
    },
  ],
  [
    'step 3: the portal answered but did not release, and the Ciência was refused for the window: Confirmação, then query again',
    'ciencia-fora-prazo-portal-nega',
    {
      status: 'ok',
      cstat: '138',
      manifestacao: 'confirmacao_registrada',
      xml: true,
      diz: CONFIRMADA,
      passos: 'consulta 210210 portal 210200 consulta',
      livro: ['210200'],
    },
  ],
  [
    'step 3: the note is over two months old: the portal is tried without a Ciência',
    'dois-meses',
    {
      status: 'ok',
      cstat: '138',
      manifestacao: null,
      xml: true,
      diz: NO_PORTAL,
      passos: 'consulta portal',
    },
  ],
  [
    'step 3: the note is over two months old and the portal did not release: Confirmação, then query again',
    'dois-meses-portal-nega',
    {
      status: 'ok',
      cstat: '138',
      manifestacao: 'confirmacao_registrada',
      xml: true,
      diz: CONFIRMADA,
      passos: 'consulta portal 210200 consulta',
      livro: ['210200'],
    },
  ],
  [
    'step 3: the note is over two months old and the portal unavailable: it did not answer, so no Confirmação',
    'dois-meses-portal-fora',
    {
      status: 'somente_resumo',
      cstat: '138',
      manifestacao: null,
      xml: false,
      passos: 'consulta portal',
      diz: REPITA,
      espera: 60,
    },
  ],
  [
    'step 4: more than 180 days since authorization: no manifestation accepted, no event sent, somente_resumo',
    'seis-meses',
    {
      status: 'somente_resumo',
      cstat: '138',
      manifestacao: null,
      xml: false,
      passos: 'consulta',
      diz: /Nenhuma manifestação é aceita depois de 180 dias.*Nenhum evento foi enviado/,
    },
  ],
  [
    'step 5: queries limited (656): the manifestation is registered normally and the XML is fetched through the portal',
    'limite',
    {
      status: 'ok',
      cstat: '656',
      manifestacao: 'ciencia_registrada',
      xml: true,
      diz: NO_PORTAL,
      passos: 'consulta 210210 portal',
      livro: ['210210'],
    },
  ],
  [
    'step 5: the portal does not release: the event is told, and a retry asked for after the hour',
    'limite-portal-nega',
    {
      status: 'somente_resumo',
      cstat: '656',
      manifestacao: 'ciencia_registrada',
      xml: false,
      passos: 'consulta 210210 portal',
      livro: ['210210'],
      espera: 3660,
      diz: /Repita a consulta depois de .*: nenhum evento será registrado de novo/,
    },
  ],
  [
    'step 5, with a Ciência refused for the window: the Confirmação, then the portal again',
    'limite-ciencia-fora-prazo',
    {
      status: 'ok',
      cstat: '656',
      manifestacao: 'confirmacao_registrada',
      xml: true,
      diz: CONFIRMADA,
      passos: 'consulta 210210 portal 210200 portal',
      livro: ['210200'],
    },
  ],
  [
    'step 5, met by the query after the event: the XML comes through the portal',
    'consulta-seguinte-656',
    {
      status: 'ok',
      cstat: '656',
      manifestacao: 'ciencia_registrada',
      xml: true,
      diz: NO_PORTAL,
      passos: 'consulta 210210 consulta portal',
      livro: ['210210'],
    },
  ],
  [
    'step 6: manifestar = false and SEFAZ returns only the summary: no event registered, somente_resumo',
    'sem-manifestar',
    {
      status: 'somente_resumo',
      cstat: '138',
      manifestacao: null,
      xml: false,
      passos: 'consulta',
      diz: /Nenhum evento foi registrado.*manifestar = true: a Ciência da Operação é aceita até /,
    },
    { manifestar: false },
  ],
  [
    'step 6: manifestar = false past the window of the Ciência: no event either',
    'ciencia-fora-prazo',
    {
      status: 'somente_resumo',
      cstat: '138',
      manifestacao: null,
      xml: false,
      passos: 'consulta',
      diz: /manifestar = true: a Confirmação da Operação é aceita até /,
    },
    { manifestar: false },
  ],
  [
    'Confirmação is sent only when the Ciência was refused for the time window, never for another kind of rejection',
    'ciencia-494',
    {
      status: 'somente_resumo',
      cstat: '494',
      manifestacao: 'ciencia_rejeitada',
      xml: false,
      passos: 'consulta 210210',
      diz: /foi recusada \(494: “.+”\)/,
    },
  ],
  [
    'when the key lookup yields fora_prazo (632), the service tries the national portal to reach older notes',
    'fora-prazo',
    {
      status: 'ok',
      cstat: '632',
      manifestacao: null,
      xml: true,
      diz: NO_PORTAL,
      passos: 'consulta portal',
    },
  ],
  [
    'after 632, a portal that releases only after the Confirmação is asked again',
    'fora-prazo-confirmacao',
    {
      status: 'ok',
      cstat: '632',
      manifestacao: 'confirmacao_registrada',
      xml: true,
      diz: CONFIRMADA,
      passos: 'consulta portal 210200 portal',
      livro: ['210200'],
    },
  ],
  [
    "the issuer gets the note from the portal (641), and no event is ever sent in an issuer's name",
    'emitente',
    {
      status: 'ok',
      cstat: '641',
      manifestacao: null,
      xml: true,
      diz: NO_PORTAL,
      passos: 'consulta portal',
    },
  ],
  [
    'what the Ciência was refused for is told beside what came of the Confirmação',
    'ciencia-fora-prazo-portal-nega',
    {
      status: 'ok',
      cstat: '138',
      manifestacao: 'confirmacao_registrada',
      xml: true,
      diz: DEZ_DIAS,
      passos: 'consulta 210210 portal 210200 consulta',
      livro: ['210200'],
    },
    {},
    31,
  ],
]

describe('the flow of an NF-e call, over HTTP', { concurrency: false }, () => {
  const nfeOf = useNfe(startNfe)
  testRows(nfeOf, fluxo)
})
