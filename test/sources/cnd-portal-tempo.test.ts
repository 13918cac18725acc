import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emitirCertidao } from '../../src/jobs/emitir-cnd-federal.ts'
import { rotasFederais } from '../../src/sources/rotas-federais.ts'
import { openCertidoes } from '../../src/store/certidoes/certidoes.ts'
import { openSuspeitas } from '../../src/store/certidoes/suspeitas.ts'
import { forEachDatabase, openFor } from '../store/databases.ts'
import { AGORA, papel } from './cnd-federal-em-cena.ts'
import { usePortal } from './cnd-portal-em-cena.ts'

const portal = usePortal()

forEachDatabase((_dialect, fresh) => {
  test('each of the two captchas of an issuance has more than a minute', async (t) => {
    const db = await openFor(t, await fresh(t))
    const options = {
      now: () => AGORA,
      ambiente: 'simulador',
      secret: 'segredo-de-teste-com-mais-de-32-letras',
    }
    const certidoes = openCertidoes(db, options)
    const { meios } = portal.meios()
    const given: number[] = []
    const captcha: typeof meios.captcha = {
      ...meios.captcha,
      solve: (desafio, deadlineMs) => {
        given.push(deadlineMs)
        return meios.captcha.solve(desafio, deadlineMs)
      },
    }
    const { http, guard, pace, now, signal } = meios
    const job = emitirCertidao(
      {
        now,
        log: { warn: () => {} },
        store: { certidoes, suspeitas: openSuspeitas(db, options) },
        sources: { http, guard: Object.assign(guard, { circuit: () => 'fechado' as const }), captcha, pace },
      },
      rotasFederais(
        { CND_FEDERAL_ROTAS: 'portal', CND_FEDERAL_VERSAO: 'v1' },
        { contrato: undefined, captcha },
      ),
    )
    const payload = { ...certidoes.seal(papel.cnpj), emitir: 'se-preciso' } as const
    const done = await job.run(payload, { id: 'job-1', attempt: 1, signal })
    assert.deepEqual(done.result, { tipo: 'feito' })
    assert.equal(given.length, 2)
    for (const ms of given) assert.ok(ms > 60_000, `${ms} ms`)
  })
})
