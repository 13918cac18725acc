import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LeituraSefaz } from '../../src/sefaz/rules.ts'
import { advance, type Incidente } from '../../src/sefaz/rules-rodada.ts'

const RODADA_MS = 2 * 60_000

/** `.` is a good reading, `x` a failure, a space no reading; each is a round. */
type Curso = Readonly<Record<string, string>>

const leitura = (autorizador: string, em: number, failed: boolean): LeituraSefaz => ({
  autorizador,
  em,
  resultado: failed ? 'erro' : 'resposta',
  conexaoMs: null,
  tlsMs: null,
  respostaMs: 300,
  cStat: failed ? 109 : 107,
  motivo: failed ? `parado desde ${em}` : '',
  desmentida: null,
})

/** Goes through all rounds. Gives the incidents, the oldest first. */
function percorrer(curso: Curso): Incidente[] {
  const known = new Map<string, Incidente>()
  const recentes = new Map<string, LeituraSefaz[]>()
  let ids = 0
  const newId = (): string => `incidente ${++ids}`
  const rounds = Math.max(...Object.values(curso).map((row) => row.length))
  for (let round = 0; round < rounds; round++) {
    const em = round * RODADA_MS
    for (const [autorizador, row] of Object.entries(curso)) {
      const sign = row[round] ?? ' '
      if (sign === ' ') continue
      recentes.set(autorizador, [
        leitura(autorizador, em, sign === 'x'),
        ...(recentes.get(autorizador) ?? []),
      ])
    }
    const calados = new Set<string>()
    for (const one of advance(recentes, [...known.values()].reverse(), { em, calados, newId }))
      known.set(one.id, one)
  }
  return [...known.values()]
}

/** Each incident as `casa from-to: authorizer from-to, …`, in rounds; an open end is left out. */
const inWords = (incidentes: Incidente[]): string[] => {
  const from = ({ inicio, fim }: { inicio: number; fim: number | null }) =>
    `${inicio / RODADA_MS}-${fim === null ? '' : fim / RODADA_MS}`
  return incidentes.map((one) => {
    const quedas = one.quedas.map((queda) => `${queda.autorizador} ${from(queda)}`)
    return `${one.casa} ${from(one)}: ${quedas.join(', ')}`
  })
}

const DUAS_HORAS = '.'.repeat(60)
const TRES_HORAS = '.'.repeat(90)

const linhas: [nome: string, curso: Curso, esperado: string[]][] = [
  ['one failure is no fall', { 'nfe-sp': '..x..x..' }, []],
  ['two failures in a row are no fall', { 'nfe-sp': '..xx..xx..' }, []],
  ['three in a row are one, from the first of them on', { 'nfe-sp': '..xxx' }, ['SP 2-: nfe-sp 2-']],
  ['a fall goes on over one or two good rounds', { 'nfe-sp': '.xxx..x.x' }, ['SP 1-: nfe-sp 1-']],
  ['three good rounds end it, from the first of them on', { 'nfe-sp': '.xxxx...' }, ['SP 1-5: nfe-sp 1-5']],
  ['a round without a reading neither begins nor ends', { 'nfe-sp': '.xx  x' }, ['SP 1-: nfe-sp 1-']],
  [
    'what falls together at one data centre is one incident, with its documents',
    { 'nfe-svrs': '.xxxxx...', 'nfce-svrs': '..xxxxxxx', 'cte-svrs': '..xxxx...', 'nfe-rs': '.........' },
    ['RS 1-: nfe-svrs 1-6, nfce-svrs 2-, cte-svrs 2-6'],
  ],
  [
    'it ends when the last of them is back',
    { 'nfe-svrs': '.xxxxx......', 'nfce-svrs': '..xxxxxxx...' },
    ['RS 1-9: nfe-svrs 1-6, nfce-svrs 2-9'],
  ],
  [
    'what falls at two data centres is two',
    { 'nfe-sp': '.xxx', 'nfe-mg': '.xxx' },
    ['MG 1-: nfe-mg 1-', 'SP 1-: nfe-sp 1-'],
  ],
  ['SVSP is of SEFAZ SP', { 'nfe-sp': '.xxx', 'cte-svsp': '.xxx' }, ['SP 1-: nfe-sp 1-, cte-svsp 1-']],
  [
    'what falls again within three hours is the same incident, reopened',
    { 'nfe-sp': `.xxx...${DUAS_HORAS}xxx` },
    ['SP 1-: nfe-sp 1-4, nfe-sp 67-'],
  ],
  [
    'another authorizer of the data centre reopens it too',
    { 'nfe-sp': `.xxx...${DUAS_HORAS}...`, 'nfce-sp': `.......${DUAS_HORAS}xxx` },
    ['SP 1-: nfe-sp 1-4, nfce-sp 67-'],
  ],
  [
    'within three hours is when it fell, not when three rounds had proven it',
    { 'nfe-sp': `.xxx${TRES_HORAS}xxx` },
    ['SP 1-: nfe-sp 1-4, nfe-sp 94-'],
  ],
  [
    'one round later it is another incident',
    { 'nfe-sp': `.xxx.${TRES_HORAS}xxx` },
    ['SP 1-4: nfe-sp 1-4', 'SP 95-: nfe-sp 95-'],
  ],
  [
    'what falls later is another incident',
    { 'nfe-sp': `.xxx...${TRES_HORAS}xxx` },
    ['SP 1-4: nfe-sp 1-4', 'SP 97-: nfe-sp 97-'],
  ],
]

for (const [nome, curso, esperado] of linhas)
  test(nome, () => assert.deepEqual(inWords(percorrer(curso)), esperado))

test('a fall has the code and the words of its last failure', () => {
  const [incidente] = percorrer({ 'nfe-sp': '.xxxx.' })
  assert.deepEqual(incidente?.quedas, [
    {
      autorizador: 'nfe-sp',
      inicio: RODADA_MS,
      fim: null,
      cStat: 109,
      motivo: `parado desde ${4 * RODADA_MS}`,
    },
  ])
})
