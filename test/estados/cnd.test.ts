import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { exemplos } from '../../simulator/mundo/exemplo.ts'
import { certidaoDe } from '../../simulator/portal/registro.ts'
import type { Uf } from '../../src/documento/uf.ts'
import { estados } from '../../src/estados/estados.ts'
import type { PerguntaCnd } from '../../src/portal/estado.ts'
import { asksAlways } from '../../src/portal/rotas.ts'
import type { Certidao } from '../../src/portal/rules-certidao.ts'
import { openMeios, perguntaCnd, porFamilia, produtorEm, rotasCnd } from '../kit/portal.ts'
import { reservado } from '../kit/simulator.ts'

const meios = openMeios()

/** Where the state shows the certificate as a page, our print of the page stands in for its file. */
const isEmHtml = ({ impressao_base64 }: Certidao): boolean => impressao_base64 !== undefined
const paperOf = ({ pdf_base64, impressao_base64 }: Certidao): string => {
  assert.equal(pdf_base64 === '', impressao_base64 !== undefined)
  return pdf_base64 || (impressao_base64 ?? '')
}

/** The service's names for the outcomes in the simulator's register. */
const statusOf = {
  negativa: 'negativa',
  positiva: 'positiva',
  efeitos: 'positiva_com_efeitos_de_negativa',
  'nao-inscrito': 'nao_contribuinte',
  irregular: 'sem_certidao',
} as const

/**
 * A page in the place of the paper is read like any other page. BA's holds neither a certificate nor a
 * reason.
 */
const notPaper = (uf: Uf): object =>
  uf === 'BA'
    ? { kind: 'parse', message: /faltam a certidão e o motivo/ }
    : { kind: 'http', codigo: 'indisponivel', unavailable: true }

/** The pages that ask for a captcha, and those whose papers or certificates are out of the ordinary. */
const PREFERIDAS = ['ES/cnd', 'PB/cnd', 'RS/cnd', 'BA/cnd', 'GO/cnd']

/** Asks each page of certificates the same questions. A 28th state is tested by existing. */
describe('certificates', { concurrency: 32 }, () => {
  for (const [nome, uf, rota] of porFamilia(rotasCnd, PREFERIDAS)) {
    describe(nome, { concurrency: true }, () => {
      const ask = async (documento: string, how = {}): Promise<Certidao> =>
        rota.ask(await perguntaCnd(uf, documento, meios()), meios(how))

      test('a company in good standing gets its certificate: status, dates, number and the PDF itself', async () => {
        const documento = estados.get(uf)?.exemplo ?? ''
        const certidao = await ask(documento)
        assert.equal(certidao.status, 'negativa')
        assert.match(certidao.emissao, /^\d{4}-\d{2}-\d{2}$/)
        const known = certidaoDe(uf, { tipo: 'cnpj', documento }, new Date(`${certidao.emissao}T15:00:00Z`))
        assert.equal(certidao.validade, known.validade)
        assert.ok(certidao.validade > certidao.emissao)
        assert.equal(certidao.protocolo, known.numero || known.codigo)
        assert.match(certidao.protocolo, /\d/)
        assert.ok(certidao.status_raw.length > 0)
        assert.equal(isEmHtml(certidao) && !rota.emHtml, false)
        assert.equal(Buffer.from(paperOf(certidao), 'base64').toString('latin1', 0, 5), '%PDF-')
        assert.match(certidao.url_verificacao, /^$|^https?:\/\//)
        assert.equal(certidao.url_verificacao, rota.layout?.verificacao ?? '')
        assert.equal(certidao.codigo_autenticacao, uf === 'MT' ? known.codigo : '')
      })

      test('debts are told as such, and are not a failure', async () => {
        const { status, status_raw } = await ask(reservado('cnd-positiva'))
        assert.equal(status, 'positiva')
        assert.ok(status_raw.length > 0)
      })

      test('debts that are suspended or guaranteed are told from both', async () => {
        const certidao = await ask(reservado('cnd-efeitos'))
        assert.equal(certidao.status, 'positiva_com_efeitos_de_negativa')
        assert.ok(paperOf(certidao).length > 0)
      })

      test('a state that answers without a certificate and without debts gives sem_certidao and its own words', async () => {
        const { status, status_raw, pdf_base64 } = await ask(reservado('cnd-sem-certidao'))
        assert.equal(status, 'sem_certidao')
        assert.ok(status_raw.length > 0)
        assert.equal(pdf_base64, '')
      })

      if (rota.naoContribuinte === 'pagina') {
        test('a page that tells who is no taxpayer of the state is believed', async () => {
          const { status } = await ask(reservado('cnd-nao-inscrito'))
          assert.equal(status, 'nao_contribuinte')
        })
      }

      test('a page served as a PDF is no certificate', async () => {
        await assert.rejects(ask(reservado('cnd-html-como-pdf')), notPaper(uf))
      })

      for (const nome of ['cnd-pdf-de-outro', 'cnd-pdf-corrompido'])
        test(`a certificate that cannot be vouched for is not delivered: ${nome}`, async () => {
          await assert.rejects(ask(reservado(nome)), { kind: 'parse' })
        })

      test('a wrong document is refused in the state’s own words, and is no failure of the state', async () => {
        const wrong: PerguntaCnd = { tipo: 'cnpj', documento: '11222333000180', inscricoes: undefined }
        await assert.rejects(rota.ask(wrong, meios()), { code: 'DOCUMENTO_INVALIDO' })
      })

      test('a page that changed is not understood, and is not taken for a refusal', async () => {
        await assert.rejects(ask(reservado('layout')), { kind: 'parse' })
      })

      test('a firewall is told as such, whatever its HTTP status', async () => {
        await assert.rejects(ask(reservado('html-403')), { kind: 'blocked' })
        await assert.rejects(ask(reservado('waf')), { kind: 'blocked', codigo: 'waf' })
      })

      test('closed doors are told as such: nobody pays for them', async () => {
        await assert.rejects(ask(reservado('html-503')), { kind: 'http', unavailable: true })
      })

      test('a connection that breaks off is a failure of the network', async () => {
        await assert.rejects(ask(reservado('reset')), { kind: 'network' })
      })

      if (asksAlways(rota) && rota.captcha !== 'nenhum' && rota.captcha.tipo !== 'altcha') {
        test('without anybody to solve its captcha nothing is asked that cannot be answered', async () => {
          await assert.rejects(ask(exemplos().semInscricao, { solver: false }), { name: 'RotaNaoAtende' })
        })
      }

      if (asksAlways(rota)) {
        test('a captcha that is refused time after time is told as such', async () => {
          await assert.rejects(ask(reservado('captcha-recusado')), {
            kind: 'blocked',
            codigo: 'captcha-errado',
          })
        })
      }

      const produtor = produtorEm(uf)
      if (rota.aceita.includes('cpf') && produtor) {
        test('a certificate is issued by CPF', async () => {
          const { status } = await ask(produtor)
          const { desfecho } = certidaoDe(uf, { tipo: 'cpf', documento: produtor }, new Date())
          assert.equal(status, statusOf[desfecho])
        })
      }
    })
  }
})
