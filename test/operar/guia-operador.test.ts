import assert from 'node:assert/strict'
import {
  appendFileSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { parseConfig } from '../../src/platform/config/config.ts'
import { settings } from '../../src/platform/config/settings.ts'
import { readCapitulos } from '../../src/site/guia-capitulos.ts'
import { root, run } from '../kit/deploy.ts'
import { fiscalHere, type Said } from '../kit/processes.ts'
import { sharedSimulator } from '../kit/simulator.ts'

const capitulos = readCapitulos().filter(({ parte }) => parte === 'Para quem opera')
const texto = capitulos.map((capitulo) => capitulo.texto).join('\n')

/** The words of each `fiscal …` that the chapters show, in blocks and in lines. */
const comandos = [
  ...texto.matchAll(/^(?:DATA_DIR=\S+ )?fiscal (.+)$/gm),
  ...texto.matchAll(/`fiscal ([^`]+)`/g),
].map(([, said = '']) => said.match(/'[^']*'|\S+/g) ?? [])

/** The files that a block writes with cat, each with its lines. */
const escritos = [...texto.matchAll(/^cat >>? (\S+) <<'?FIM'?\n(.*?)\nFIM$/gms)].map(
  ([, to = '', lines = '']) => ({
    to,
    lines: lines.split('\n'),
  }),
)

test('the guide of the operator goes from a first try to what to do when something fails', () => {
  assert.deepEqual(
    capitulos.map(({ slug }) => slug),
    ['operacao', 'operar-producao', 'operar-fontes', 'operar-dois-nos', 'operar-falhas'],
  )
})

test('every command that it shows exists, with its options', async () => {
  const helps = new Map<string, string>()
  const helpOf = async (words: readonly string[]): Promise<string> => {
    const asked = words.join(' ')
    const known = helps.get(asked)
    if (known !== undefined) return known
    const { code, stdout, stderr } = await fiscalHere({}, ...words, '--help')
    assert.equal(code, 0, `${asked}: ${stderr}`)
    helps.set(asked, stdout)
    return stdout
  }
  assert.ok(comandos.length > 50)
  for (const words of comandos) {
    const path: string[] = []
    for (const word of words) {
      const help = await helpOf(path)
      if (word.startsWith('-') || !new RegExp(`^ {2}${word}\\b`, 'm').test(help)) break
      path.push(word)
    }
    const help = await helpOf(path)
    const after = words[path.length] ?? '--'
    if (!after.startsWith('--')) assert.match(help, /^Uso: .*(?:<\w+>|\[\w+\.\.\.\])/, words.join(' '))
    for (const option of words.filter((word) => word.startsWith('--')))
      assert.ok(help.includes(option), `${words.join(' ')}: ${option}`)
  }
})

test('what it writes into the settings is taken, and every setting and file that it names exists', () => {
  const env: Record<string, string> = {}
  for (const { to, lines } of escritos)
    for (const line of to.startsWith('/etc/consulta-fiscal/') ? lines : []) {
      const [name = '', value = ''] = line.split(/=(.*)/)
      assert.ok(Object.hasOwn(settings, name), line)
      env[name] = value.replace('$(openssl rand -hex 32)', 'a'.repeat(64))
    }
  assert.ok(Object.keys(env).length > 8)
  parseConfig(env)
  for (const [, name = ''] of texto.matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`/g))
    assert.ok(Object.hasOwn(settings, name), name)
  for (const [, path = ''] of texto.matchAll(/\b((?:deploy|docs)\/[\w./*-]+\w)/g))
    assert.ok(globSync(path, { cwd: root }).length > 0, path)
  for (const [unit] of texto.matchAll(/\bconsulta-fiscal(?:-\w+)?\.(?:timer|service)\b/g))
    assert.ok(existsSync(join(root, 'deploy/systemd', unit)), unit)
})

test('each step says minutes and cost, and how to see that it is done', () => {
  for (const { slug, texto } of capitulos.filter(({ slug }) => slug !== 'operar-falhas')) {
    const secoes = texto.split(/^## /m).slice(1)
    const passos = secoes.filter((secao) =>
      / · (?:opcional|essencial|já vem ligado)/.test(secao.split('\n')[2] ?? ''),
    )
    assert.ok(passos.length >= (slug === 'operacao' ? 1 : 5), slug)
    for (const passo of passos) {
      const [titulo = ''] = passo.split('\n')
      assert.match(passo, /minutos?|O custo|Os minutos/, `${slug}: ${titulo}`)
      assert.match(passo, /custo|créditos|por consulta|disco|máquina/, `${slug}: ${titulo}`)
      assert.match(passo, /\*\*Pronto quando\*\*/, `${slug}: ${titulo}`)
    }
  }
})

test('the nine steps to production take as many minutes as the title and each step say', () => {
  const { titulo = '', texto = '' } = capitulos.find(({ slug }) => slug === 'operar-producao') ?? {}
  const linhas = [...texto.matchAll(/^\| \[(\d\. [^\]]+)\]\(#[^)]+\) \| (\d+) minuto/gm)]
  assert.equal(linhas.length, 9)
  for (const [, passo, minutos] of linhas)
    assert.match(texto, new RegExp(`^## ${passo}\n\n${minutos} minuto`, 'm'))
  const soma = linhas.reduce((sum, [, , minutos]) => sum + Number(minutos), 0)
  assert.equal(titulo, `${soma} minutos até produção`)
})

test('every message that it explains is one of the program', () => {
  const program = [...globSync('{src,bin}/**/*.{ts,js}', { cwd: root })]
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n')
  const falhas = capitulos.find(({ slug }) => slug === 'operar-falhas')?.texto ?? ''
  const sintomas = [...falhas.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, said = '']) => said),
  )
  assert.ok(sintomas.length > 25)
  for (const said of sintomas.filter((one) => !OF_OTHERS.test(one)))
    for (const part of said.split(/…|[":]+/)) assert.ok(program.includes(part.trim()), `${said}: ${part}`)
})

/** What systemd, OpenSSL and the resolver say. */
const OF_OTHERS = /^status=243|^"causa"/

const semRoot =
  process.getuid?.() !== 0 ||
  !['/usr/sbin/runuser', '/sbin/runuser', '/usr/bin/runuser'].some((one) => existsSync(one))

describe('the command that systemd machines have', { skip: semRoot && 'needs root and runuser' }, () => {
  /** The folder of settings that the chapter makes, and the command on it, as the user `nobody`. */
  function install(t: TestContext) {
    const pasta = mkdtempSync(join(tmpdir(), 'fiscal-de-systemd-'))
    t.after(() => rmSync(pasta, { recursive: true, force: true }))
    const ambiente = escritos.find(({ to }) => to === '/etc/consulta-fiscal/ambiente')?.lines ?? []
    writeFileSync(join(pasta, 'ambiente'), `${ambiente.join('\n')}\n`)
    writeFileSync(join(pasta, 'segredos.env'), `SERVER_SECRET='${'s'.repeat(40)} #$'\n`, { mode: 0o600 })
    const fiscal = async (DATA_DIR: string, ...args: string[]): Promise<Said> => {
      const env = {
        PATH: process.env.PATH,
        CONFIGURACAO: pasta,
        USUARIO: 'nobody',
        NODE: process.execPath,
        DATA_DIR,
      }
      const { stdout, stderr } = await run('sh', [join(root, 'deploy/systemd/fiscal.sh'), ...args], { env })
      return { code: 0, stdout: String(stdout), stderr: String(stderr) }
    }
    return { pasta, fiscal }
  }

  test('runs as the user of the service with its settings, and makes, copies and restores an account', async (t) => {
    const { pasta, fiscal } = install(t)
    const [dados, copias, ensaio] = ['dados', 'copias', 'ensaio'].map((name) => join(pasta, name))
    assert.ok(dados && copias && ensaio)
    await run('chmod', ['0755', pasta])
    await run('install', ['-d', '-o', 'nobody', '-m', '0700', dados, copias, ensaio])
    assert.match(
      (await fiscal(dados, 'config')).stdout,
      /AUTHORITIES=live\n[\s\S]*SERVER_SECRET=\(definido\)/,
    )
    const email = 'voce@exemplo.com.br'
    const made = await fiscal(
      dados,
      'contas',
      'criar',
      '--nome',
      'Escritório Exemplo',
      '--email',
      email,
      '--plano',
      'pro',
    )
    assert.match(made.stdout, /Chave de API: fk_/)
    assert.notEqual(statSync(join(dados, 'consulta-fiscal.db')).uid, 0)
    assert.match(
      (await fiscal(dados, 'contas', 'senha', email)).stdout,
      /https:\/\/fiscal\.exemplo\.com\.br\/nova-senha\//,
    )
    const copia = join(copias, 'primeira.db')
    assert.match((await fiscal(dados, 'backup', copia)).stdout, /Cópia conferida/)
    await fiscal(ensaio, 'restaurar', copia)
    assert.match((await fiscal(ensaio, 'contas', 'listar')).stdout, /voce@exemplo\.com\.br/)
  })

  test('reads the certificate that is of root alone, with which as many states can be asked as the guide says', async (t) => {
    const { pasta, fiscal } = install(t)
    const dados = join(pasta, 'dados')
    await run('chmod', ['0755', pasta])
    await run('install', ['-d', '-o', 'nobody', '-m', '0700', dados])
    const pfx = await fetch(`${await sharedSimulator()}/certificados/filial.pfx`)
    writeFileSync(join(pasta, 'a1.pfx'), Buffer.from(await pfx.arrayBuffer()), { mode: 0o600 })
    appendFileSync(join(pasta, 'segredos.env'), "A1_PASSWORD='senha-filial'\n")
    assert.match((await fiscal(dados, 'certificados', 'operador')).stdout, /Titular: .*\nValidade: /)
    const { fontes }: { fontes: Record<string, string>[] } = JSON.parse(
      (await fiscal(dados, 'fontes', '--json')).stdout,
    )
    const estados = fontes.filter(
      ({ uf, servico, situacao }) => uf !== 'BR' && servico === 'ie' && situacao === 'disponivel',
    )
    assert.match(
      texto,
      new RegExp(`\\b${new Set(estados.map(({ uf }) => uf)).size} estados podem ser perguntados sobre IE`),
    )
    assert.deepEqual(globSync('/run/fiscal-a1.*'), [], 'the copy is gone with the command')
  })
})
