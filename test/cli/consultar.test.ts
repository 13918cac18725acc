import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type House, start } from '../kit/house.ts'
import { type NfeHouse, startNfe } from '../kit/nfe.ts'
import { fiscal as fiscalAlone, fiscalHere, type Said } from '../kit/processes.ts'

const pasta = mkdtempSync(join(tmpdir(), 'consulta-fiscal-cli-'))
after(() => rmSync(pasta, { recursive: true, force: true }))

/** Runs `fiscal consultar` as a user does, in a folder of his own. */
const fiscal = (args: string[], env: Record<string, string>): Promise<Said> =>
  fiscalHere({ env: { DATA_DIR: pasta, ...env }, cwd: pasta }, 'consultar', ...args)

describe('the lookups', () => {
  let house: House
  let env: Record<string, string>
  before(async () => {
    // By the clock of the connector to CNIR, which refuses what was signed at another time.
    house = await start({}, () => new Date())
    env = { FISCAL_ENDERECO: house.address, FISCAL_CHAVE: String(house.apiKey) }
  })
  after(() => house.close())

  test('a lookup shows a table, what it cost, and whole answers as JSON', async () => {
    const { code, stdout, stderr } = await fiscal(['cnpj', '00000000000191'], env)
    assert.equal(code, 0, stderr)
    assert.match(
      stdout,
      /^Empresa ativa · 1 crédito\n[^\n]* · BANCO DO BRASIL SA\n[^\n]+\n\nCNPJ da matriz +00\.000\.000\/0001-91\n/,
    )
    assert.match(stdout, /Capital +R\$\s120\.000\.000\.000,00/)
    assert.match(stdout, /6422-1\/00 +Bancos múltiplos, [^\n]+ Principal\n/)
    assert.match(stderr, /^1 crédito; restam [\d.]+; requisição [\da-f-]{36}\.$/m)
    const asJson = await fiscal(['cnpj', '00000000000191', '--json'], env)
    assert.equal(JSON.parse(asJson.stdout).result.razao_social, 'BANCO DO BRASIL SA')
  })

  test('the program itself shows an answer, and ends with 0, or with 2 where a failure may pass', async () => {
    const settings = { DATA_DIR: pasta, ...env }
    const found = await fiscalAlone(settings, 'consultar', 'cnpj', '00000000000191')
    assert.equal(found.code, 0, found.stderr)
    assert.match(found.stdout, /^Empresa ativa · 1 crédito\n[^\n]* · BANCO DO BRASIL SA\n/)
    assert.match(found.stderr, /^1 crédito; restam [\d.]+; requisição [\da-f-]{36}\.$/m)
    const down = await fiscalAlone(settings, 'consultar', 'ie', '--uf', 'AP', '--cnpj', '98765005000100')
    assert.equal(down.code, 2)
    assert.match(down.stderr, /^SITE_INDISPONIVEL: [\s\S]*Tente de novo em 60 s\./)
  })

  test('each lookup shows what the API answers', async () => {
    const cnpj = ['--cnpj', '99001002000162']
    const shown: [string[], RegExp][] = [
      [
        ['ie', '--uf', 'sp', ...cnpj],
        /^Inscrição ativa · 1 crédito[\s\S]*\nA inscrição [\d.]+ está em vigor/,
      ],
      [['ie', '--todas', ...cnpj], /^1 inscrição: SP [\d.]+, ativa · [\s\S]*\nSP [\d.]+ · Ativa\n/],
      // Six months from today: 181 to 184 days.
      [
        ['cnd', '--todas', ...cnpj],
        /^2 negativas [\s\S]*\nSP · Negativa\n[\s\S]*Válida até (\d{2}\/){2}20\d{2} \(faltam 18[1-4] dias\)/,
      ],
      [
        ['cnir', '--cpf', '74677237417'],
        /^2 imóveis, [\d.,]+ ha · 1 crédito\n[^\n]*FERNANDA OLIVEIRA\n[\s\S]*GIRAU DO PONCIANO · AL · 160,0049 ha/,
      ],
      [
        ['sigef', '--cpf', '16316645228'],
        /FAZENDA PRINCESA FILARERIO · Certificada\nAMATURA · AM · 287,9259 ha\nCertificada em +22\/05\/2017/,
      ],
      [
        ['perfil', ...cnpj],
        /\nNa Receita Federal +Empresa [\s\S]*\nInscrições estaduais +[\s\S]*\nCertidões estaduais +/,
      ],
    ]
    for (const [args, expected] of shown) {
      const { code, stdout, stderr } = await fiscal(args, env)
      assert.equal(code, 0, `${args.join(' ')}: ${stderr}`)
      assert.match(stdout, expected, args.join(' '))
      // The line of progress is for a terminal alone.
      assert.doesNotMatch(stderr, /\r/)
    }
  })

  test('the PDF of a certificate goes to a file that its owner alone may read', async () => {
    for (const [name, args] of [
      ['estado.pdf', ['cnd', '--uf', 'SP', '--cnpj', '99001002000162']],
      ['federal.pdf', ['cnd-federal', '--cnpj', '98764010000106', '--esperar']],
    ] as const) {
      const arquivo = join(pasta, name)
      const { code, stdout, stderr } = await fiscal([...args, '--pdf', arquivo], env)
      assert.equal(code, 0, stderr)
      assert.match(
        stdout,
        /^Negativa · válida até (\d{2}\/){2}20\d{2} · 1 crédito( · guardada (agora|há \d+ s))?\n/,
      )
      assert.doesNotMatch(stdout, /JVBERi0/)
      assert.equal(readFileSync(arquivo).subarray(0, 5).toString(), '%PDF-')
      assert.equal(statSync(arquivo).mode & 0o777, 0o600)
    }
  })

  test('a failure says its code, what to do, and ends with 1, or with 2 where it may pass', async () => {
    const wrong = await fiscal(['cnpj', '11222333000181'], env)
    assert.equal(wrong.code, 1)
    assert.match(wrong.stderr, /^CNPJ_NAO_ENCONTRADO: /)
    assert.match(wrong.stderr, /Repetir igual não adianta\.\n[\s\S]*Requisição [\da-f-]{36}\./)
    assert.ok(wrong.stderr.includes(`${house.address}/erros#CNPJ_NAO_ENCONTRADO`))
    assert.equal(wrong.stdout, '')
    const asJson = await fiscal(['cnpj', '11222333000181', '--json'], env)
    const { error_code, retryable } = JSON.parse(asJson.stdout)
    assert.deepEqual([asJson.code, error_code, retryable], [1, 'CNPJ_NAO_ENCONTRADO', false])
    const noDocument = await fiscal(['cnpj', '00000000000192'], env)
    assert.equal(noDocument.code, 1)
    assert.match(noDocument.stderr, /^00000000000192 não é um CNPJ: o dígito verificador não confere/)
    const noKey = await fiscal(['cnpj', '00000000000191'], { FISCAL_ENDERECO: house.address })
    assert.equal(noKey.code, 1)
    assert.match(noKey.stderr, /Falta a chave de API: ponha-a em FISCAL_CHAVE/)
    const secret = 'fk_nobodysKey'
    const badKey = await fiscal(['cnpj', '00000000000191'], { ...env, FISCAL_CHAVE: secret })
    assert.equal(badKey.code, 1)
    assert.match(badKey.stderr, /^NAO_AUTENTICADO: [\s\S]*Confira FISCAL_CHAVE/)
    assert.ok(!badKey.stderr.includes(secret))
    const away = await fiscal(['cnpj', '00000000000191', '--endereco', 'http://127.0.0.1:9'], env)
    assert.equal(away.code, 2)
    assert.match(away.stderr, /^CONEXAO: [\s\S]*--endereco ou FISCAL_ENDERECO/)
    const down = await fiscal(['ie', '--uf', 'AP', '--cnpj', '98765005000100'], env)
    assert.equal(down.code, 2)
    assert.match(down.stderr, /^SITE_INDISPONIVEL: [\s\S]*Tente de novo em 60 s\./)
    const noState = await fiscal(['ie', '--cnpj', '99001002000162'], env)
    assert.match(noState.stderr, /Diga o estado com --uf/)
    const both = await fiscal(['ie', '--uf', 'SP', '--todas', '--cnpj', '99001002000162'], env)
    assert.match(both.stderr, /não vão juntas/)
  })

  test('every command that the guide shows is answered', async () => {
    const guia = readFileSync(join(import.meta.dirname, '../../docs/guia/cliente-typescript.md'), 'utf8')
    const shown = [...guia.matchAll(/^npm run -s fiscal -- consultar (.+)$/gm)].map(([, args = '']) => args)
    assert.ok(shown.length > 3)
    for (const args of shown) {
      const { code, stdout, stderr } = await fiscal(args.split(' '), env)
      assert.equal(code, 0, `${args}: ${stderr}`)
      assert.ok(stdout.length > 100, args)
    }
    assert.equal(readFileSync(join(pasta, 'certidao.pdf'), 'latin1').slice(0, 5), '%PDF-')
  })

  test('the help names every lookup and shows examples', async () => {
    const { stdout } = await fiscal(['--help'], {})
    for (const name of ['ie', 'cnd', 'cnd-federal', 'cnpj', 'cnir', 'sigef', 'perfil', 'nfe-xml'])
      assert.match(stdout, new RegExp(`^  ${name} `, 'm'))
    assert.match(stdout, /Exemplos:\n {2}fiscal consultar ie --uf RS/)
    assert.match(stdout, /termina com 0 se houve resposta, 1 se repetir não adianta e 2/)
  })
})

describe('the XML of a note', () => {
  let house: NfeHouse
  let env: Record<string, string>
  before(async () => {
    house = await startNfe()
    env = { FISCAL_ENDERECO: house.address, FISCAL_CHAVE: String(house.apiKey) }
  })
  after(() => house.close())

  test('it goes to a file, with a certificate that is read from one, and a password that nobody sees', async () => {
    const { certificado, senha } = await house.a1('nfe-transportador')
    const pfx = join(pasta, 'a1.pfx')
    writeFileSync(pfx, Buffer.from(certificado, 'base64'))
    const chave = house.chaveDe('transportador')
    const args = ['nfe-xml', chave, '--certificado', pfx]
    const asked = await fiscal(args, env)
    assert.equal(asked.code, 1)
    assert.match(asked.stderr, /Sem terminal para perguntar a senha: ponha-a em FISCAL_CERTIFICADO_SENHA/)
    const { code, stdout, stderr } = await fiscal(args, { ...env, FISCAL_CERTIFICADO_SENHA: senha })
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^Nota autorizada, XML completo · 3 créditos\n/)
    const xml = readFileSync(join(pasta, `${chave}.xml`), 'utf8')
    assert.match(xml, /<nfeProc /)
    assert.equal(statSync(join(pasta, `${chave}.xml`)).mode & 0o777, 0o600)
    assert.ok(!(stdout + stderr).includes(senha))
    const wrong = await fiscal(args, { ...env, FISCAL_CERTIFICADO_SENHA: 'outra' })
    assert.equal(wrong.code, 1)
    assert.match(wrong.stderr, /^CERTIFICADO_INVALIDO: /)
  })
})
