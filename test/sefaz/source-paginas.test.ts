import assert from 'node:assert/strict'
import { test } from 'node:test'
import { autorizadores, classify } from '../../src/sefaz/rules.ts'
import { AGORA, pagina, usePaginas } from '../kit/paginas-em-cena.ts'

const { html, asked, lines, all, read, both } = usePaginas()
const NFE = 'www.nfe.fazenda.gov.br/portal/disponibilidade.aspx'
const CTE = 'www.cte.fazenda.gov.br/portal/disponibilidade.aspx'

test('both pages give one reading for each authorizer of the NF-e and the CT-e, without a time', async () => {
  both(html(pagina('nfe')), html(pagina('cte')))
  const made = await all()
  const watched = autorizadores.filter(({ doc }) => doc !== 'nfce').map(({ id }) => id)
  assert.deepEqual(made.map(({ leitura }) => leitura.autorizador).sort(), watched.sort())
  assert.deepEqual(asked.toSorted(), [CTE, NFE])
  for (const { leitura, contato, http } of made) {
    const { autorizador } = leitura
    assert.deepEqual(leitura, {
      autorizador,
      em: AGORA.getTime(),
      resultado: 'disponivel',
      conexaoMs: null,
      tlsMs: null,
      respostaMs: null,
      cStat: null,
      motivo: '',
      desmentida: null,
    })
    assert.deepEqual([contato, http], ['servico', undefined])
    assert.deepEqual(classify([leitura]), { status_code: 1, status: 'Normal', status_avg: 0 })
  }
})

test('the test environment has pages of its own', async () => {
  both(html(pagina('nfe')), html(pagina('cte')))
  await all({ ambiente: 'homologacao' })
  assert.deepEqual(asked.toSorted(), [CTE.replace('www', 'hom'), NFE.replace('www', 'hom')])
})

for (const [file, luz] of [
  ['bola_vermelho_P.png', 'vermelho'],
  ['bola_vermelha_P.png', 'vermelho'],
  ['bola_amarela_P.png', 'amarelo'],
  ['bola_amarelo_P.png', 'amarelo'],
] as const)
  for (const [doc, id, cell] of [
    ['nfe', 'nfe-svrs', 'SVRS Autorização4'],
    ['nfe', 'nfe-am', 'AM Status Serviço4'],
    ['cte', 'cte-svsp', 'SVSP Recepção Sinc'],
    ['cte', 'cte-mt', 'MT Status Serviço'],
  ] as const)
    test(`${file} in "${cell}" is an authorizer that does not authorize`, async () => {
      const readings = await read(doc, pagina(doc, { imagens: { [cell]: file } }))
      const found = readings.get(id)
      assert.ok(found)
      const coluna = cell.slice(cell.indexOf(' ') + 1).replace('4', '')
      const portal = doc === 'nfe' ? 'da NF-e' : 'do CT-e'
      assert.equal(found.motivo, `O portal nacional ${portal} mostra "${coluna}" em ${luz}.`)
      assert.deepEqual(classify([found]), { status_code: 4, status: 'Erro', status_avg: 0 })
      const others = [...readings.values()].filter(({ autorizador }) => autorizador !== id)
      assert.deepEqual(new Set(others.map(({ resultado }) => resultado)), new Set(['disponivel']))
    })

test('columns that authorize nothing, and the rows of the contingency, decide nothing', async () => {
  const imagens = {
    'SVRS Recepção Evento4': 'bola_vermelho_P.png',
    'SVRS Retorno Autorização4': 'bola_vermelho_P.png',
    'SVC-RS Autorização4': 'bola_vermelho_P.png',
    'SVAN Consulta Cadastro4': '',
  }
  const readings = await read('nfe', pagina('nfe', { imagens }))
  assert.deepEqual(new Set([...readings.values()].map(({ resultado }) => resultado)), new Set(['disponivel']))
  assert.equal(readings.size, 12)
})

for (const [what, file] of [
  ['grey', 'bola_cinza_P.png'],
  ['no image', ''],
  ['an image that nobody knows', 'bola_azul_P.png'],
  ['a cell with two images', 'bola_verde_P.png" /><img src="imagens/bola_vermelho_P.png'],
] as const)
  test(`${what} beside green is no reading, and beside red it is red`, async () => {
    const imagens = {
      'BA Autorização4': file,
      'GO Autorização4': file,
      'GO Status Serviço4': 'bola_vermelho_P.png',
    }
    const readings = await read('nfe', pagina('nfe', { imagens }))
    assert.deepEqual([readings.get('nfe-ba'), readings.get('nfe-go')?.resultado], [undefined, 'indisponivel'])
  })

test('columns are found by their headings, in any order, with and without accents and version', async () => {
  const titulos = 'Autorizador,Inutilização4,STATUS SERVICO5,Autoriza&#231;&#227;o'
  const imagens = { 'PR STATUS SERVICO5': 'bola_vermelho_P.png', 'BA Inutilização4': 'bola_vermelho_P.png' }
  const readings = await read('nfe', pagina('nfe', { titulos, imagens }))
  assert.deepEqual(
    [readings.get('nfe-pr')?.resultado, readings.get('nfe-ba')?.resultado],
    ['indisponivel', 'disponivel'],
  )
})

test('a row is found by its exact name: one that is missing, twice there or of another length is none', async () => {
  const linhas = ['SVRS2', 'BA', 'BA', 'SVC-RS', 'GO']
  const cell = '<td><img src="imagens/bola_verde_P.png" /></td>'
  const longer = pagina('nfe', { linhas }).replace('<td>GO</td>', `<td>GO</td>${cell}`)
  const readings = await read('nfe', longer)
  assert.deepEqual([...readings.keys()], [])
})

const deny: Parameters<typeof both>[0] = (_, reply) => void reply.writeHead(403).end('<html></html>')

for (const [what, answer, tries] of [
  ['leads to erro.aspx', html('<html><body>Ocorreu um erro</body></html>'), 2],
  ['is cut', html(pagina('nfe').slice(0, 900)), 2],
  ['has no table', html('<html><body>Em breve</body></html>'), 2],
  ['lacks a column', html(pagina('nfe', { titulos: 'Autorizador,Autorização4' })), 2],
  ['lacks its date', html(pagina('nfe', { verificacao: 'agora' })), 2],
  [
    'is of half an hour ago',
    html(pagina('nfe', { verificacao: 'Última Verificação: 22/11/2026 08:40:00' })),
    2,
  ],
  ['is of tomorrow', html(pagina('nfe', { verificacao: 'Última Verificação: 23/11/2026 09:08:00' })), 2],
  ['is of no day', html(pagina('nfe', { verificacao: 'Última Verificação: 99/11/2026 09:08:00' })), 2],
  ['is too deep', html(`<html>${'<div>'.repeat(600)}</html>`), 2],
  ['turns us away', deny, 1],
] as const)
  test(`a page that ${what} gives no reading, and the other page its own`, async () => {
    const erro = '/portal/erro.aspx'
    both(
      (pedido, reply) => {
        if (!what.includes('erro') || pedido.caminho === erro) return answer(pedido, reply)
        reply.writeHead(302, { location: `${erro}?aspxerrorpath=/portal/disponibilidade.aspx` }).end()
      },
      html(pagina('cte')),
    )
    const docs = (await all()).map(({ leitura }) => leitura.autorizador.slice(0, 3))
    assert.deepEqual(docs, Array(6).fill('cte'))
    assert.equal(asked.filter((one) => one === NFE).length, tries)
    assert.equal(lines.length, 1)
    const { source, codigo } = Object(lines[0])
    assert.deepEqual(
      [source, codigo],
      ['BR/disponibilidade/nfe', what.includes('erro') ? 'erro.aspx' : undefined],
    )
  })

test('a page that fails once is asked for again', async () => {
  let times = 0
  const readings = await read('cte', (pedido, reply) =>
    times++ === 0 ? void reply.writeHead(500).end() : html(pagina('cte'))(pedido, reply),
  )
  assert.equal(readings.size, 6)
})
