import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type CheerioAPI, load } from 'cheerio'
import { NOW } from '../kit/basics.ts'
import { fillChamadas } from '../kit/contas.ts'
import { BANCO_DO_BRASIL, type House } from '../kit/house.ts'
import { enterPainel, type Member, startOn } from '../kit/pages.ts'

const USO = '/painel/uso/'

const toNumber = (text: string): number => Number(text.replace(/\./g, '').replace(',', '.'))

for (const dialect of ['sqlite', 'postgres'] as const)
  describe(`the use on ${dialect}`, () => {
    let house: House
    let visitor: Member
    let total: number
    before(async () => {
      house = await startOn(dialect)
      visitor = await enterPainel(house)
      total = await fillChamadas(house.rooms.platform.db, visitor.conta.id, {
        agora: NOW.getTime(),
        dias: 45,
      })
    })
    after(() => house.close())

    const abrir = async (query = '', who = visitor): Promise<CheerioAPI> => {
      const { status, text } = await who.get(USO + query)
      assert.equal(status, 200)
      return load(text)
    }
    const numeroDe = (page: CheerioAPI, titulo: string): string =>
      page(`.indicador[aria-label="${titulo}"] .numero`).text()
    const rowsOf = async () =>
      house.rooms.platform.db.kysely
        .selectFrom('usos')
        .selectAll()
        .where('conta_id', '=', visitor.conta.id)
        .execute()

    test('the totals are those of the calls, whatever the period', async () => {
      const rows = await rowsOf()
      for (const [query, days] of [
        ['?periodo=7', 7],
        ['', 30],
        ['?periodo=90', 90],
        ['?periodo=ano', 400],
      ] as const) {
        const page = await abrir(query)
        const since = NOW.getTime() - (days - 0.5) * 86_400_000
        const inside = rows.filter(({ criado_em }) => criado_em > since)
        assert.equal(toNumber(numeroDe(page, 'Chamadas')), inside.length, query)
        const credits = inside.reduce((sum, { creditos }) => sum + creditos, 0)
        assert.equal(toNumber(numeroDe(page, 'Créditos')), credits, query)
        const parts = page('#por-consulta').parent().parent().find('tbody tr > :nth-last-child(4)')
        const sum = parts
          .map((_, cell) => toNumber(page(cell).text()))
          .get()
          .reduce((a, b) => a + b, 0)
        assert.equal(sum, inside.length, query)
      }
      assert.equal(rows.length, total)
    })

    test('what cost most comes first', async () => {
      const page = await abrir('?periodo=90')
      const creditos = page('#por-consulta')
        .closest('section')
        .find('tbody tr > :nth-child(2)')
        .map((_, cell) => toNumber(page(cell).text()))
        .get()
      assert.ok(creditos.length > 2)
      assert.deepEqual(
        creditos,
        creditos.toSorted((a, b) => b - a),
      )
    })

    test('days of the visitor’s own, in either order, and a filter', async () => {
      const rows = (await rowsOf()).filter(({ criado_em, endpoint }) => {
        const dia = new Date(criado_em - 3 * 3_600_000).toISOString().slice(0, 10)
        return dia >= '2026-11-03' && dia <= '2026-11-09' && endpoint === '/api/consultar'
      })
      for (const query of ['?de=2026-11-03&ate=2026-11-09', '?de=2026-11-09&ate=2026-11-03']) {
        const page = await abrir(`${query}&endpoint=/api/consultar`)
        assert.equal(toNumber(numeroDe(page, 'Chamadas')), rows.length)
        assert.equal(page('.barras .alvo').length, 7)
      }
      const failed = await abrir('?desfecho=falhas')
      assert.equal(numeroDe(failed, 'Respondidas'), '0%')
      assert.ok(toNumber(numeroDe(failed, 'Chamadas')) > 3)
    })

    test('deliveries in which a source failed are counted apart, and lead to their calls', async () => {
      const rows = (await rowsOf()).filter(({ fontes_falhas }) => fontes_falhas > 0)
      assert.ok(rows.length > 0)
      const page = await abrir('?periodo=90')
      const link = page('a[href$="/painel/registro/?desfecho=fonte"]')
      assert.equal(toNumber(link.closest('tr').find('td').text()), rows.length)
      assert.match(page('.indicador').text(), new RegExp(`${rows.length} respostas em parte`))
    })

    test('a long period is drawn by months', async () => {
      const page = await abrir('?periodo=ano')
      assert.equal(page('.barras .alvo').length, 12)
      assert.equal(page('.ver-numeros tbody th').first().text(), '11/2026')
    })

    test('what is asked wrong is told, and another account sees none of it', async () => {
      assert.match((await abrir('?de=2026-02-30'))('.faixa-aviso').text(), /De: envie um dia que exista/)
      const page = await abrir('', await enterPainel(house))
      assert.match(page('.vazio').text(), /Nenhuma chamada neste período/)
      assert.equal(numeroDe(page, 'Chamadas'), '0')
    })

    test('the file adds up to the page, and a note shows what it costs in BRL', async () => {
      const page = await abrir()
      const { text } = await visitor.get(`${USO}uso.csv`)
      const [, ...lines] = text.trim().split('\r\n')
      const sum = (column: number): number =>
        lines.reduce((all, line) => all + Number(line.split(';')[column]), 0)
      assert.equal(sum(3), toNumber(numeroDe(page, 'Chamadas')))
      assert.equal(sum(10), toNumber(numeroDe(page, 'Créditos')))
      assert.match(page('.indicador').last().text(), /cerca de R\$\s[\d.]+,\d\d em XML de NF-e/)
    })

    test('a call that has just been made counts at once', async () => {
      const fresh = await enterPainel(house)
      await house.ask(`/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`, { key: fresh.key })
      assert.equal(numeroDe(await abrir('?periodo=mes', fresh), 'Chamadas'), '1')
    })
  })
