import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type CertidaoGuardada,
  decidePasso,
  type PassoFederal,
  type SituacaoFederal,
} from '../../src/federal/rules.ts'
import { vezes } from '../kit/basics.ts'
import { DECIDED_AT, DIA_MS, emDias, HORA_MS, haMinutos, MINUTO_MS } from '../kit/federal.ts'

/** Instants at the edges that decide: now, 15 minutes, an hour, a day. The clock may have been set back. */
const minutosArb = fc.oneof(
  fc.constantFrom(0, 1, 14, 15, 16, 59, 60, 61, 1439, 1440, 1441),
  fc.integer({ min: -2000, max: 5000 }),
)
const diasArb = fc.oneof(fc.constantFrom(-1, 0, 1, 2, 3, 4, 5, 180), fc.integer({ min: -400, max: 400 }))

const guardadaArb: fc.Arbitrary<CertidaoGuardada> = fc.record({
  validade: diasArb.map(emDias),
  conferidaEm: minutosArb.map(haMinutos),
  emissao: fc.option(fc.record({ fim: minutosArb.map(haMinutos), anunciada: fc.boolean() }), {
    nil: undefined,
  }),
})

const situacaoArb: fc.Arbitrary<SituacaoFederal> = fc.record({
  guardada: fc.option(guardadaArb, { nil: undefined }),
  emCurso: fc.boolean(),
  recusadaEm: fc.option(minutosArb.map(haMinutos), { nil: undefined }),
  emitirNova: fc.boolean(),
  issuesNova: fc.boolean(),
  agora: fc.integer({ min: 0, max: 2000 }).map((minutos) => haMinutos(-minutos)),
})

const hojeOf = (agora: Date): string => new Date(agora.getTime() - 3 * HORA_MS).toISOString().slice(0, 10)

const runs = { numRuns: vezes(5000) }

test('an expired certificate is never delivered', () => {
  fc.assert(
    fc.property(situacaoArb, (situacao) => {
      const { passo } = decidePasso(situacao)
      if (passo !== 'entregar') return
      assert.ok(situacao.guardada && situacao.guardada.validade >= hojeOf(situacao.agora))
    }),
    runs,
  )
})

test('nothing begins for a CNPJ while something runs for it', () => {
  fc.assert(
    fc.property(situacaoArb, (situacao) => {
      const { passo } = decidePasso({ ...situacao, emCurso: true })
      assert.ok(passo === 'entregar' || passo === 'esperar', passo)
      assert.notEqual(decidePasso({ ...situacao, emCurso: false }).passo, 'esperar')
    }),
    runs,
  )
})

test('only a wish or the end of a certificate leads to a new one, and only where a route can', () => {
  fc.assert(
    fc.property(situacaoArb, (situacao) => {
      const { passo } = decidePasso(situacao)
      const { guardada, emitirNova, issuesNova, agora } = situacao
      const daysLeft = guardada && (Date.parse(guardada.validade) - Date.parse(hojeOf(agora))) / DIA_MS
      if (passo === 'emitir') assert.ok(issuesNova && (emitirNova || Number(daysLeft) <= 3))
      if (passo === 'sem-rota') assert.ok(!issuesNova && Number(daysLeft) >= 0)
      if (!emitirNova && Number(daysLeft) > 3) assert.equal(passo, 'entregar')
    }),
    runs,
  )
})

test('as time goes by a delivery ends and never begins, and emissao becomes consulta and never the reverse', () => {
  const rank = (passo: PassoFederal): number =>
    passo.passo === 'entregar' ? (passo.modo === 'emissao' ? 0 : 1) : 2
  fc.assert(
    fc.property(situacaoArb, minutosArb, (situacao, minutos) => {
      const { guardada } = situacao
      // A time stamp far ahead of the clock is wrong until the clock comes near it.
      fc.pre(!guardada?.emissao || guardada.emissao.fim <= situacao.agora)
      const later = new Date(situacao.agora.getTime() + Math.abs(minutos) * MINUTO_MS)
      assert.ok(rank(decidePasso(situacao)) <= rank(decidePasso({ ...situacao, agora: later })))
    }),
    runs,
  )
})

/** A call that comes some minutes after the one before, and what the authority would answer it. */
type Evento = {
  minutos: number
  emitirNova: boolean
  tem: number | undefined
  recusa: boolean
  /** The answer comes only after the next calls. */
  demora: boolean
}

const eventoArb: fc.Arbitrary<Evento> = fc.record({
  minutos: fc.oneof(fc.nat({ max: 20 }), fc.nat({ max: 3000 }), fc.nat({ max: 200_000 })),
  emitirNova: fc.boolean(),
  tem: fc.option(fc.nat({ max: 180 }), { nil: undefined }),
  recusa: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constant(true)),
  demora: fc.boolean(),
})

type Comeco = 'perguntar' | 'emitir'

/** Whether an answer to this step is a certificate that did not exist before. */
const isIssued = ({ recusa, tem }: Evento, passo: Comeco): boolean =>
  !recusa && (passo === 'emitir' || tem === undefined)

/** What is known after the authority's answer. It keeps the certificate that is valid longest. */
function answered(
  antes: SituacaoFederal,
  evento: Evento,
  passo: Comeco,
  anunciada: boolean,
): SituacaoFederal {
  const { agora, guardada } = antes
  const situacao = { ...antes, emCurso: false, recusadaEm: evento.recusa ? agora : undefined }
  if (evento.recusa) return situacao
  const issued = isIssued(evento, passo)
  const dias = issued ? 180 : (evento.tem ?? 0)
  const validade = new Date(Date.parse(hojeOf(agora)) + dias * DIA_MS).toISOString().slice(0, 10)
  if (!issued && guardada && guardada.validade > validade)
    return { ...situacao, guardada: { ...guardada, conferidaEm: agora } }
  const emissao = issued ? { fim: agora, anunciada } : undefined
  return { ...situacao, guardada: { validade, conferidaEm: agora, emissao } }
}

test('whatever the authority answers, every call ends, and no issuance begins beside or soon after another', () => {
  const nothing = { guardada: undefined, emCurso: false, recusadaEm: undefined, emitirNova: false }
  fc.assert(
    fc.property(fc.array(eventoArb, { maxLength: 12 }), fc.boolean(), (eventos, issuesNova) => {
      let situacao: SituacaoFederal = { ...nothing, issuesNova, agora: DECIDED_AT }
      let running: { evento: Evento; passo: Comeco } | undefined
      let fim = Number.NEGATIVE_INFINITY
      const end = (anunciada: boolean): void => {
        if (!running) return
        if (isIssued(running.evento, running.passo)) fim = situacao.agora.getTime()
        situacao = answered(situacao, running.evento, running.passo, anunciada)
        running = undefined
      }
      for (const evento of eventos) {
        const agora = new Date(situacao.agora.getTime() + evento.minutos * MINUTO_MS)
        situacao = { ...situacao, agora, emitirNova: evento.emitirNova }
        for (let steps = 0; ; steps++) {
          assert.ok(steps < 3, 'the call does not end')
          const { passo } = decidePasso(situacao)
          // What runs ends after a call that waits for it in vain.
          if (passo === 'esperar') end(true)
          if (passo !== 'perguntar' && passo !== 'emitir') break
          assert.equal(running, undefined, 'two at once')
          if (passo === 'emitir') assert.ok(agora.getTime() - fim > 15 * MINUTO_MS)
          running = { evento, passo }
          situacao = { ...situacao, emCurso: true }
          if (evento.demora) break
          end(false)
        }
      }
    }),
    { numRuns: vezes(3000) },
  )
})
