import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Capitulo, readCapitulos } from '../../src/site/guia-capitulos.ts'
import { isAsShown, isPrintedAsShown, isShownIn } from './as-shown.ts'
import { type ExemploDoGuia, exemplosEm, porMesa, temComando } from './guia.ts'
import { start } from './harness.ts'
import { feita } from './sefaz.ts'

/** What the blocks of a language run in, and what they use besides. */
const nomes: Readonly<Record<string, string>> = { sh: 'curl', ts: 'TypeScript', py: 'Python' }
const comandos: Readonly<Record<string, RegExp>> = { curl: /\bcurl /, jq: /\bjq /, python3: /^import /m }

/** Declares that the examples of these chapters run, by language. */
export function provarExemplos(isProved: (slug: string) => boolean): void {
  for (const [lingua, nome] of Object.entries(nomes))
    describe(`the examples in ${nome} run, and answer as shown`, { concurrency: false }, () => {
      for (const capitulo of readCapitulos().filter(({ slug }) => isProved(slug)))
        if (exemplosEm(capitulo.texto).some(({ codigos }) => codigos.has(lingua)))
          test(capitulo.slug, async (t) => {
            for (const comando of await faltamA(capitulo, lingua)) return t.skip(`there is no ${comando}`)
            await rodarTodos(capitulo, lingua)
          })
    })
}

/** The commands that the examples of a chapter use, and this machine does not have. */
async function faltamA({ texto }: Capitulo, lingua: string): Promise<string[]> {
  const faltam = []
  if (lingua === 'ts') return []
  for (const { codigos } of exemplosEm(texto))
    for (const [comando, uso] of Object.entries(comandos))
      if (uso.test(codigos.get(lingua) ?? '') && !(await temComando(comando))) faltam.push(comando)
  return faltam
}

/** As a reader has it: a service that has answered nothing yet, of today, since notes are. */
async function rodarTodos({ slug }: Capitulo, lingua: string): Promise<void> {
  const house = await start({}, () => new Date())
  const mesa = await porMesa(house)
  try {
    await house.rooms.sefaz.monitor.keep(feita(Date.now()))
    const { text } = await house.ask(`/docs/${slug}.md`, { key: null })
    for (const exemplo of exemplosEm(text)) {
      const codigo = exemplo.codigos.get(lingua)
      if (codigo !== undefined) assertShown(exemplo, lingua, await mesa.rodar(lingua, codigo))
    }
  } finally {
    mesa.limpar()
    await house.close()
  }
}

/** A program prints what the page says; curl the answer, in which the pieces are that the page shows. */
function assertShown({ json, http, text }: ExemploDoGuia, lingua: string, printed: string): void {
  const [answer, ...pieces] = json
  const shown = lingua === 'sh' ? (http ?? (answer === undefined ? text : undefined)) : text
  if (shown !== undefined) {
    assert.ok(isPrintedAsShown(shown, printed), printed)
    return
  }
  assert.ok(lingua === 'sh' && answer !== undefined, 'the page shows nothing of it')
  const real: unknown = JSON.parse(printed)
  assert.ok(isAsShown(answer, real), printed.slice(0, 3_000))
  for (const piece of pieces) assert.ok(isShownIn(piece, real), JSON.stringify(piece))
}
