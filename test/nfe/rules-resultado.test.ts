import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Andamento } from '../../src/nfe/rules-manifestacao.ts'
import { mensagemDe } from '../../src/nfe/rules-resultado.ts'
import {
  comeco,
  doEmitente,
  evento,
  foraDoPrazo,
  indisponivel,
  limitada,
  nega,
  type Respostas,
  resumo,
  semSaida,
  walk,
  xml,
} from '../kit/nfe-steps.ts'

function mensagem(dias: number, respostas: Respostas, start: Partial<Andamento> = {}, ate?: Date): string {
  const { andamento, desfecho } = walk(comeco(dias, start), respostas)
  return mensagemDe(andamento, desfecho, ate)
}

test('the note comes first, and then the event that was registered for it', () => {
  assert.equal(
    mensagem(3, { consulta: [resumo(3), xml], ciencia: [evento('135')] }),
    'XML completo, entregue pelo Ambiente Nacional da NF-e. A Ciência da Operação (210210) foi registrada e não pode ser ' +
      'desfeita; ela não impede uma manifestação posterior.',
  )
})

test('a refusal is told in the words that came, and that nothing was registered', () => {
  const refused = evento(
    '596',
    'Rejeicao: Evento apresentado apos o prazo permitido para o evento: [10 dias]',
  )
  assert.equal(
    mensagem(15, { consulta: [resumo(15)], ciencia: [refused], portal: [indisponivel] }),
    'A SEFAZ entregou só o resumo da nota. A Ciência da Operação (210210) foi recusada por prazo (596: “Rejeicao: Evento ' +
      'apresentado apos o prazo permitido para o evento: [10 dias]”). O portal nacional da NF-e pede um captcha. Nenhum ' +
      'evento foi registrado nesta consulta. Repita a consulta em alguns minutos.',
  )
})

test('an event refused for its time speaks of our clock, not of who issued the note', () => {
  for (const cStat of ['577', '578']) {
    const text = mensagem(3, {
      consulta: [resumo(3)],
      ciencia: [evento(cStat, 'Rejeicao: A data do evento')],
    })
    assert.match(
      text,
      /O relógio deste serviço parece errado: peça ao operador que o acerte, e repita a consulta\.$/,
    )
  }
})

test('a Confirmação says what it entails', () => {
  const respostas = { consulta: [resumo(75), xml], portal: [nega], confirmacao: [evento('135')] }
  assert.match(mensagem(75, respostas), /não pode ser desfeita: o emitente já não pode cancelar a nota\./)
})

test('where the portal never answers here, the client is not told to repeat', () => {
  const text = mensagem(120, { consulta: [foraDoPrazo], portal: [semSaida] })
  assert.match(text, /pede um captcha\. .*Peça o XML a quem emitiu a nota\.$/)
  assert.doesNotMatch(text, /Repita/)
})

test('an event that got no answer may stand, and asking again does not register it twice', () => {
  const text = mensagem(3, {
    consulta: [resumo(3)],
    ciencia: [
      {
        tipo: 'falha',
        mensagem: 'O Ambiente Nacional da NF-e não respondeu a tempo.',
      },
    ],
  })
  assert.match(
    text,
    /ficou sem resposta, e não se sabe se foi registrada\. O Ambiente Nacional da NF-e não respondeu a tempo\. Repita/,
  )
  assert.doesNotMatch(text, /Nenhum evento/)
  assert.match(text, /um evento já registrado não será registrado de novo\.$/)
})

test('an event that was not sent does not stand, and is not told as one that may', () => {
  const mensagemDaFalha = 'O Ambiente Nacional da NF-e falhou várias vezes seguidas.'
  const falha = { tipo: 'falha', mensagem: mensagemDaFalha, semEfeito: true } as const
  assert.equal(
    mensagem(3, { consulta: [resumo(3)], ciencia: [falha] }),
    `A SEFAZ entregou só o resumo da nota. A Ciência da Operação (210210) não foi registrada. ${mensagemDaFalha} ` +
      'Nenhum evento foi registrado nesta consulta. Repita a consulta em alguns minutos.',
  )
})

test('with no query left, every advice to ask again says when one is, whatever the call failed at', () => {
  const ate = new Date('2026-11-20T16:00:00Z')
  const falha = { tipo: 'falha', mensagem: 'O Ambiente Nacional da NF-e não respondeu a tempo.' } as const
  const calls: [number, Respostas][] = [
    [3, { consulta: [falha] }],
    [3, { consulta: [resumo(3)], ciencia: [falha] }],
    [120, { consulta: [foraDoPrazo], portal: [indisponivel] }],
    [3, { consulta: [limitada], ciencia: [evento('135')], portal: [indisponivel] }],
  ]
  for (const [dias, respostas] of calls)
    assert.match(
      mensagem(dias, respostas, {}, ate),
      /Repita a consulta depois de 20\/11\/2026, 13:00:00 \(horário de Brasília\)(: [^:]+)?\.$/,
    )
})

test('what was looked for twice and not found is told once, and not at all once it came', () => {
  const nada = { tipo: 'nao-encontrada', cStat: '137', xMotivo: 'Nenhum documento localizado' } as const
  const ciencia = [evento('135')]
  const text = mensagem(3, { consulta: [resumo(3), nada, nada], ciencia })
  assert.equal(text.match(/não localizou/g)?.length, 1)
  assert.match(text, /foi registrada .* O XML ainda não foi liberado\. Repita a consulta/)
  assert.doesNotMatch(mensagem(3, { consulta: [resumo(3), nada, xml], ciencia }), /não localizou/)
})

test('a note that is not found is looked for again only while its month may still bring it', () => {
  const consulta = [{ tipo: 'nao-encontrada', cStat: '217', xMotivo: '' } as const]
  assert.match(mensagem(3, { consulta }), /autorizada há pouco .* Repita a consulta em alguns minutos\.$/)
  assert.match(mensagem(70, { consulta }), /Confira a chave no DANFE ou no XML da nota\.$/)
})

test('a refused certificate is not told to try again', () => {
  const mensagemDaFalha = 'O Ambiente Nacional da NF-e recusou o certificado.'
  const consulta = [{ tipo: 'falha', mensagem: mensagemDaFalha, definitiva: true } as const]
  assert.equal(mensagem(3, { consulta }), mensagemDaFalha)
})

test('who does not manifest learns which event would release the note, and until when', () => {
  const naoManifesta = { manifestar: false }
  assert.match(
    mensagem(3, { consulta: [resumo(3)] }, naoManifesta),
    /manifestar = true: a Ciência da Operação é aceita até 27\/11\/2026, 12:00:00 \(horário de Brasília\)\.$/,
  )
  assert.match(
    mensagem(15, { consulta: [resumo(15)] }, naoManifesta),
    /a Confirmação da Operação é aceita até/,
  )
  assert.match(
    mensagem(3, { consulta: [resumo(3)] }, { ...naoManifesta, canSign: false }),
    /manifestar = true e um certificado de chave RSA: a Ciência/,
  )
  assert.match(mensagem(181, { consulta: [resumo(181)] }, naoManifesta), /prazo que terminou em 19\/11\/2026/)
})

test('a limit says until when, in Brasília, whether SEFAZ told it or it was known', () => {
  const ate = new Date('2026-11-20T16:00:00Z')
  const asked = mensagem(
    3,
    { consulta: [limitada], portal: [nega] },
    { emitente: false, manifestar: false },
    ate,
  )
  assert.match(
    asked,
    /limitando .*\(656: “Rejeicao: Consumo Indevido”\), até 20\/11\/2026, 13:00:00 \(horário de Brasília\)\./,
  )
  assert.match(asked, /Repita a consulta depois de 20\/11\/2026, 13:00:00 \(horário de Brasília\)\.$/)
  const known = { tipo: 'limitada', cStat: '', xMotivo: '' } as const
  const text = mensagem(3, { consulta: [known], portal: [indisponivel] }, { manifestar: false }, ate)
  assert.match(text, /usou todas as consultas por hora .* até 20\/11\/2026, 13:00:00 .* não foi consultada/)
})

test('an EC key is told why it cannot sign', () => {
  assert.match(
    mensagem(3, { consulta: [resumo(3)] }, { canSign: false }),
    /só aceitam assinatura RSA-SHA1\. Nenhum evento foi registrado nesta consulta\. Envie um certificado do mesmo titular/,
  )
})

test('words of an authority are shortened, never cut from their code', () => {
  const longa = evento('999', 'Rejeicao: erro nao catalogado '.repeat(40))
  const text = mensagem(3, { consulta: [resumo(3)], ciencia: [longa] })
  assert.match(text, /999: “Rejeicao: .{150,200}…”\)/)
  assert.ok(text.length < 600)
})

test('of a note from the portal it is told why the query did not bring it', () => {
  assert.match(
    mensagem(120, { consulta: [foraDoPrazo], portal: [xml] }),
    /^XML completo, obtido no portal nacional da NF-e\. A SEFAZ já não entrega esta nota pela chave \(632/,
  )
})

const semPermissao = { tipo: 'sem-permissao', cStat: '640', xMotivo: 'Rejeicao: sem permissao' } as const

test('the refusal of a stranger (640) says in whose name it was asked, and how to ask for another establishment', () => {
  assert.equal(
    mensagem(3, { consulta: [semPermissao] }),
    'O CNPJ ou CPF da consulta não participa desta nota (640: “Rejeicao: sem permissao”). A consulta foi feita em nome do CNPJ ' +
      '98764001000107, e a SEFAZ compara o número inteiro: se a nota é de outro estabelecimento da mesma empresa (matriz ou ' +
      'filial), repita a consulta com o mesmo certificado e o CNPJ dele no campo cnpj. Se é de outra empresa, use o certificado ' +
      'do emitente, do destinatário, do transportador ou de quem a nota autoriza.',
  )
  const pessoa = { interessado: { tipo: 'cpf', documento: '98764321837' } } as const
  assert.match(mensagem(3, { consulta: [semPermissao] }, pessoa), /em nome do CPF do certificado; use/)
  assert.doesNotMatch(mensagem(3, { consulta: [semPermissao] }, pessoa), /campo cnpj/)
})

test('a query that was made anew in the name of the issuer is told once, and said to be', () => {
  const text = mensagem(3, { consulta: [semPermissao, doEmitente], portal: [xml] }, { outroEmitente: true })
  assert.equal(
    text,
    'XML completo, obtido no portal nacional da NF-e. Outro estabelecimento da mesma empresa emitiu a nota, e ela foi ' +
      'consultada também em nome dele. A SEFAZ não entrega a nota pela chave a quem a emitiu (641: “Rejeicao: emitente”).',
  )
})

test('an authority that does not take letters yet is named for it, in the query (215) and in the event (225)', () => {
  const query = { tipo: 'recusada', cStat: '215', xMotivo: 'Rejeicao: Falha no schema XML' } as const
  const letras = { letras: true }
  assert.match(
    mensagem(3, { consulta: [query] }, letras),
    /tem letras, e a SEFAZ parece ainda não aceitá-las/,
  )
  assert.doesNotMatch(mensagem(3, { consulta: [query] }), /letras/)
  const events = { consulta: [resumo(3)], ciencia: [evento('225')] }
  assert.match(mensagem(3, events, letras), /recusada \(225.*tem letras.*peça o XML a quem emitiu a nota\.$/)
  assert.doesNotMatch(mensagem(3, events), /letras/)
})
