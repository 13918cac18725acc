import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import Fastify, { type FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { ApiError } from '../../src/platform/errors.ts'
import { CpfCnpj, Ie, isOn, Switch, UfParam, ufOf } from '../../src/platform/http/parameters.ts'
import { parseQuery, toValidationError, validatorOptions } from '../../src/platform/http/validator.ts'

const query = Type.Object(
  {
    uf: UfParam('UF'),
    ...CpfCnpj,
    ie: Type.Optional(Ie('Inscrição estadual')),
    force_fresh: Type.Optional(Switch('Ao vivo')),
  },
  { 'x-exatamente-um': ['cpf', 'cnpj', 'ie'], 'x-ie-da-uf': true },
)

type Answer = { code: string; detail: string; errors: { parameter: string; reason: string }[] }

let app: FastifyInstance
before(async () => {
  app = Fastify({
    routerOptions: { querystringParser: parseQuery },
    ajv: { customOptions: validatorOptions },
    schemaErrorFormatter: toValidationError,
  })
  app.setErrorHandler((error) => {
    if (!(error instanceof ApiError)) throw error
    return { code: error.code, detail: error.message, errors: error.extra.errors ?? [] }
  })
  app.get('/', { schema: { querystring: query } }, () => ({ code: '', detail: '', errors: [] }))
  await app.ready()
})
after(() => app.close())

async function ask(text: string): Promise<Answer> {
  return (await app.inject(`/?${text}`)).json<Answer>()
}

test('each document is taken alone, and the UF in either case', async () => {
  for (const text of [
    'uf=SP&cpf=52998224725',
    'uf=sp&cnpj=00000000000191',
    'uf=Sp&cnpj=12ABC34501DE35&cpf=&ie=',
    'uf=SP&ie=110042490114',
    'uf=SP&ie=P011004243002&force_fresh=1',
    'uf=MT&ie=131837800&outro=1',
  ]) {
    assert.equal((await ask(text)).detail, '', text)
  }
  assert.equal(ufOf('sp'), 'SP')
  assert.throws(() => ufOf('XX'), { code: 'UF_NAO_SUPORTADA' })
  assert.deepEqual(['1', 'true', '0', 'false', undefined].map(isOn), [true, true, false, false, false])
})

test('a name in capitals is another parameter, and the answer says how it is written', async () => {
  const { code, detail } = await ask('UF=SP&Cnpj=00000000000191')
  assert.equal(code, 'PARAMETRO_AUSENTE')
  assert.match(detail, /^Parâmetro uf: é obrigatório.* Escreva em minúsculas o nome de UF e Cnpj\.$/)
  assert.match((await ask('uf=SP&IE=110042490114')).detail, / Escreva em minúsculas o nome de IE\.$/)
  for (const text of ['uf=SP&Documento=1', 'uf=SP&cnpj=1&CPF=1'])
    assert.doesNotMatch((await ask(text)).detail, /minúsculas/)
})

/** Ways to get a part of the query wrong, and the code of each. */
const faults: Record<'uf' | 'documento' | 'outro', [query: string, code: string][]> = {
  uf: [
    ['', 'PARAMETRO_AUSENTE'],
    ['uf=', 'PARAMETRO_AUSENTE'],
    ['uf=XX', 'UF_NAO_SUPORTADA'],
    ['uf=Sao+Paulo', 'UF_NAO_SUPORTADA'],
    ['uf=SP&uf=RJ', 'PARAMETRO_INVALIDO'],
    ['uf=SP', ''],
  ],
  documento: [
    ['', 'PARAMETRO_AUSENTE'],
    ['cpf=&cnpj=', 'PARAMETRO_AUSENTE'],
    ['cpf=52998224725&ie=1', 'PARAMETRO_CONFLITANTE'],
    ['cpf=1&cnpj=2&ie=3', 'PARAMETRO_CONFLITANTE'],
    ['cpf=1&cpf=2&cnpj=3', 'PARAMETRO_CONFLITANTE'],
    ['cpf=52998224724', 'DOCUMENTO_INVALIDO'],
    ['cnpj=00.000.000/0001-91', 'DOCUMENTO_INVALIDO'],
    ['cpf=52998224725&cpf=52998224725', 'PARAMETRO_INVALIDO'],
    ['ie=110042490114&ie=110042490114', 'PARAMETRO_INVALIDO'],
    ['cpf=52998224725', ''],
  ],
  outro: [
    ['force_fresh=sim', 'PARAMETRO_INVALIDO'],
    ['', ''],
  ],
}
/** The order in which the parts are checked. */
const order = [
  'PARAMETRO_AUSENTE',
  'PARAMETRO_CONFLITANTE',
  'UF_NAO_SUPORTADA',
  'DOCUMENTO_INVALIDO',
  'PARAMETRO_INVALIDO',
  '',
]

test('whatever is wrong at once, the code is the first in the order and every parameter at fault is named', async () => {
  for (const [uf, ofUf] of faults.uf) {
    for (const [documento, ofDocumento] of faults.documento) {
      for (const [outro, ofOutro] of faults.outro) {
        const text = [outro, documento, uf].filter(Boolean).join('&')
        const codes = [ofUf, ofDocumento, ofOutro]
        const { code, detail, errors } = await ask(text)
        assert.equal(
          code,
          order.find((candidate) => codes.includes(candidate)),
          text,
        )
        const atFault = errors.map(({ parameter }) => parameter)
        assert.equal(atFault.includes('uf'), ofUf !== '', text)
        assert.equal(atFault.includes('force_fresh'), ofOutro !== '', text)
        assert.equal(
          atFault.some((name) => ['cpf', 'cnpj', 'ie'].includes(name)),
          ofDocumento !== '',
          text,
        )
        if (code !== '') assert.match(detail, /^\p{Lu}.*\.$/u)
      }
    }
  }
})

test('a registration is checked by the rule of the UF sent with it, and only when there is one', async () => {
  const wrong = await ask('uf=RJ&ie=110042490114')
  assert.equal(wrong.code, 'DOCUMENTO_INVALIDO')
  assert.match(wrong.detail, /^Parâmetro ie: em RJ envie 8 dígitos/)
  assert.deepEqual(
    wrong.errors.map(({ parameter }) => parameter),
    ['ie'],
  )
  assert.match((await ask('uf=sp&ie=ISENTO')).detail, /isento/)
  assert.match((await ask('uf=SP&ie=110.042.490.114')).detail, /somente dígitos/)
  for (const [text, code] of [
    ['uf=XX&ie=1', 'UF_NAO_SUPORTADA'],
    ['ie=1', 'PARAMETRO_AUSENTE'],
    ['uf=SP&uf=SP&ie=1', 'PARAMETRO_INVALIDO'],
    ['uf=RJ&ie=1&cpf=1', 'PARAMETRO_CONFLITANTE'],
  ]) {
    assert.equal((await ask(text ?? '')).code, code, text)
  }
})

test('what is missing, doubled or unknown is told with what to send instead', async () => {
  assert.deepEqual(await ask('uf=SP'), {
    code: 'PARAMETRO_AUSENTE',
    detail: 'Envie exatamente um destes parâmetros: cpf, cnpj ou ie.',
    errors: ['cpf', 'cnpj', 'ie'].map((parameter) => ({
      parameter,
      reason: 'envie exatamente um: cpf, cnpj ou ie',
    })),
  })
  assert.equal(
    (await ask('')).detail,
    'Parâmetro uf: é obrigatório e não foi enviado. Envie exatamente um destes parâmetros: cpf, cnpj ou ie.',
  )
  assert.equal(
    (await ask('uf=SP&cpf=52998224725&ie=110042490114')).detail,
    'Os parâmetros cpf e ie foram enviados juntos; envie só um deles.',
  )
  assert.match((await ask('uf=XX&cpf=52998224725')).detail, /^Parâmetro uf: envie .*: AC, AL, .*, TO\.$/)
  assert.match((await ask('uf=SP&cpf=1')).detail, /^Parâmetro cpf: envie 11 dígitos/)
})

test('what was sent is not kept with what was wrong with it: Ajv holds its last errors until it is asked again', async (t) => {
  const inspected = Fastify({
    ajv: { customOptions: validatorOptions },
    schemaErrorFormatter: toValidationError,
  })
  t.after(() => inspected.close())
  // This is the very list that Ajv keeps. Fastify attaches it to the error.
  inspected.setErrorHandler((error) => JSON.stringify(Reflect.get(Object(error), 'validation')))
  const body = Type.Object({ chave: Type.String(), senha: Type.String() })
  inspected.post('/', { schema: { body } }, () => '')
  for (const payload of [{ senha: 'segredo' }, { chave: '1', senha: ['segredo'] }, '"segredo"']) {
    const headers = { 'content-type': 'application/json' }
    const { body: errors } = await inspected.inject({ method: 'POST', url: '/', headers, payload })
    assert.match(errors, /"keyword":"(required|type)"/)
    assert.doesNotMatch(errors, /segredo/)
  }
})
