import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type {
  DesfechoDoEvento,
  Evento,
  Feito,
  RespostaDaDistribuicao,
  RespostaDoPortal,
} from '../../src/nfe/rules.ts'
import {
  type Andamento,
  codigoDe,
  type DesfechoDaNota,
  type EventoFeito,
  eventosOf,
  isEmitente,
  type Passo,
  proximoPasso,
} from '../../src/nfe/rules-manifestacao.ts'
import { cstatDe, mensagemDe } from '../../src/nfe/rules-resultado.ts'
import { forecastEvento } from '../../src/nfe/rules-simulacao.ts'
import { vezes } from '../kit/basics.ts'
import {
  comeco,
  doEmitente,
  evento,
  falha,
  foraDoPrazo,
  indisponivel,
  limitada,
  nega,
  resumo,
  semSaida,
  xml,
} from '../kit/nfe-steps.ts'

/** The answers for one step of a call, whichever step it is. */
type Sorte = { consulta: RespostaDaDistribuicao; evento: DesfechoDoEvento; portal: RespostaDoPortal }

const MAX_PASSOS = 8

const eventoArb = fc.constantFrom(
  falha,
  ...['135', '136', '573', '596', '650', '655', '575', '108', '656', '999'].map((cStat) => evento(cStat)),
)

const portalArb = fc.constantFrom<RespostaDoPortal[]>(xml, nega, indisponivel, semSaida)

const consultaArb = (dias: number): fc.Arbitrary<RespostaDaDistribuicao> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(resumo(dias)) },
    {
      weight: 5,
      arbitrary: fc.constantFrom<RespostaDaDistribuicao[]>(xml, limitada, foraDoPrazo, doEmitente, falha),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom<RespostaDaDistribuicao[]>(
        resumo(dias, 'cancelada'),
        resumo(dias, 'denegada'),
        { tipo: 'nao-encontrada', cStat: '137', xMotivo: 'Nenhum documento localizado' },
        { tipo: 'sem-permissao', cStat: '640', xMotivo: 'sem permissao' },
        { tipo: 'cancelada', cStat: '653', xMotivo: 'Cancelada' },
        { tipo: 'chave-invalida', cStat: '618', xMotivo: 'modelo' },
        { tipo: 'recusada', cStat: '593', xMotivo: 'CNPJ-Base' },
      ),
    },
  )

/** Nothing, or the events that a call may have sent before it was interrupted. */
const antesArb: fc.Arbitrary<EventoFeito[]> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<EventoFeito[]>([]) },
  eventoArb.map((desfecho): EventoFeito[] => [{ passo: 'ciencia', desfecho }]),
  eventoArb.map((desfecho): EventoFeito[] => [
    { passo: 'ciencia', desfecho: evento('596') },
    { passo: 'confirmacao', desfecho },
  ]),
)

const callArb = fc.integer({ min: 0, max: 240 }).chain((dias) =>
  fc.record({
    dias: fc.constant(dias),
    parts: fc.record({
      manifestar: fc.boolean(),
      canSign: fc.boolean(),
      emitente: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constant(true)),
      outroEmitente: fc.boolean(),
      feitos: antesArb,
    }),
    sortes: fc.array(fc.record({ consulta: consultaArb(dias), evento: eventoArb, portal: portalArb }), {
      minLength: MAX_PASSOS,
      maxLength: MAX_PASSOS,
    }),
  }),
)

/** Takes the steps that are decided. `seen` judges each event before it is sent. */
function play(
  start: Andamento,
  sortes: Sorte[],
  seen: (enviado: Evento, andamento: Andamento) => void,
): { andamento: Andamento; desfecho: DesfechoDaNota } {
  let andamento = start
  for (const sorte of sortes) {
    const passo = proximoPasso(andamento)
    if (passo.tipo === 'responder') return { andamento, desfecho: passo }
    if (passo.tipo === 'ciencia' || passo.tipo === 'confirmacao') seen(passo.tipo, andamento)
    andamento = { ...andamento, feitos: [...andamento.feitos, feitoOf(passo, sorte)] }
  }
  const passo = proximoPasso(andamento)
  if (passo.tipo !== 'responder') assert.fail(`the call goes on after ${sortes.length} steps`)
  return { andamento, desfecho: passo }
}

function feitoOf(passo: Exclude<Passo, DesfechoDaNota>, sorte: Sorte): Feito {
  const { tipo } = passo
  if (tipo === 'consultar') {
    const consulta = { passo: 'consulta', resposta: sorte.consulta } as const
    return passo.comoEmitente ? { ...consulta, comoEmitente: true } : consulta
  }
  if (tipo === 'portal') return { passo: 'portal', resposta: sorte.portal }
  return { passo: tipo, desfecho: sorte.evento }
}

test('no answers of the authorities make a call send an event that it may not send', () => {
  fc.assert(
    fc.property(callArb, ({ dias, parts, sortes }) => {
      play(comeco(dias, parts), sortes, (enviado, andamento) => {
        assert.ok(andamento.manifestar && andamento.canSign && !isEmitente(andamento))
        assert.ok(dias <= 180, 'beyond 180 days')
        const sent = eventosOf(andamento)
        const codes = sent.filter(({ passo }) => passo === enviado).map(codigoDe)
        assert.ok(
          codes.every((code) => code === ''),
          'an event that was answered is not sent again',
        )
        assert.ok(!sent.some((e) => ['135', '136', '573'].includes(codigoDe(e))), 'one event is enough')
        const tipos = andamento.feitos.flatMap((f) => (f.passo === 'consulta' ? [f.resposta.tipo] : []))
        assert.ok(!tipos.includes('emitente') && !tipos.includes('xml'))
        if (enviado === 'ciencia') return
        assert.equal(andamento.feitos.at(-1)?.passo, 'portal', 'the portal is asked first')
        const isRefused = sent.some((e) => e.passo === 'ciencia' && codigoDe(e) === '596')
        // Two months have at least 59 days. A call that gets 632 shows that the note is older.
        assert.ok(isRefused || dias >= 59 || tipos.includes('fora-prazo'))
      })
    }),
    { numRuns: vezes(3000) },
  )
})

test('every call ends, tells the event that stands, and gives the note only with ok', () => {
  fc.assert(
    fc.property(callArb, ({ dias, parts, sortes }) => {
      const { andamento, desfecho } = play(comeco(dias, parts), sortes, () => {})
      const mensagem = mensagemDe(andamento, desfecho)
      const registered = eventosOf(andamento).findLast((e) => ['135', '136'].includes(codigoDe(e)))
      if (registered) {
        assert.equal(desfecho.manifestacao, `${registered.passo}_registrada`)
        assert.match(mensagem, /foi registrada e não pode ser desfeita/)
        assert.doesNotMatch(mensagem, /Nenhum evento foi/)
      }
      const last = andamento.feitos.at(-1)
      assert.equal(
        desfecho.status === 'ok',
        last !== undefined && 'resposta' in last && last.resposta.tipo === 'xml',
      )
      assert.match(cstatDe(andamento, desfecho), /^(\d{3})?$/)
      assert.doesNotMatch(mensagem, /undefined|null|Invalid| {2}|\.\.|^$/)
      assert.match(mensagem, /[.”]$/)
    }),
    { numRuns: vezes(3000) },
  )
})

test('a dry run names the event that the call then sends first', () => {
  fc.assert(
    fc.property(callArb, ({ dias, parts, sortes: [first, ...rest] }) => {
      assert.ok(first)
      const start = comeco(dias, { ...parts, feitos: [{ passo: 'consulta', resposta: first.consulta }] })
      const { evento: previsto } = forecastEvento(start)
      const enviados: Evento[] = []
      const sortes = rest.map((sorte): Sorte => ({ ...sorte, portal: nega }))
      play(start, sortes, (enviado) => enviados.push(enviado))
      const tpEvento = { ciencia: '210210', confirmacao: '210200' } as const
      const [enviado] = enviados
      assert.equal(previsto?.codigo, enviado && tpEvento[enviado])
    }),
  )
})
