import { test } from 'node:test'
import { linguas, ORDEM, writeAmostras } from '../../src/platform/pages/amostras.ts'
import { readCapitulos } from '../../src/site/guia-capitulos.ts'
import { readCurl } from '../../src/site/guia-worker.ts'
import { type ExemploDoGuia, exemplosEm, findCorredor, runAll, testExemplos } from '../kit/guide.ts'

testExemplos(() => true)

const FEITAS = ORDEM.flatMap((lingua) =>
  lingua === 'sh' || lingua === 'ts' || lingua === 'py' ? [] : lingua,
)

/** The limit of the runner is for one test; this is one for each chapter. */
const ALL_MS = 900_000

for (const lingua of FEITAS)
  test(`what the guide shows in ${linguas[lingua]}, made of its curl, is answered as that`, {
    timeout: ALL_MS,
  }, async (t) => {
    const corredor = await findCorredor(lingua)
    if (typeof corredor === 'string') return t.skip(corredor)
    const made = ({ codigos }: ExemploDoGuia): string | undefined => {
      const pedido = readCurl(codigos.get('sh') ?? '')
      return pedido && writeAmostras(pedido)[lingua]
    }
    for (const capitulo of readCapitulos())
      if (exemplosEm(capitulo.texto).some(made))
        await t.test(capitulo.slug, () => runAll(capitulo, lingua, made))
  })
