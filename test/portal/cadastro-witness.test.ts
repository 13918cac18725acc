import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createAutoridades } from '../../simulator/autoridades.ts'
import type { Contribuinte } from '../../simulator/mundo/contribuinte.ts'
import { listContribuintes } from '../../simulator/mundo/mundo.ts'
import { type Gateway, startGateway } from '../../simulator/platform/gateway.ts'
import type { Uf } from '../../src/documento/uf.ts'
import { estados } from '../../src/estados/estados.ts'
import type { Http } from '../../src/platform/wire/http.ts'
import { readPfx } from '../../src/platform/wire/pfx.ts'
import { openTransport } from '../../src/platform/wire/transport.ts'
import { noSolver } from '../../src/portal/captcha.ts'
import type { Meios } from '../../src/portal/estado.ts'
import type { Inscricao } from '../../src/portal/rules-inscricao.ts'
import { sharedIcp } from '../kit/simulator.ts'
import { callWitness, type Witness } from '../kit/witness.ts'

let gateway: Gateway
let witness: Witness
let http: Http
let meios: Meios
before(async () => {
  const icp = await sharedIcp()
  const autoridades = createAutoridades({ agora: () => new Date() })
  gateway = await startGateway({ porta: 0, host: '127.0.0.1', icp, autoridades, paginas: () => undefined })
  const a1 = await icp.certificado('empresa')
  assert.ok(a1)
  const { pfx, item } = a1
  const port = gateway.porta
  witness = await callWitness({ port, ca: icp.ca, pfx, senha: item.senha })
  http = openTransport({ mode: 'simulator', ca: icp.ca, gateway: { host: '127.0.0.1', port }, hosts: {} })
  const certificado = await readPfx(pfx, item.senha)
  meios = {
    http,
    certificado,
    captcha: noSolver,
    now: () => new Date(),
    ambiente: 'producao',
    deadlineMs: 10_000,
  }
})
after(async () => {
  witness.close()
  await http.close()
  await gateway.close()
})

/** The part that both must read alike, in our answer's terms, from the witness's reading. */
function toComparable(texts: Record<string, string>): Partial<Inscricao> {
  const text = (name: string): string => texts[name] ?? ''
  return {
    inscricao_estadual: text('IE'),
    razao_social: text('xNome'),
    nome_fantasia: text('xFant'),
    uf_ie: text('UF'),
    cnae_codigo: text('CNAE'),
    regime_apuracao_icms: text('xRegApur'),
    data_inicio_atividade: text('dIniAtiv'),
    data_situacao: text('dUltSit'),
    logradouro: text('xLgr'),
    numero: text('nro'),
    complemento: text('xCpl'),
    bairro: text('xBairro'),
    municipio: text('xMun'),
    cep: text('CEP'),
    cpf_cnpj: text('CNPJ') || text('CPF'),
  }
}

async function askOurs(uf: Uf, tipo: Question['tipo'], documento: string): Promise<Partial<Inscricao>[]> {
  const found = (await estados.get(uf)?.ie[0].ask({ tipo, documento }, meios)) ?? []
  return found.map(({ cpf_cnpj, ...texts }) => ({ ...texts, cpf_cnpj: cpf_cnpj.replace(/[./-]/g, '') }))
}

const isIn = (uf: Uf, { inscricoes }: Contribuinte): number =>
  inscricoes.filter((one) => one.uf === uf).length

type Question = { tipo: 'cpf' | 'cnpj' | 'ie'; number: string }

/**
 * Numbers to ask a state about: a holder with one registration there, with several, with none; a person; a
 * CNPJ with letters; an IE.
 */
function pick(uf: Uf): Question[] {
  const all = listContribuintes()
  const companies = all.filter(({ tipoDocumento }) => tipoDocumento === 'cnpj')
  const one = companies.find((company) => isIn(uf, company) === 1)
  const chosen = [
    one,
    companies.find((company) => isIn(uf, company) > 1),
    companies.find((company) => isIn(uf, company) === 0),
    companies.find((company) => isIn(uf, company) > 0 && /[A-Z]/.test(company.documento)),
    all.find((person) => person.tipoDocumento === 'cpf' && isIn(uf, person) > 0),
  ].filter((contribuinte) => contribuinte !== undefined)
  const ie = one?.inscricoes.find((registration) => registration.uf === uf)?.ie ?? ''
  return [
    ...chosen.map(({ tipoDocumento: tipo, documento: number }): Question => ({ tipo, number })),
    { tipo: 'ie', number: ie },
  ]
}

const tags = { cpf: 'CPF', cnpj: 'CNPJ', ie: 'IE' } as const

for (const [uf, { ie }] of estados) {
  // The other states have no such service. The other package has no address for AM's.
  if (ie[0].familia !== 'cadastro' || uf === 'AM') continue
  test(`an independent client gets from ${uf} the registrations that our adapter gets`, async () => {
    let compared = 0
    for (const { tipo, number } of pick(uf)) {
      const { cStat, registrations } = await witness.ask(uf, tags[tipo], number)
      if (cStat === '262') {
        await assert.rejects(askOurs(uf, tipo, number), { name: 'RotaNaoAtende' })
        continue
      }
      const ours = await askOurs(uf, tipo, number)
      assert.equal(ours.length, registrations.length, `${tipo} ${number}`)
      for (const [index, theirs] of registrations.entries()) {
        assert.partialDeepStrictEqual(ours[index], toComparable(theirs))
        compared += 1
      }
    }
    assert.ok(compared >= 3, `${compared} registrations compared`)
  })
}
