import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openBusca, readAll, startServico } from '../kit/nfe-secrets.ts'
import { notaBase } from '../kit/rejeicoes.ts'
import { sharedSimulator } from '../kit/simulator.ts'

const API = '/api/v1/rejeicoes/diagnosticar'
const FORM = '/blog/rejeicoes/diagnosticar'

/** A text that only these notes have. */
const MARCA = 'Xq7 Segredo da Nota 4931'

const nota = notaBase('venda-interna').replace(/<natOp>[^<]*/, `<natOp>${MARCA}`)

/** The same text where a diagnosis finds a fault, cannot read on, or refuses the whole. */
const TEXTOS: readonly (readonly [what: string, xml: string, status: number])[] = [
  ['a good note', nota, 200],
  ['a value that the schema refuses', nota.replace(/<NCM>[^<]*/, `<NCM>${MARCA}`), 200],
  ['a value that a check quotes', nota.replace(/<CNPJ>[^<]*/, `<CNPJ>${MARCA}`), 200],
  ['XML that is not well formed', nota.replace('</emit>', `<${MARCA}`), 200],
  ['a DOCTYPE', `<!DOCTYPE ${MARCA}>${nota}`, 400],
  ['an XML that is no note', `<outra>${MARCA}</outra>`, 400],
  ['a text that is no XML', MARCA, 400],
  ['more than 1 MiB', `${nota}${' '.repeat(1_100_000)}`, 413],
]

test('nothing of a note is stored or logged, whatever becomes of its diagnosis', async (t) => {
  const pasta = await mkdtemp(join(tmpdir(), 'rastro-'))
  t.after(() => rm(pasta, { recursive: true, force: true }))
  const { send, written, program } = await startServico(
    { simulador: await sharedSimulator() },
    pasta,
    undefined,
  )
  t.after(() => program.child.kill('SIGKILL'))
  const answers: string[] = []
  for (const [what, xml, status] of TEXTOS) {
    for (const cadastros of [false, true]) {
      const answer = await send({ path: API, corpo: { xml, motivo: MARCA, cadastros } })
      assert.equal(Number(answer.slice(0, 3)), status, `${what}: ${answer.slice(0, 600)}`)
      answers.push(answer)
    }
    if (status === 413) continue
    const form = await send({
      path: FORM,
      corpo: new URLSearchParams({ xml, informado: MARCA }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
    })
    assert.equal(Number(form.slice(0, 3)), status, `${what}, by the form`)
    answers.push(form)
  }
  const notJson = await send({ path: API, corpo: `{"xml": "${MARCA}` })
  assert.match(notJson, /CORPO_INVALIDO/)
  const { find } = openBusca({ textos: { 'the text of the note': MARCA }, binarios: {} })
  const traces = async () => new Map([...(await readAll(pasta)), ['the log', written()]])
  const running = await traces()
  await program.stop()
  const stopped = await traces()
  for (const left of [running, stopped])
    for (const [place, content] of left) assert.equal(find(content), undefined, `in ${place}`)

  // There was something to find, in places that are read.
  assert.ok(answers.some((answer) => answer.includes(MARCA)))
  const log = String(stopped.get('the log'))
  for (const piece of [API, FORM, '"http":413', '"http":400']) assert.ok(log.includes(piece), piece)
  assert.ok(stopped.get('dados/consulta-fiscal.db')?.includes(API), 'the books tell of the calls')
  await writeFile(join(pasta, 'dados', 'rastro'), MARCA)
  const planted = [...(await traces())].filter(([, content]) => find(content)).map(([place]) => place)
  assert.deepEqual(planted, ['dados/rastro'])
})
