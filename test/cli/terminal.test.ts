import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { writeDocumentos } from '../../simulator/roteiro/roteiro.ts'
import { ufs } from '../../src/documento/uf.ts'
import { type House, start } from '../kit/house.ts'
import { fiscalHere, root, type Said } from '../kit/processes.ts'
import { sharedSimulator } from '../kit/simulator.ts'

const pasta = mkdtempSync(join(tmpdir(), 'consulta-fiscal-terminal-'))
after(() => rmSync(pasta, { recursive: true, force: true }))

let house: House
before(async () => {
  house = await start({}, () => new Date())
})
after(() => house.close())

type At = { columns?: number; env?: Record<string, string> }

const fiscal = (args: string[], { columns, env }: At = {}): Promise<Said> =>
  fiscalHere(
    {
      env: { DATA_DIR: pasta, FISCAL_ENDERECO: house.address, FISCAL_CHAVE: String(house.apiKey), ...env },
      cwd: pasta,
      ...(columns !== undefined && { columns }),
    },
    ...args,
  )

const ESC = '\x1b'
/** The states with a web service answer about it, and the others fail. */
const EM_TODAS = ['consultar', 'ie', '--todas', '98.765.052/0001-53']

test('all states: the hits, then who failed and how to ask again, then who cannot be asked, then the rest', async () => {
  const { code, stdout } = await fiscal(EM_TODAS)
  assert.equal(code, 0)
  const places = [
    /^15 inscrições, todas ativas \(12 falharam\) · 15 créditos\n/,
    /\nUF +Inscrição +Situação /,
    /\nFalharam \(\d+\), sem custo\n/,
    /\nPerguntar de novo só a estes, um por vez: [A-Z, ]+\n {2}fiscal consultar ie --uf [A-Z]{2} 98\.765\.052\/0001-53\n/,
  ].map((place) => stdout.search(place))
  assert.ok(!places.includes(-1), `${places}\n${stdout}`)
  assert.deepEqual(
    places.toSorted((one, other) => one - other),
    places,
  )
  const found = await fiscal(['consultar', 'ie', '--todas', '99034721000180'])
  assert.match(
    found.stdout,
    /\nRS 096\/692278-6 · Ativa\n[\s\S]*\nNão consultáveis \(2\), sem custo\nDF {2}[^\n]*\nPA {2}[^\n]*\n\nSem inscrição \(24\): AC, AL, /,
  )
  assert.match(
    found.stdout,
    /^1 inscrição: RS 096\/692278-6, ativa · 25 créditos\n[\s\S]*\n24 sem inscrição · 2 não consultáveis\n/,
  )
  const again = await fiscal(['consultar', 'ie', '--todas', '99034721000180'])
  assert.match(
    again.stdout,
    /^[^\n]* · guardada (?:agora|há \d+ s)\n[\s\S]*\nRespondeu +25 secretarias, [^\n]*\n[\s\S]*\nSEFAZ-RS, [^\n]* \(reaproveitada\)\n/,
  )
})

/** What has no space in it is left whole: an address, a hash, the path of a file. */
const fits = (text: string, columns: number): void => {
  for (const line of stripVTControlCharacters(text).split('\n'))
    assert.ok(line.length <= columns || !line.trim().includes(' '), `${line.length} of ${columns}: ${line}`)
}

const DE_TODAS = ['consultar', 'ie', '--todas', '99034721000180']

test('an answer is as wide as the terminal, and in a pipe no line of it is broken', async () => {
  const piped = await fiscal(DE_TODAS)
  assert.match(piped.stdout, /\nDF {2}A SEFAZ-DF [^\n]{40,}\(https:[^\n]+\)\.\n/)
  for (const columns of [120, 80, 40]) {
    for (const args of [DE_TODAS, ['consultar', 'sigef', '16316645228'], ['consultar', '--help'], []]) {
      fits((await fiscal(args, { columns })).stdout, columns)
    }
  }
  const failed = stripVTControlCharacters((await fiscal(EM_TODAS, { columns: 80 })).stdout)
  assert.match(failed, /\n {2}fiscal consultar ie --uf [A-Z]{2} /)
  assert.doesNotMatch(failed, /\(0\)|\n\n\n/)
  const asked = await fiscal(['consultar', '--help'], { columns: 120, env: { COLUMNS: '50' } })
  for (const line of stripVTControlCharacters(asked.stdout).split('\n')) assert.ok(line.length <= 50, line)
})

test('every list is as wide as the terminal, and an address in it stays whole', async () => {
  const email = 'lista@exemplo.com.br'
  const conta = ['--nome', 'Escritório Contábil de Exemplo', '--email', email, '--plano', 'starter']
  const env = { DATA_DIR: house.pasta }
  await fiscal(['contas', 'criar', ...conta], { env })
  const autoridade = join(pasta, 'autoridade.pem')
  writeFileSync(autoridade, await (await fetch(`${await sharedSimulator()}/ca.pem`)).text())
  await fiscal(['certificados', 'cadeia', autoridade], { env })
  for (const args of [
    ['certificados', 'cadeia'],
    ['cnpj', 'versoes'],
    ['config'],
    ['contas', 'acessos', email],
    ['contas', 'extrato', email],
    ['contas', 'listar'],
    ['contas', 'mostrar', email],
    ['esquemas'],
    ['fontes'],
    ['fontes', 'SP'],
    ['rejeicao', '610'],
    ['sefaz'],
    ['sigef', 'sessao', 'mostrar'],
    ['tabelas'],
    ['trabalhos', 'listar'],
  ])
    for (const columns of [60, 80]) {
      const { code, stdout, stderr } = await fiscal(args, { columns, env })
      assert.deepEqual([code, stderr], [0, ''], args.join(' '))
      assert.notEqual(stdout, '', args.join(' '))
      fits(stdout, columns)
    }
  const { stdout } = await fiscal(['rejeicao', '610'], { columns: 60 })
  assert.match(stdout, /^(?:Página: )?http:\S+difere-do-somatorio-\S+$/m)
  const official = await fiscal(['esquemas'], { columns: 60, env })
  assert.match(official.stdout, /^https:\/\/\S+$/m)
  fits(writeDocumentos('texto', new Date(), 60), 60)
})

test('where a table does not fit each row is a list, and no id is broken', async () => {
  const { stdout } = await fiscal(EM_TODAS, { columns: 40 })
  const plain = stripVTControlCharacters(stdout)
  assert.match(plain, /\n\nUF +RS\nInscrição +\d{3}\/\d{6}-\d\nSituação +Ativa\nMunicípio +[A-Z ]+ \(RS\)\n/)
  const parcelas = stripVTControlCharacters(
    (await fiscal(['consultar', 'sigef', '16316645228'], { columns: 70 })).stdout,
  )
  assert.match(parcelas, /\nCódigo no SIGEF +[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\n/)
})

test('there is colour at a terminal alone, unless somebody says otherwise', async () => {
  const cnpj = ['consultar', 'cnpj', '00000000000191']
  const rows: [At, boolean][] = [
    [{}, false],
    [{ columns: 80 }, true],
    [{ columns: 80, env: { NO_COLOR: '1' } }, false],
    [{ columns: 80, env: { NO_COLOR: '' } }, true],
    [{ columns: 80, env: { TERM: 'dumb' } }, false],
    [{ env: { FORCE_COLOR: '1' } }, true],
    [{ columns: 80, env: { FORCE_COLOR: '0' } }, false],
    [{ columns: 80, env: { FORCE_COLOR: '1', NO_COLOR: '1' } }, false],
  ]
  for (const [at, isColoured] of rows)
    for (const args of [cnpj, ['--help']]) {
      const { stdout } = await fiscal(args, at)
      assert.equal(stdout.includes(ESC), isColoured, JSON.stringify([args, at, stdout.slice(0, 80)]))
    }
})

test('a terminal is told how far all states are, and a pipe or a dumb terminal is not', async () => {
  const { stderr } = await fiscal(DE_TODAS, { columns: 80 })
  assert.match(
    stripVTControlCharacters(stderr),
    /^\r0 de 27 estados\r1 de 27 estados: [A-Z]{2}\r[\s\S]*\r27 de 27 estados: /,
  )
  assert.doesNotMatch((await fiscal(DE_TODAS)).stderr, /\r/)
  assert.doesNotMatch((await fiscal(DE_TODAS, { columns: 80, env: { TERM: 'dumb' } })).stderr, /\r/)
})

test('the version is told, and what each exit code means', async () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  assert.deepEqual(await fiscal(['--version']), { code: 0, stdout: `${version}\n`, stderr: '' })
  assert.match(
    (await fiscal(['--help'])).stdout,
    /Termina com:\n {2}0 {2}feito\n {2}1 {2}não deu certo[\s\S]* {2}130 /,
  )
})

test('what a program reads is JSON: settings without their secrets, a rejection, a question', async () => {
  const at = { columns: 40 }
  const config = await fiscal(['config', '--json'], at)
  const { FISCAL_CHAVE, AUTHORITIES, A1_FILE } = JSON.parse(config.stdout)
  assert.deepEqual([FISCAL_CHAVE, AUTHORITIES, A1_FILE], ['(definido)', 'simulator', null])
  assert.equal(JSON.parse((await fiscal(['rejeicao', '539', '--json'], at)).stdout).codigo, 539)
  const { results } = JSON.parse((await fiscal([...DE_TODAS, '--json'], at)).stdout)
  assert.equal(results.length, ufs.length)
  const page = await fiscal(['rejeicao', '539'])
  assert.ok(page.stdout.includes(`\nPágina: ${house.address}/blog/rejeicoes/`), page.stdout)
})

/** What a shell offers at the end of a line. */
const asks: Record<string, (script: string, line: string) => string> = {
  bash: (script, line) =>
    `source ${script}; COMP_WORDS=(${line.replace(/ $/, " ''")}); COMP_CWORD=$((\${#COMP_WORDS[@]}-1)); _fiscal; printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: (script, line) =>
    `compdef() { :; }; compadd() { [ "$1" = -- ] && shift; print -l -- "$@"; }; _describe() { print -l -- "\${(@P)2%%:*}"; }; _files() { print -l -- *; }; source ${script}; words=(${line.replace(/ $/, " ''")}); CURRENT=\${#words}; _fiscal`,
  fish: (script, line) => `source ${script}; complete -C '${line}' | string replace -r '\\\\t.*' ''; true`,
}

for (const [shell, ask] of Object.entries(asks)) {
  const program = ['/usr/bin', '/bin', '/usr/local/bin'].map((at) => join(at, shell)).find(existsSync)
  test(`${shell} completes commands, options, states and files`, { skip: !program }, async () => {
    const script = join(pasta, `fiscal.${shell}`)
    const { code, stdout } = await fiscal(['completion', shell])
    assert.equal(code, 0)
    writeFileSync(script, stdout)
    writeFileSync(join(pasta, 'nota.xml'), '')
    const offered = (line: string): string[] =>
      execFileSync(String(program), ['-c', ask(script, line)], { cwd: pasta, encoding: 'utf8' })
        .trim()
        .split('\n')
    const isIn = (line: string, ...words: string[]): void => {
      const all = offered(line)
      for (const word of words) assert.ok(all.includes(word), `${line}: ${all}`)
    }
    isIn('fiscal ', 'consultar', 'contas', 'completion')
    isIn('fiscal consultar ', 'ie', 'cnd', 'nfe-xml')
    isIn('fiscal consultar cnd --', '--uf', '--todas', '--pdf')
    isIn('fiscal consultar ie --uf ', ...ufs)
    isIn('fiscal diagnosticar ', 'nota.xml')
    assert.ok(!offered('fiscal consultar ').includes('listar'))
  })
}
