import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { estabelecimento } from '../../simulator/nfe/cenario.ts'
import { comCenario } from '../../simulator/nfe/cenarios.ts'
import type { Answer } from '../kit/house.ts'
import { creditsOf, heldBy, type NfeHouse, startNfe, until, useNfe } from '../kit/nfe.ts'

const filialDe = (cenario: string): string => estabelecimento(comCenario(cenario).titular, '0002').documento
const titularDe = (cenario: string): string => comCenario(cenario).titular.documento

const restantes = ({ headers }: Answer): string | null => headers.get('x-sefaz-consultas-restantes')

/** The faults of a body, as the answer tells them. */
const faultOf = ({ status, body }: Answer) => ({ status, code: body.error_code, errors: body.errors })

describe('the NF-e XML of another establishment than the one that the certificate names', {
  concurrency: false,
}, () => {
  const nfeOf = useNfe(startNfe)

  /** The body of a call for a scenario's note. Each body has a key of its own. */
  async function bodyOf(house: NfeHouse, cenario: string, more: object = {}) {
    house.pass(1_000)
    return { chave: house.chaveDe(cenario), ...(await house.a1(`nfe-${cenario}`)), ...more }
  }

  test("the head office's certificate gets a branch's note in the branch's name, and signs its event so", async () => {
    const { house, key } = nfeOf()
    house.pass(1_000)
    const chave = house.chaveDe('matriz')
    const before = await creditsOf(house, key)
    const answer = await house.askFor('matriz', { chave, key, corpo: { cnpj: filialDe('matriz') } })
    assert.equal(answer.item.status, 'ok', answer.item.mensagem)
    // The author of an event must be the recipient, by the whole number (575). Here the recipient is the
    // branch.
    assert.equal(answer.item.manifestacao, 'ciencia_registrada')
    assert.equal(answer.passos, 'consulta 210210 consulta')
    assert.deepEqual(house.eventos(chave), ['210210'])
    assert.equal(await creditsOf(house, key), before - 3)
  })

  test('without cnpj it is asked in its own name, and told how to ask for a branch (640)', async () => {
    const { house, key } = nfeOf()
    const { item, passos } = await house.askFor('matriz-sem-cnpj', { key })
    assert.deepEqual([item.status, item.cstat, passos], ['nao_autorizado', '640', 'consulta'])
    assert.ok(item.mensagem.includes(`em nome do CNPJ ${titularDe('matriz-sem-cnpj')}`), item.mensagem)
    assert.match(item.mensagem, /repita a consulta com o mesmo certificado e o CNPJ dele no campo cnpj/)
  })

  test('a note that a branch issued is asked for in its name by itself, for the key names it', async () => {
    const { house, key } = nfeOf()
    house.pass(1_000)
    const { item, passos } = await house.askFor('matriz-emitente', { key })
    assert.deepEqual([item.status, item.cstat, item.manifestacao], ['ok', '641', null])
    assert.equal(passos, 'consulta consulta portal')
    assert.match(item.mensagem, /emitiu a nota, e ela foi consultada também em nome dele/)
    assert.doesNotMatch(item.mensagem, /640/)
  })

  test('a name that the client chose is the only one that is asked in', async () => {
    const { house, key } = nfeOf()
    house.pass(1_000)
    const corpo = { cnpj: titularDe('matriz-emitente') }
    const own = await house.askFor('matriz-emitente', { key, corpo })
    assert.deepEqual([own.item.status, own.passos], ['nao_autorizado', 'consulta'])
    house.pass(1_000)
    const branch = await house.askFor('matriz-emitente', {
      key,
      corpo: { cnpj: filialDe('matriz-emitente') },
    })
    assert.deepEqual([branch.item.cstat, branch.passos], ['641', 'consulta portal'])
  })

  test('a note of a branch for its own head office is the head office’s to manifest', async () => {
    const { house, key } = nfeOf()
    house.pass(1_000)
    const { item, passos } = await house.askFor('transferencia', { key })
    assert.deepEqual([item.status, item.manifestacao], ['ok', 'ciencia_registrada'])
    assert.equal(passos, 'consulta 210210 consulta')
  })

  test('a dry run asks in the same names, and sends nothing', async () => {
    const { house, key } = nfeOf()
    house.pass(1_000)
    const issued = await house.askFor('matriz-emitente', { key, corpo: { simular: true } })
    assert.deepEqual([issued.item.cstat, issued.passos], ['641', 'consulta consulta'])
    assert.doesNotMatch(issued.item.mensagem, /640/)
    house.pass(1_000)
    const corpo = { simular: true, cnpj: filialDe('matriz') }
    const received = await house.askFor('matriz', { key, corpo })
    assert.deepEqual([received.item.simulacao?.evento, received.passos], ['210210', 'consulta'])
  })

  test('the queries are counted by the CNPJ that was asked about, as the authority counts them', async () => {
    const { house, key } = nfeOf()
    const arquivo = 'nfe-matriz-sem-cnpj'
    const cnpj = filialDe('matriz-sem-cnpj')
    const ask = (corpo: object) => {
      house.pass(1_000)
      return house.askFor('inexistente', { key, arquivo, corpo: { ...corpo } })
    }
    const before = Number(restantes(await ask({})))
    assert.equal(restantes(await ask({ cnpj })), '19')
    for (let left = 18; left >= 0; left--) assert.equal(restantes(await ask({ cnpj })), String(left))
    const over = await ask({ cnpj, manifestar: false })
    assert.equal(over.passos, 'portal', 'the 21st is not sent')
    assert.equal(restantes(await ask({})), String(before - 1))
  })

  test('a branch that is limited (656) limits nobody else, and is not gone around', async () => {
    const { house, key } = nfeOf()
    const arquivo = 'nfe-limite'
    const cnpj = filialDe('limite')
    house.pass(1_000)
    const corpo = { cnpj, manifestar: false }
    const limited = await house.askFor('inexistente', { key, arquivo, corpo })
    assert.deepEqual([limited.item.cstat, restantes(limited)], ['656', '0'])
    const { consumo } = house.rooms.nfe
    assert.equal((await consumo.look(titularDe('limite'))).restantes, 20)
    assert.equal((await consumo.look(cnpj)).restantes, 0)
  })

  test('what was delivered to one establishment is kept for all of the company', async () => {
    const { house, key } = nfeOf()
    house.pass(1_000)
    const chave = house.chaveDe('matriz')
    const first = await house.askFor('matriz', { chave, key, corpo: { cnpj: filialDe('matriz') } })
    const kept = await house.askFor('matriz', { chave, key })
    assert.deepEqual([kept.item.from_cache, kept.passos], [true, ''])
    assert.equal(kept.item.xml, first.item.xml)
  })

  test('calls at once in two names are two', async () => {
    const { house, key } = nfeOf()
    const body = await bodyOf(house, 'matriz')
    house.passos()
    const consulta = house.reter('consulta')
    const answers = Promise.all(
      [body, { ...body, cnpj: filialDe('matriz') }].map((each) => house.post(each, { key })),
    )
    await until(async () => (await heldBy(house)) === 2)
    await consulta.chegam(2)
    consulta.soltar()
    const found = (await answers).map(({ body: { resultados } }) => Object(resultados)[0].status)
    assert.deepEqual(found, ['nao_autorizado', 'ok'])
  })

  test('a cnpj of another company is refused with the reason, and nobody is asked', async () => {
    const { house, key } = nfeOf()
    house.passos()
    const answer = await house.post(await bodyOf(house, 'matriz', { cnpj: titularDe('ciencia') }), { key })
    const { code, status, errors } = faultOf(answer)
    assert.deepEqual([status, code], [400, 'CERTIFICADO_INVALIDO'])
    const [{ parameter, reason }] = Object(errors)
    assert.equal(parameter, 'cnpj')
    assert.ok(reason.includes(`O certificado é do CNPJ ${titularDe('matriz')}`), reason)
    assert.match(reason, /os 8 primeiros caracteres têm de ser os mesmos/)
    assert.equal(answer.headers.get('x-credits-charged'), '0')
    assert.equal(house.passos(), '')
  })

  test("a person's certificate asks in no company's name", async () => {
    const { house, key } = nfeOf()
    const answer = await house.post(await bodyOf(house, 'pessoa', { cnpj: titularDe('ciencia') }), { key })
    const { code, status, errors } = faultOf(answer)
    assert.deepEqual([status, code], [400, 'CERTIFICADO_INVALIDO'])
    assert.match(Object(errors)[0].reason, /é de uma pessoa \(e-CPF\) e não consulta em nome de um CNPJ/)
  })

  for (const [name, cnpj, says] of [
    ['a mask', '98.764.001/0001-07', /somente dígitos/],
    ['a wrong check digit', '98764001000108', /dígito verificador/],
    ['a CPF', '98764321837', /14 dígitos/],
    ['a number', 98764001000107, /envie um texto/],
    ['a list', ['98764001000107'], /envie um texto/],
  ] as const)
    test(`${name} in the place of a cnpj is DOCUMENTO_INVALIDO`, async () => {
      const { house, key } = nfeOf()
      const answer = await house.post(await bodyOf(house, 'matriz', { cnpj }), { key })
      const { status, code, errors } = faultOf(answer)
      assert.deepEqual([status, code, Object(errors)[0].parameter], [400, 'DOCUMENTO_INVALIDO', 'cnpj'])
      assert.match(Object(errors)[0].reason, says)
    })

  test('an empty cnpj counts as not sent, and one misspelt or in the address is refused', async () => {
    const { house, key } = nfeOf()
    const empty = await house.askFor('matriz-sem-cnpj', { key, corpo: { cnpj: '' } })
    assert.equal(empty.item.cstat, '640')
    const misspelt = await house.post(await bodyOf(house, 'matriz', { CNPJ: filialDe('matriz') }), { key })
    assert.deepEqual(faultOf(misspelt), {
      status: 400,
      code: 'PARAMETRO_INVALIDO',
      errors: [{ parameter: 'CNPJ', reason: 'não existe; o campo é cnpj' }],
    })
  })

  test('another cnpj under the same Idempotency-Key is another request', async () => {
    const { house, key } = nfeOf()
    const headers = { 'idempotency-key': 'estabelecimento' }
    const body = await bodyOf(house, 'matriz-sem-cnpj')
    assert.equal((await house.post(body, { key, headers })).status, 200)
    const other = await house.post({ ...body, cnpj: filialDe('matriz-sem-cnpj') }, { key, headers })
    assert.equal(other.body.error_code, 'IDEMPOTENCIA_CONFLITANTE')
  })
})
