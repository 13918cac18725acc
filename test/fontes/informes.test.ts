import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { exemplosRurais } from '../../simulator/rural/parcelas.ts'
import { NOW } from '../kit/basics.ts'
import { type House, start } from '../kit/house.ts'
import { CPF, PATH as PERFIL, startRural } from '../kit/rural.ts'

/** What a client reads in `avisos`, with the instant of the service. */
const avisosOf = (body: Record<string, unknown>): string[] => Object(body.avisos)

const GEO = /georreferenciamento pelo INCRA passa a ser exigida .* 21\/10\/2029.*Decreto 12\.689/
const PRODES = /PRODES .*04\/01\/2027 .*Resolução CMN 5\.303/
const CNPJ = /cria um CNPJ para cada inscrição estadual/

describe('facts of norms in avisos, with their source and date', () => {
  let house: House
  before(async () => {
    house = await start({}, () => NOW)
  })
  after(() => house.close())

  test('a search in SIGEF tells georeferencing and PRODES by the day of the service, and the CNPJ to a CPF', async (t) => {
    const rural = await startRural(t)
    const { pessoa } = exemplosRurais()
    const ask = async () => avisosOf((await rural.ask(`/api/consultar-sigef?cpf=${pessoa}`)).body)
    const now = await ask()
    assert.equal(now.length, 3)
    for (const [at, word] of [GEO, PRODES, CNPJ].entries()) assert.match(now[at] ?? '', word)
    rural.turn(new Date('2026-05-11T12:00:00-03:00'))
    const [before, ...others] = await ask()
    assert.match(before ?? '', GEO)
    assert.deepEqual(others, [], 'neither PRODES nor the CNPJ was a fact then')
  })

  test('a profile of a CPF, and a state that has no registration of it, tell that it may have a CNPJ', async () => {
    const perfil = avisosOf((await house.ask(`${PERFIL}?cpf=${CPF}`)).body)
    assert.match(perfil.at(-1) ?? '', CNPJ)
    const none = await house.ask(`/api/consultar?uf=AC&cpf=${CPF}`)
    assert.deepEqual(none.body.results, [])
    assert.match(String(none.body.avisos), CNPJ)
    const company = await house.ask('/api/consultar?uf=AC&cnpj=77000003000150')
    assert.doesNotMatch(String(company.body.avisos), CNPJ)
  })
})
