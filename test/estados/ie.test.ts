import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { exemplos } from '../../simulator/mundo/exemplo.ts'
import { findContribuinte } from '../../simulator/mundo/mundo.ts'
import { asksAlways } from '../../src/portal/rotas.ts'
import type { Inscricao } from '../../src/portal/rules-inscricao.ts'
import { comVarias, inscricoesDe, openMeios, porFamilia, produtorEm, rotasIe } from '../kit/portal.ts'
import { reservado } from '../kit/simulator.ts'
import campos from './campos.json' with { type: 'json' }

const meios = openMeios()

/** The answer of these routes names no holder, so nothing on it shows that it is somebody else's. */
const SEM_DOCUMENTO: ReadonlySet<string> = new Set(['AL/ie', 'MT/ie-portal'])

/** Web services that have no query by CPF, and say so. */
const SEM_CPF: ReadonlySet<string> = new Set(['AM/ie', 'MS/ie'])

const numbers = (found: readonly Inscricao[]): string[] =>
  found.map(({ inscricao_estadual }) => inscricao_estadual.replace(/^0+/, '')).sort()

/** How many fields each route fills for its example. A change may raise a number; it never lowers one. */
const filledFields: ReadonlyMap<string, number> = new Map(Object.entries(campos))

/** Web services with and without a query by CPF, and pages that ask for a captcha. */
const PREFERIDAS = ['AM/ie', 'SC/ie', 'CE/ie', 'TO/ie', 'SC/ie-portal']

/** Asks each route the same questions. A 28th state is tested by existing. */
describe('registrations', { concurrency: 32 }, () => {
  for (const [nome, uf, rota] of porFamilia(rotasIe, PREFERIDAS)) {
    describe(nome, { concurrency: true }, () => {
      const ask = (documento: string, how = {}) => {
        const tipo = documento.length === 11 ? 'cpf' : 'cnpj'
        return rota.ask({ tipo, documento }, meios(how))
      }
      const webService = rota.familia === 'cadastro'
      const cnpj = rota.aceita.includes('cnpj')
      const nomeia = rota.espera?.campos?.includes('razao_social') ?? true

      if (cnpj) {
        test('a registered company is found, with what the state tells of it', async () => {
          const documento = exemplos().umaInscricao.get(uf) ?? ''
          const [found, ...rest] = await ask(documento)
          const [known] = inscricoesDe(uf, documento)
          assert.ok(found && known)
          assert.deepEqual(rest, [])
          assert.equal(found.inscricao_estadual.replace(/^0+/, ''), known.ie.replace(/^0+/, ''))
          assert.equal(found.razao_social, nomeia ? findContribuinte(documento)?.nome : '')
          assert.equal(found.uf_ie, uf)
          assert.equal(found.situacao_ie, 'ATIVA')
          assert.equal(found.cpf_cnpj.replace(/\D/g, ''), documento)
          for (const [ours, theirs] of [
            [found.municipio, known.endereco.municipio],
            [found.logradouro, known.endereco.logradouro],
            [found.numero, known.endereco.numero],
            [found.bairro, known.endereco.bairro],
            [found.cep, known.endereco.cep],
            [found.cnae_codigo, known.cnae],
            [found.data_inicio_atividade, known.inicio],
            [found.data_situacao, known.ultimaSituacao],
          ])
            if (ours !== '') assert.equal(ours, theirs)
          const filled = Object.entries(found).flatMap(([field, value]) => (value === '' ? [] : field))
          const floor = filledFields.get(rota.source.id)
          const told = `${filled.length} fields are filled, campos.json says ${floor}: ${filled.join(', ')}`
          assert.equal(filled.length, floor, told)
        })

        test('a company without registration gives none', async () => {
          assert.deepEqual(await ask(exemplos().semInscricao), [])
        })

        test('several registrations of one company are all found', async () => {
          const documento = comVarias(uf)
          const found = await ask(documento ?? reservado('muitas'))
          if (documento)
            assert.deepEqual(
              numbers(found),
              inscricoesDe(uf, documento)
                .map(({ ie }) => ie.replace(/^0+/, ''))
                .sort(),
            )
          else assert.equal(found.length, 40)
          assert.equal(new Set(numbers(found)).size, found.length)
        })

        test('a wrong document is refused in the state’s own words, and is no failure of the state', async () => {
          await assert.rejects(ask('11222333000180'), { code: 'DOCUMENTO_INVALIDO' })
        })

        test('a page that changed, or an answer cut short, is not understood, and is not taken for nothing', async () => {
          await assert.rejects(ask(reservado(webService ? 'xml-malformado' : 'layout')), { kind: 'parse' })
        })

        if (!SEM_DOCUMENTO.has(rota.source.id)) {
          test('an answer about somebody else is not delivered', async () => {
            await assert.rejects(ask(reservado('outro-documento')), { kind: 'parse' })
          })
        }

        test('a firewall is told as such, whatever its HTTP status', async () => {
          await assert.rejects(ask(reservado('html-403')), { kind: 'blocked' })
          if (!webService) await assert.rejects(ask(reservado('waf')), { kind: 'blocked', codigo: 'waf' })
        })

        test('a state that is down is told as such', async () => {
          await assert.rejects(ask(reservado('html-503')), { kind: 'http', unavailable: true })
        })

        test('a connection that breaks off is a failure of the network', async () => {
          await assert.rejects(ask(reservado('reset')), { kind: 'network' })
        })

        if (asksAlways(rota)) {
          test('without anybody to solve its captcha nothing is asked that cannot be answered', async () => {
            await assert.rejects(ask(exemplos().semInscricao, { solver: false }), { name: 'RotaNaoAtende' })
          })

          test('a captcha that is refused time after time is told as such', async () => {
            await assert.rejects(ask(reservado('captcha-recusado')), {
              kind: 'blocked',
              codigo: 'captcha-errado',
            })
          })
        } else if (!webService) {
          test('a captcha that is asked for out of the blue is told as such', async () => {
            await assert.rejects(ask(reservado('captcha-inesperado')), { kind: 'blocked', codigo: 'captcha' })
          })
        }
      }

      const produtor = produtorEm(uf)
      if (rota.aceita.includes('cpf') && produtor) {
        test('a rural producer is found by CPF, or the state says that it has no such query', async () => {
          const found = await ask(produtor).catch((error) => {
            assert.equal(error.name, 'RotaNaoAtende')
            return undefined
          })
          assert.equal(found === undefined, SEM_CPF.has(rota.source.id))
          if (found)
            assert.deepEqual(
              numbers(found),
              inscricoesDe(uf, produtor)
                .map(({ ie }) => ie.replace(/^0+/, ''))
                .sort(),
            )
        })
      }

      if (rota.aceita.includes('ie')) {
        test('a registration is found by its own number', async () => {
          const documento = exemplos().umaInscricao.get(uf) ?? ''
          const [known] = inscricoesDe(uf, documento)
          const found = await rota.ask({ tipo: 'ie', documento: known?.ie ?? '' }, meios())
          assert.deepEqual(numbers(found), [known?.ie.replace(/^0+/, '')])
        })
      }
    })
  }
})
