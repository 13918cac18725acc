import { benches, type Goal } from './benches.ts'
import { type Figure, formatFigure } from './figures.ts'

/** What a bench told in its short runs, and why one of them told nothing. */
export type Ran = { figures: readonly Figure[]; failures: readonly string[] }

type Circumstances = { machine: string; day: string; commit: string; load: string }

/** Microseconds of the bare route on the cores of the targets (2026-11-24), and the middle of them. */
const [OF_THE_TARGETS, MIDDLE] = ['12 to 14', 13]

const [BEGIN, END] = ['<!-- tudo -->', '<!-- /tudo -->']

const targetOf = (goal: Goal): string =>
  'most' in goal ? `≤ ${formatFigure(goal.most)}` : `≥ ${formatFigure(goal.least)}`

function verdictOf(goal: Goal, value: number): string {
  const isMet = 'most' in goal ? value <= goal.most : value >= goal.least
  return isMet ? 'met' : '**missed**'
}

/** The columns of the table that no run changes: what, command, target. */
export function fixedColumns(): string[][] {
  return Object.entries(benches).flatMap(([name, { goals = [] }]) =>
    goals.map((goal) => [goal.what, `\`npm run bench -- ${name}\``, targetOf(goal)]),
  )
}

/** The table of all goals of the benches that ran, in Markdown, with the circumstances above it. */
export function tableOf(ran: Record<string, Ran>, { machine, day, commit, load }: Circumstances): string {
  const bare = ran.http?.figures.find(({ name }) => name === 'bare: CPU')
  const told = ({ name, value, unit }: Figure): string => {
    const reckoned = bare && /CPU/.test(name) ? ` (${formatFigure((value * MIDDLE) / bare.value)})` : ''
    return `${formatFigure(value)} ${unit}`.trimEnd() + reckoned
  }
  const rows = Object.entries(ran).flatMap(([name, { figures }]) =>
    (benches[name]?.goals ?? []).map((goal) => {
      const figure = figures.find((one) => one.name === goal.figure)
      const cells = figure ? [told(figure), verdictOf(goal, figure.value)] : ['', 'not told']
      return `| ${[goal.what, `\`npm run bench -- ${name}\``, targetOf(goal), ...cells].join(' | ')} |`
    }),
  )
  const speed = bare
    ? `; bare Fastify ${formatFigure(bare.value)} ${bare.unit}, ${OF_THE_TARGETS} where the targets were set. In brackets: the CPU where it takes ${MIDDLE}`
    : ''
  const failures = Object.values(ran).flatMap((one) => one.failures)
  return [
    `${day}, commit ${commit}, ${machine}; load ${load}${speed}. \`npm run bench -- tudo\` writes this.`,
    '',
    '| What | Command | Target | This run | |',
    '|---|---|---|---|---|',
    ...rows,
    ...failures.map((failure) => `\n${failure}.`),
  ].join('\n')
}

/** A page with the table in the place of the one that it has. */
export function placeTable(page: string, table: string): string {
  const [before = '', rest = ''] = page.split(BEGIN)
  const [, after] = rest.split(END)
  if (after === undefined) throw new Error(`the page has no ${BEGIN} … ${END}`)
  return `${before}${BEGIN}\n${table}\n${END}${after}`
}
