import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Row, startNfe, testRows, useNfe } from '../kit/nfe.ts'

const MINUTOS = /Repita a consulta em alguns minutos/
const SEM_RSA = /não tem chave RSA, e os eventos só aceitam assinatura RSA-SHA1/

/**
 * The specification, "`manifestacao` values". The values of registered events are in the flow's table too.
 */
const valores: Row[] = [
  [
    'ciencia_registrada: cStat 136, not tied to the note',
    'ciencia-136',
    {
      status: 'ok',
      cstat: '138',
      manifestacao: 'ciencia_registrada',
      xml: true,
      diz: /foi registrada/,
      passos: 'consulta 210210 consulta',
      livro: ['210210'],
    },
  ],
  [
    'ciencia_ja_registrada: cStat 573',
    'ciencia-repetida',
    {
      status: 'ok',
      cstat: '138',
      manifestacao: 'ciencia_ja_registrada',
      xml: true,
      passos: 'consulta 210210 consulta',
      livro: ['210210'],
      diz: /já estava registrada/,
    },
  ],
  [
    'ciencia_fora_prazo: cStat 596; status ok, the XML came from the portal with no event',
    'ciencia-fora-prazo',
    {
      status: 'ok',
      cstat: '596',
      manifestacao: 'ciencia_fora_prazo',
      xml: true,
      passos: 'consulta 210210 portal',
      diz: /portal nacional.*596.*Nenhum evento foi registrado/,
    },
  ],
  [
    'ciencia_rejeitada: other SEFAZ rejection; cstat and reason in mensagem',
    'ciencia-575',
    {
      status: 'somente_resumo',
      cstat: '575',
      manifestacao: 'ciencia_rejeitada',
      xml: false,
      passos: 'consulta 210210',
      diz: /575: “Rejeicao: O autor do evento diverge do destinatario/,
    },
  ],
  [
    'ciencia_rejeitada: an event that concludes stands already (655), and one more query brings the note',
    'conclusiva-anterior',
    {
      status: 'ok',
      cstat: '138',
      manifestacao: 'ciencia_rejeitada',
      xml: true,
      passos: 'consulta 210210 consulta',
      livro: ['210200'],
      diz: /655: “/,
    },
  ],
  [
    'ciencia_rejeitada: the one that stands is a Desconhecimento, which releases nothing',
    'desconhecida',
    {
      status: 'somente_resumo',
      cstat: '655',
      manifestacao: 'ciencia_rejeitada',
      xml: false,
      passos: 'consulta 210210 consulta',
      livro: ['210220'],
      diz: /Desconhecimento da Operação/,
    },
  ],
  [
    'ciencia_rejeitada: the event service is paused (108): ask again',
    'ciencia-108',
    {
      status: 'somente_resumo',
      cstat: '108',
      manifestacao: 'ciencia_rejeitada',
      xml: false,
      passos: 'consulta 210210',
      diz: MINUTOS,
      espera: 60,
    },
  ],
  [
    'ciencia_erro: communication failure, the event was not registered; query again',
    'ciencia-queda',
    {
      status: 'erro',
      cstat: '',
      manifestacao: 'ciencia_erro',
      xml: false,
      passos: 'consulta 210210',
      diz: /não se sabe se foi registrada.*Repita a consulta/,
      espera: 60,
    },
  ],
  [
    'confirmacao_ja_registrada: cStat 573',
    'confirmacao-repetida',
    {
      status: 'ok',
      cstat: '138',
      manifestacao: 'confirmacao_ja_registrada',
      xml: true,
      passos: 'consulta 210210 portal 210200 consulta',
      livro: ['210200'],
      diz: /Confirmação da Operação \(210200\) já estava registrada/,
    },
  ],
  [
    'confirmacao_rejeitada: cstat and reason in mensagem',
    'confirmacao-rejeitada',
    {
      status: 'somente_resumo',
      cstat: '494',
      manifestacao: 'confirmacao_rejeitada',
      xml: false,
      passos: 'consulta 210210 portal 210200',
      diz: /\(210200\) foi recusada \(494: “/,
    },
  ],
  [
    'confirmacao_erro: communication failure',
    'confirmacao-queda',
    {
      status: 'erro',
      cstat: '',
      manifestacao: 'confirmacao_erro',
      xml: false,
      espera: 60,
      passos: 'consulta 210210 portal 210200',
      diz: /\(210200\) ficou sem resposta/,
    },
  ],
  [
    'ciencia_nao_suportada: the certificate has no RSA key; no event is sent',
    'ec',
    {
      status: 'somente_resumo',
      cstat: '138',
      manifestacao: 'ciencia_nao_suportada',
      xml: false,
      passos: 'consulta',
      diz: SEM_RSA,
    },
  ],
  [
    'ciencia_nao_suportada: queries limited: no event is sent, and the portal releases',
    'limite-ec',
    {
      status: 'ok',
      cstat: '656',
      manifestacao: 'ciencia_nao_suportada',
      xml: true,
      passos: 'consulta portal',
      diz: SEM_RSA,
    },
  ],
  [
    'confirmacao_nao_suportada: the certificate has no RSA key; no event is sent',
    'ec-dois-meses-portal-nega',
    {
      status: 'somente_resumo',
      cstat: '138',
      manifestacao: 'confirmacao_nao_suportada',
      xml: false,
      passos: 'consulta portal',
      diz: SEM_RSA,
    },
  ],
  [
    'null: the certificate has no RSA key, and no event was needed',
    'ec-ciencia-anterior',
    {
      status: 'ok',
      cstat: '138',
      manifestacao: null,
      xml: true,
      passos: 'consulta',
      livro: ['210210'],
      diz: /XML completo/,
    },
  ],
]

describe('the manifestacao values of an NF-e call, over HTTP', { concurrency: false }, () => {
  const nfeOf = useNfe(startNfe)
  testRows(nfeOf, valores)

  test('ciencia_erro: registered, and the answer never came: asking again finds the note, with no second event', async () => {
    const { house, key } = nfeOf()
    const chave = house.chaveDe('ciencia-sem-resposta')
    const first = await house.askFor('ciencia-sem-resposta', { chave, key })
    assert.deepEqual([first.item.status, first.item.manifestacao], ['erro', 'ciencia_erro'])
    const again = await house.askFor('ciencia-sem-resposta', { chave, key })
    assert.deepEqual([again.item.status, again.item.manifestacao], ['ok', null])
    assert.equal(again.passos, 'consulta')
    assert.deepEqual(house.eventos(chave), ['210210'])
  })

  test('ciencia_erro, then ciencia_ja_registrada: the event that stood unanswered is a duplicate (573)', async () => {
    const { house, key } = nfeOf()
    const chave = house.chaveDe('ciencia-sem-resposta-demorada')
    const first = await house.askFor('ciencia-sem-resposta-demorada', { chave, key })
    assert.equal(first.item.manifestacao, 'ciencia_erro')
    const again = await house.askFor('ciencia-sem-resposta-demorada', { chave, key })
    assert.deepEqual([again.item.status, again.item.manifestacao], ['ok', 'ciencia_ja_registrada'])
    assert.equal(again.passos, 'consulta 210210 consulta')
    assert.deepEqual(house.eventos(chave), ['210210'])
  })
})
