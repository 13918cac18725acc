import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { XmlDocument } from 'libxml2-wasm'
import { pacotesDoDia, readPacotes } from '../../src/rejeicoes/esquema/calendario.ts'
import { compilePacote, type Pacote } from '../../src/rejeicoes/esquema/pacote.ts'
import { comAssinatura } from '../kit/rejeicoes-notas.ts'
import { type Uso, usosDo010d, usosDo010e, usosDo010f } from '../kit/rejeicoes-usos-dos-esquemas.ts'

/** By its day in production, for notes and for notes with a protocol. */
const pacoteDo = (dia: string, raiz?: string): Pacote => {
  const [{ fonte }] = pacotesDoDia({ dia, ambiente: '1' }, [])
  const pacote = compilePacote(fonte, raiz)
  after(pacote.dispose)
  return pacote
}

/** What is wrong with a note; empty if nothing is. */
function problemaDe({ xml }: Uso, { validador }: Pacote): string {
  const documento = XmlDocument.fromString(xml.startsWith('<nfeProc') ? xml : comAssinatura(xml))
  try {
    validador.validate(documento)
    return ''
  } catch (error) {
    return String(error)
  } finally {
    documento.dispose()
  }
}

const comparacoes = [
  { de: '2026-06-30', para: '2026-07-20', nome: 'PL_010d_v1.02', usos: usosDo010d },
  { de: '2026-07-20', para: '2026-10-20', nome: 'PL_010e_v1.02', usos: usosDo010e },
  { de: '2026-10-20', para: '2026-11-20', nome: 'PL_010f_v1.04', usos: usosDo010f },
]

for (const { de, para, nome, usos } of comparacoes) {
  test(`each change of ${nome} is taken by it and refused by the package before it`, () => {
    const mudancas = readPacotes().pacotes.find((pacote) => pacote.nome === nome)?.mudancas ?? []
    assert.deepEqual(
      usos.flatMap(({ caminhos }) => caminhos).sort(),
      mudancas.flatMap(({ caminhos }) => caminhos).sort(),
    )
    const [antes, depois] = [[pacoteDo(de)], [pacoteDo(para)]]
    assert.equal(depois[0]?.nome, nome)
    if (nome === 'PL_010e_v1.02')
      for (const [lista, dia] of [[antes, de] as const, [depois, para] as const])
        lista.push(pacoteDo(dia, 'procNFe_v4.00.xsd'))
    for (const uso of usos) {
      const qual = uso.xml.startsWith('<nfeProc') ? 1 : 0
      const [velho, novo] = [antes[qual], depois[qual]]
      assert.ok(velho && novo)
      assert.equal(problemaDe(uso, novo), '', uso.caminhos.join())
      assert.notEqual(problemaDe(uso, velho), '', uso.caminhos.join())
    }
  })
}

test('a package is chosen by day and environment, and two in the days of which the sources differ', () => {
  const nomes = (dia: string, ambiente: '1' | '2' = '1'): string =>
    pacotesDoDia({ dia, ambiente }, [])
      .map(({ nome, desde }) => `${nome.slice(0, 7)} ${desde}`)
      .join(' + ')
  const producao = {
    '2024-01-01': 'PL_010b 2025-11-10',
    '2026-06-30': 'PL_010b 2025-11-10',
    '2026-07-01': 'PL_010d 2026-07-06 + PL_010b 2025-11-10',
    '2026-07-05': 'PL_010d 2026-07-06 + PL_010b 2025-11-10',
    '2026-07-06': 'PL_010d 2026-07-06',
    '2026-08-02': 'PL_010d 2026-07-06',
    '2026-08-03': 'PL_010e 2026-08-03',
    '2026-11-02': 'PL_010e 2026-08-03',
    '2026-11-03': 'PL_010f 2026-11-16 + PL_010e 2026-08-03',
    '2026-11-15': 'PL_010f 2026-11-16 + PL_010e 2026-08-03',
    '2026-11-16': 'PL_010f 2026-11-16',
    '2031-01-01': 'PL_010f 2026-11-16',
  }
  for (const [dia, esperado] of Object.entries(producao)) assert.equal(nomes(dia), esperado, dia)
  const homologacao = {
    '2026-06-14': 'PL_010b 2025-10-29',
    '2026-06-15': 'PL_010d 2026-06-15',
    '2026-07-01': 'PL_010e 2026-07-01',
    '2026-08-31': 'PL_010e 2026-07-01',
    '2026-09-01': 'PL_010f 2026-09-01',
  }
  for (const [dia, esperado] of Object.entries(homologacao)) assert.equal(nomes(dia, '2'), esperado, dia)
})
