import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Command } from 'commander'
import { writeZip } from '../../simulator/dados-abertos/zip.ts'
import { addEsquemasCommands } from '../../src/rejeicoes/command-esquemas.ts'
import { diagnose } from '../../src/rejeicoes/diagnostico/diagnostico.ts'
import { ARQUIVOS } from '../../src/rejeicoes/esquema/pacote.ts'
import { CATALOGO, notaBase } from '../kit/rejeicoes.ts'

const now = () => new Date('2026-11-24T12:00:00-03:00')

/** The files of the package that comes with the service, to be changed. */
const oficiais = (): Map<string, Buffer> =>
  new Map(ARQUIVOS.map((arquivo) => [arquivo, readFileSync(`data/xsd/PL_010b_V1.30/${arquivo}`)]))

/** A folder for the data and the zips, and the command that works in it. */
function abrirPasta(t: TestContext) {
  const raiz = mkdtempSync(join(tmpdir(), 'esquemas-'))
  t.after(() => rmSync(raiz, { recursive: true, force: true }))
  const pasta = join(raiz, 'esquemas')
  const log = t.mock.method(console, 'log', () => {})
  return {
    pasta,
    zip: async (nome: string, arquivos: ReadonlyMap<string, Buffer>): Promise<string> => {
      const caminho = join(raiz, nome)
      await writeZip(
        caminho,
        [...arquivos].map(([membro, conteudo]) => ({ nome: membro, conteudo })),
      )
      return caminho
    },
    fiscal: async (...typed: string[]): Promise<string> => {
      log.mock.resetCalls()
      const program = new Command().exitOverride()
      addEsquemasCommands(program, { pasta, now })
      await program.parseAsync(['esquemas', ...typed], { from: 'user' })
      return log.mock.calls.map((call) => String([...call.arguments])).join('\n')
    },
  }
}

/** A note of a day of PL_010f with a field that PL_010b does not know. */
const comCampoNovo = notaBase('venda-interna')
  .replaceAll('2026-11-10T', '2026-11-20T')
  .replace('<procEmi>', '<cIndOp>100301</cIndOp><procEmi>')

test('without an installed package, fiscal esquemas tells those of the service, their days and digests', async (t) => {
  const { fiscal } = abrirPasta(t)
  const dito = await fiscal()
  assert.match(dito, /Produção, em 24\/11\/2026:\n {2}PL_010b_V1\.30 {2}desde 10\/11\/2025 {2}oficial\n/)
  assert.match(
    dito,
    /\* PL_010f_v1\.04 {2}desde 16\/11\/2026, talvez já desde 03\/11\/2026 {2}refeito por nós/,
  )
  assert.match(dito, /[0-9a-f]{64} {2}leiauteNFe_v4\.00\.xsd/)
  assert.match(dito, /Nenhum pacote foi instalado por você/)
  await assert.rejects(fiscal('remover', '010f'), /Nenhum pacote foi instalado: não há o que remover/)
  const { dia, producao } = JSON.parse(await fiscal('--json'))
  assert.equal(dia, '2026-11-24')
  assert.deepEqual(
    producao.map((um: { em_uso: boolean }) => um.em_uso),
    [false, false, false, true],
  )
})

test('an installed package goes before ours in a thread that already works, and removing it goes back', async (t) => {
  const { fiscal, pasta, zip } = abrirPasta(t)
  const esquemaAgora = async () => {
    const pedido = { xml: comCampoNovo, agora: now(), catalogo: CATALOGO, esquemas: pasta }
    const { pacote, origem, erros } = (await diagnose(pedido, { owner: 'teste' })).esquema
    return [pacote, origem, erros.map(({ caminho }) => caminho)]
  }
  const nosso = ['PL_010f_v1.04', 'reconstruido', []]
  assert.deepEqual(await esquemaAgora(), nosso)
  const dito = await fiscal('instalar', await zip('PL_010f_v1.05.zip', oficiais()))
  assert.match(dito, /PL_010f_v1\.05 instalado: compila/)
  assert.match(dito, /Não se conhecem os resumos oficiais/)
  assert.match(dito, /160abaa6c7c18e37b8f77a8b4bc1b24ec7ec0654ad27267ad5856d14bc6fb135 {2}leiauteNFe/)
  assert.deepEqual(await esquemaAgora(), ['PL_010f_v1.05', 'instalado', ['ide/cIndOp']])
  assert.match(await fiscal(), /\* PL_010f_v1\.05 {2}desde 16\/11\/2026.*oficial, instalado pelo operador\n/)
  assert.match(
    await fiscal('instalar', await zip('PL_010f_v1.06.zip', oficiais())),
    /Tomou o lugar do PL_010f_v1\.05/,
  )
  assert.match(await fiscal('remover', 'PL_010f_v1.06'), /PL_010f_v1\.06 removido/)
  assert.deepEqual(readdirSync(pasta), ['instalados.json'])
  assert.deepEqual(await esquemaAgora(), nosso)
})

test('a package of a new family is installed with the days that the operator tells', async (t) => {
  const { fiscal, zip } = abrirPasta(t)
  const novo = await zip('PL_010g_v1.00.zip', oficiais())
  await assert.rejects(fiscal('instalar', novo), /não sabe desde quando vale o PL_010g_v1\.00/)
  await fiscal('instalar', novo, '--producao', '2026-12-14', '--homologacao', '2026-11-20')
  const dito = await fiscal()
  assert.match(dito, / {2}PL_010g_v1\.00 {2}desde 14\/12\/2026/)
  assert.match(dito, /\* PL_010g_v1\.00 {2}desde 20\/11\/2026/)
})

test('an installed package whose files are damaged leaves the one of the service', async (t) => {
  const { fiscal, pasta, zip } = abrirPasta(t)
  await fiscal('instalar', await zip('PL_010f_v1.05.zip', oficiais()))
  const [instalada = ''] = readdirSync(pasta).filter((nome) => nome !== 'instalados.json')
  writeFileSync(join(pasta, instalada, 'leiauteNFe_v4.00.xsd'), '<estragado')
  const pedido = { xml: comCampoNovo, agora: now(), catalogo: CATALOGO, esquemas: pasta }
  const { esquema } = await diagnose(pedido, { owner: 'teste' })
  assert.deepEqual([esquema.pacote, esquema.origem], ['PL_010f_v1.04', 'reconstruido'])
  writeFileSync(join(pasta, 'instalados.json'), '{"pacotes":[{"nome":"../fora"}]}')
  assert.equal((await diagnose(pedido, { owner: 'teste' })).esquema.pacote, 'PL_010f_v1.04')
  await assert.rejects(fiscal(), /instalados\.json está danificado/)
})

test('a file that cannot be installed is refused with what to send, and nothing changes', async (t) => {
  const { fiscal, pasta, zip } = abrirPasta(t)
  await fiscal('instalar', await zip('PL_010f_v1.05.zip', oficiais()))
  const antes = readFileSync(join(pasta, 'instalados.json'), 'utf8')
  const com = (mudados: Record<string, Buffer | undefined>): Map<string, Buffer> => {
    const arquivos = oficiais()
    for (const [nome, conteudo] of Object.entries(mudados))
      if (conteudo) arquivos.set(nome, conteudo)
      else arquivos.delete(nome)
    return arquivos
  }
  const trocado = (nome: string, de: string | RegExp, para: string) =>
    com({ [nome]: Buffer.from(oficiais().get(nome)?.toString().replace(de, para) ?? '') })
  const texto = join(pasta, '..', 'PL_010f.zip')
  writeFileSync(texto, '<html>Página do portal</html>')
  const inteiro = readFileSync(await zip('PL_010f_v1.06.zip', oficiais()))
  const cortado = join(pasta, '..', 'PL_010f_v1.07.zip')
  writeFileSync(cortado, inteiro.subarray(0, inteiro.length / 2))
  const bomba = com({ 'leiauteNFe_v4.00.xsd': Buffer.alloc(64 * 1024 * 1024, ' ') })
  const muitos = new Map(Array.from({ length: 501 }, (_, i) => [`${i}.xsd`, Buffer.from('')] as const))
  const casos: [string | ReadonlyMap<string, Buffer>, RegExp][] = [
    [join(pasta, 'nada.zip'), /nada\.zip não existe: confira o caminho/],
    [texto, /não é um zip, ou está cortado: baixe de novo/],
    [cortado, /não é um zip, ou está cortado: baixe de novo/],
    [bomba, /leiauteNFe_v4\.00\.xsd passa de 2 MiB dentro do zip/],
    [muitos, /O zip tem 501 arquivos dentro/],
    [com({ 'nfe_v4.00.xsd': undefined }), /Falta no zip nfe_v4\.00\.xsd: baixe/],
    [new Map([['cte_v4.00.xsd', Buffer.from('<a/>')]]), /O zip é de esquemas de CT-e: baixe/],
    [com({ 'outra/nfe_v4.00.xsd': Buffer.from('<a/>') }), /tem nfe_v4\.00\.xsd duas vezes/],
    [
      com({ 'tiposBasico_v4.00.xsd': Buffer.from('<a>') }),
      /tiposBasico_v4\.00\.xsd não é um XML bem formado/,
    ],
    [com({ 'tiposBasico_v4.00.xsd': Buffer.from('<!DOCTYPE a><a/>') }), /define entidades/],
    [trocado('leiauteNFe_v4.00.xsd', 'type="TNFe"', 'type="TNada"'), /Os esquemas do zip não compilam/],
    [trocado('leiauteNFe_v4.00.xsd', /name="natOp"/, 'name="outro"'), /recusa uma nota boa de exemplo/],
    [
      trocado('leiauteNFe_v4.00.xsd', '<xs:element name="total">', '<xs:element name="total" minOccurs="0">'),
      /aceita uma nota sem totais/,
    ],
  ]
  for (const [qual, esperado] of casos) {
    const caminho = typeof qual === 'string' ? qual : await zip('PL_010f_v1.08.zip', qual)
    await assert.rejects(fiscal('instalar', caminho), esperado)
  }
  await assert.rejects(
    fiscal('instalar', await zip('PL_010f_v1.04.zip', oficiais())),
    /não são os do PL_010f_v1\.04 oficial: os resumos \(SHA-256\) diferem/,
  )
  await assert.rejects(fiscal('instalar', await zip('baixado.zip', oficiais())), /Diga com --nome/)
  assert.equal(readFileSync(join(pasta, 'instalados.json'), 'utf8'), antes)
  assert.equal(readdirSync(pasta).length, 2)
})
