import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Command } from 'commander'
import { addTabelasCommands } from '../../src/rejeicoes/command-tabelas.ts'
import { diagnose } from '../../src/rejeicoes/diagnostico/diagnostico.ts'
import { CATALOGO, notaBase } from '../kit/rejeicoes.ts'

const now = () => new Date('2026-11-24T12:00:00-03:00')

/** A folder for the data and the files, and the command that works in it. */
function abrirPasta(t: TestContext) {
  const raiz = mkdtempSync(join(tmpdir(), 'tabelas-'))
  t.after(() => rmSync(raiz, { recursive: true, force: true }))
  const pasta = join(raiz, 'tabelas')
  const log = t.mock.method(console, 'log', () => {})
  return {
    pasta,
    arquivo: (nome: string, conteudo: string): string => {
      const caminho = join(raiz, nome)
      writeFileSync(caminho, conteudo)
      return caminho
    },
    fiscal: async (...typed: string[]): Promise<string> => {
      log.mock.resetCalls()
      const program = new Command().exitOverride()
      addTabelasCommands(program, { pasta, now })
      await program.parseAsync(['tabelas', ...typed], { from: 'user' })
      return log.mock.calls.map((call) => String([...call.arguments])).join('\n')
    },
    /** What the diagnosis of a note says of a check, and where it fails. */
    diagnostico: async (id: string, xml: string): Promise<string[]> => {
      const pedido = { xml, agora: now(), catalogo: CATALOGO, tabelas: pasta }
      const { verificacoes } = await diagnose(pedido, { owner: 'teste' })
      const achado = verificacoes.find((uma) => uma.id === id)
      return [achado?.resultado ?? '', ...(achado?.ocorrencias ?? []).map(({ mensagem }) => mensagem)]
    },
  }
}

/** Codes that every NCM has, those of our notes, and as many more as a whole table has. */
const CODIGOS = [
  ...['09012100', '10063021', '22030000', '61091000', '84713012', '87032100', '94036000'],
  ...['09011110', '62034200', '62052000'],
  ...Array.from({ length: 9_500 }, (_, i) => String(30_000_000 + i)),
]

const comPontos = (codigo: string): string => `${codigo.slice(0, 4)}.${codigo.slice(4, 6)}.${codigo.slice(6)}`

/** The form of the official file, whose headings have fewer digits. */
const oficial = (codigos: readonly string[], dia = '20/11/2026'): string =>
  JSON.stringify({
    Data_Ultima_Atualizacao_NCM: `Vigente em ${dia}`,
    Ato: 'Resolução',
    Nomenclaturas: [
      { Codigo: '01', Descricao: 'Animais vivos', Data_Inicio: '01/04/2022', Data_Fim: '31/12/9999' },
      ...codigos.map((codigo) => ({
        Codigo: comPontos(codigo),
        Data_Inicio: '01/04/2022',
        Data_Fim: codigo === '62052000' ? '31/10/2026' : '31/12/9999',
      })),
    ],
  })

const csv = (linhas: readonly string[]): string => ['codigo;inicio;fim;utrib', ...linhas].join('\r\n')

const venda = notaBase('venda-interna')

test('fiscal tabelas tells each table, its origin, its day and its size', async (t) => {
  const { fiscal } = abrirPasta(t)
  const dito = await fiscal()
  assert.match(
    dito,
    /cfop {2}CFOP: 619 códigos, de 04\/09\/2026; completa até 31\/12\/2026\n {2}Tabela de CFOP/,
  )
  assert.match(dito, /municipios {2}municípios do IBGE: 5\.571 códigos/)
  assert.match(dito, /ncm {2}não instalada: fiscal tabelas instalar ncm/)
  const { tabelas } = JSON.parse(await fiscal('--json'))
  assert.equal(tabelas.length, 8)
  assert.equal(tabelas[0].tabela, 'cclasstrib')
  assert.equal(tabelas[0].codigos, 173)
})

test('an installed NCM decides in a thread that already works, and removing it goes back', async (t) => {
  const { fiscal, arquivo, diagnostico, pasta } = abrirPasta(t)
  const existe = (xml = venda) => diagnostico('778-ncm-inexistente', xml)
  const [antes, porque] = await existe()
  assert.equal(antes, 'indeterminado')
  assert.match(porque ?? '', /O operador a instala com fiscal tabelas instalar ncm/)
  const dito = await fiscal('instalar', 'ncm', arquivo('Tabela_NCM_Vigente.json', oficial(CODIGOS)))
  assert.match(dito, /NCM instalada: 9\.510 códigos, de 20\/11\/2026/)
  assert.match(dito, /[0-9a-f]{64} {2}.*Tabela_NCM_Vigente\.json/)
  assert.match(dito, /Depois de 31\/12\/2026, um código que ela não tem fica indeterminado/)
  assert.match(
    await fiscal(),
    /ncm {2}NCM: 9\.510 códigos.*\n {2}Tabela NCM Vigente do Portal Único Siscomex/,
  )
  const emitidaEm = (dia: string, xml = venda) => xml.replaceAll('2026-11-10T', `${dia}T`)
  const deHoje = emitidaEm('2026-11-23')
  assert.deepEqual(await existe(deHoje), [
    'falha',
    'Item 1: na tabela de NCM, o código 62052000 só valeu até 31/10/2026.',
  ])
  const outra = (dia: string) => emitidaEm(dia, venda.replaceAll('62052000', '62059999'))
  assert.match(
    (await existe(outra('2026-11-23')))[1] ?? '',
    /62059999 não consta da tabela de NCM em 23\/11\/2026/,
  )
  assert.equal((await existe(outra('2026-11-19')))[0], 'indeterminado')
  const antiga = await existe(emitidaEm('2022-03-31'))
  assert.match(
    antiga[1] ?? '',
    /só traz o código 62052000 desde 01\/04\/2022, e não se sabe se já valia antes/,
  )
  const nova = arquivo('ncm.csv', csv(CODIGOS.map((codigo) => `${codigo};2022-04-01;;un`)))
  assert.match(
    await fiscal('instalar', 'ncm', nova, '--dia', '2026-11-23'),
    /Tomou o lugar da de 20\/11\/2026/,
  )
  assert.deepEqual(await existe(deHoje), ['ok'])
  assert.deepEqual(readdirSync(pasta), ['ncm.csv'])
  assert.match(await fiscal('remover', 'ncm'), /NCM removida/)
  assert.equal((await existe())[0], 'indeterminado')
  await assert.rejects(fiscal('remover', 'ncm'), /não está instalada: não há o que remover/)
})

test('the unit of a NCM in foreign trade is that of the installed table', async (t) => {
  const { fiscal, arquivo, diagnostico } = abrirPasta(t)
  const exportacao = notaBase('exportacao').replaceAll('2026-11-10T', '2026-11-23T')
  const unidade = (xml = exportacao) => diagnostico('817-unidade-do-comercio-exterior', xml)
  await fiscal('instalar', 'ncm', arquivo('a.json', oficial(CODIGOS)))
  assert.equal((await unidade())[0], 'indeterminado')
  const linhas = CODIGOS.map((codigo) => `${comPontos(codigo)};01/04/2022;31/12/9999;kg`)
  await fiscal('instalar', 'ncm', arquivo('b.csv', csv(linhas)))
  assert.deepEqual(await unidade(), ['ok'])
  assert.match((await unidade(exportacao.replace('<uTrib>KG', '<uTrib>TON')))[1] ?? '', /a tabela pede KG/)
})

test('a file that cannot be installed is refused with what to send, and nothing changes', async (t) => {
  const { fiscal, arquivo, pasta } = abrirPasta(t)
  await fiscal('instalar', 'ncm', arquivo('boa.json', oficial(CODIGOS)))
  const antes = readFileSync(join(pasta, 'ncm.csv'), 'utf8')
  const linha = (texto: string) => csv(['09012100;;;', texto])
  const casos: [string, RegExp, ...string[]][] = [
    [join(pasta, 'nada.json'), /nada\.json não existe: confira o caminho/],
    [arquivo('vazio.csv', ''), /tem 0 códigos de 8 algarismos/],
    [arquivo('parte.json', oficial(CODIGOS.slice(0, 100))), /tem 100 códigos.*baixe a tabela inteira/],
    [arquivo('cortado.json', oficial(CODIGOS).slice(0, -9)), /não é um JSON inteiro/],
    [arquivo('outro.json', '{"Nomenclaturas":3}'), /não tem a lista "Nomenclaturas"/],
    [
      arquivo('outras.csv', csv(CODIGOS.slice(7).map((um) => `${um};;;`))),
      /Faltam no arquivo, em 2026-11-24/,
    ],
    [arquivo('curto.csv', linha('0901210;;')), /Na linha 3, o código "0901210" não tem 8 algarismos/],
    [arquivo('dia.csv', linha('09012100;30/02/2022;')), /Na linha 3, "30\/02\/2022" não é um dia/],
    [arquivo('fim.csv', linha('09012100;2022-04-02;2022-04-01')), /09012100 acaba antes de começar/],
    [arquivo('colunas.csv', linha('09012100;1')), /A linha 3 tem 2 colunas: envie codigo;inicio;fim/],
    [arquivo('nomes.csv', 'codigo;descricao\n'), /As colunas são codigo;descricao: envie/],
    [arquivo('unidade.csv', linha('09012100;;;QUILOGRAMA')), /a unidade "QUILOGRAMA" não tem até 6/],
    [arquivo('longo.csv', '\n'.repeat(100_001)), /tem 100002 linhas/],
    [arquivo('futuro.json', oficial(CODIGOS)), /ainda não chegou/, '--dia', '2026-11-25'],
  ]
  for (const [caminho, motivo, ...opcoes] of casos)
    await assert.rejects(fiscal('instalar', 'ncm', caminho, ...opcoes), motivo)
  await assert.rejects(fiscal('instalar', 'cfop', join(pasta, 'x')), /cfop não é das que se instalam: ncm/)
  assert.equal(readFileSync(join(pasta, 'ncm.csv'), 'utf8'), antes)
  assert.deepEqual(readdirSync(pasta), ['ncm.csv'])
})

test('an installed table whose file is damaged decides nothing, and the command says so', async (t) => {
  const { fiscal, pasta, diagnostico } = abrirPasta(t)
  mkdirSync(pasta)
  writeFileSync(join(pasta, 'ncm.csv'), '# titulo: NCM\ncodigo,de\n62052000,\n')
  assert.equal((await diagnostico('778-ncm-inexistente', venda))[0], 'indeterminado')
  await assert.rejects(fiscal(), /ncm\.csv está danificado: instale a tabela de novo/)
})
