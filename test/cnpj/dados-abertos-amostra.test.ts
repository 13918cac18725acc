import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { generateDump } from '../../simulator/dados-abertos/dump.ts'
import { isCnpj } from '../../src/documento/documento.ts'
import { unzip } from '../kit/cnpj.ts'

const amostra = new URL('../../data/cnpj-amostra/', import.meta.url)
const zips = readdirSync(amostra).filter((nome) => nome.endsWith('.zip'))
const membros = new Map(zips.map((nome) => [nome, unzip(new URL(nome, amostra))]))
const pasta = mkdtempSync(join(tmpdir(), 'cnpj-gerada-'))
after(() => rmSync(pasta, { recursive: true }))

function linhas(conjunto: string): string[] {
  const partes = zips.filter((nome) => nome.startsWith(conjunto))
  return partes.flatMap((nome) => membros.get(nome)?.[0]?.conteudo.toString('latin1').split('\n') ?? [])
}

test('the sample has the 37 zips of a vintage, each with its one official member', () => {
  const big = ['Empresas', 'Estabelecimentos', 'Socios'].flatMap((set) =>
    Array.from({ length: 10 }, (_, n) => `${set}${n}.zip`),
  )
  const small = ['Cnaes', 'Motivos', 'Municipios', 'Naturezas', 'Paises', 'Qualificacoes', 'Simples'].map(
    (set) => `${set}.zip`,
  )
  assert.deepEqual(zips.toSorted(), [...big, ...small].toSorted())
  const official =
    /^(K3241\.K03200Y\d\.D61010\.(EMPRECSV|ESTABELE|SOCIOCSV)|F\.K03200\$(W\.SIMPLES\.CSV\.D61010|Z\.D61010\.(CNAE|MOTI|MUNIC|NATJU|PAIS|QUALS)CSV))$/
  for (const [zip, conteudo] of membros) {
    assert.equal(conteudo.length, 1, zip)
    assert.match(conteudo[0]?.nome ?? '', official)
  }
})

test('generating the sample again gives the same bytes in every member', async () => {
  const escritos = await generateDump({ pasta, estabelecimentos: 3500, nivel: 1 })
  assert.equal(escritos.length, 37)
  for (const { arquivo, bytes } of escritos) {
    const novo = unzip(join(pasta, arquivo))
    assert.deepEqual(novo, membros.get(arquivo), arquivo)
    assert.equal(novo[0]?.conteudo.length, bytes)
  }
})

test('the rows do not depend on how many threads wrote them, and do depend on the seed', async () => {
  const opcoes = { pasta, estabelecimentos: 400, nivel: 1 }
  const crcs = (escritos: { crc: number }[]): number[] => escritos.map(({ crc }) => crc)
  const um = crcs(await generateDump({ ...opcoes, trabalhadores: 0 }))
  assert.deepEqual(crcs(await generateDump({ ...opcoes, trabalhadores: 2 })), um)
  assert.notDeepEqual(crcs(await generateDump({ ...opcoes, semente: 2 })), um)
})

test('every whole row of an establishment has a valid CNPJ, and some have letters', () => {
  const cnpjs = linhas('Estabelecimentos').flatMap((linha) => {
    const [, raiz, ordem, dv] = /^"(.{8})";"(.{4})";"(..)";"[12]"/.exec(linha) ?? []
    return raiz ? [`${raiz}${ordem}${dv}`] : []
  })
  assert.ok(cnpjs.length >= 3500)
  for (const cnpj of cnpjs) assert.ok(isCnpj(cnpj), cnpj)
  const alfanumericos = cnpjs.filter((cnpj) => /[A-Z]/.test(cnpj))
  assert.ok(alfanumericos.length >= 5 && alfanumericos.length < 40)
})

test('the known public bodies are there, without partners', () => {
  const estabelecimentos = linhas('Estabelecimentos')
  for (const inicio of [
    '"00000000";"0001";"91"',
    '"33683111";"0001";"07"',
    '"33683111";"0002";"80"',
    '"33000167";"0001";"01"',
  ])
    assert.equal(estabelecimentos.filter((linha) => linha.startsWith(inicio)).length, 1, inicio)
  assert.ok(
    linhas('Empresas').some((linha) =>
      linha.startsWith('"33683111";"SERVICO FEDERAL DE PROCESSAMENTO DE DADOS (SERPRO)"'),
    ),
  )
  assert.ok(!linhas('Socios').some((linha) => /^"(00000000|33683111|33000167)"/.test(linha)))
})

test('every kind of dirt of the official dump is in the sample', () => {
  const texto = linhas('Estabelecimentos').join('\n')
  for (const sinal of [
    'BAR DO "ZE',
    '""DOIS IRMAOS""',
    '\0',
    'LETRA:A;SALA',
    'BLOCO B\nAPT',
    '"02020731"',
    '"41000101"',
    '"SEM CEP"',
    '"EX";"9707"',
    '"MT";"1182"',
    '";"32";"',
    '\\";"',
  ])
    assert.ok(texto.includes(sinal), JSON.stringify(sinal))
  const empresas = linhas('Empresas').join('\n')
  for (const sinal of ['"-5000,00"', '"999999999999,00"']) assert.ok(empresas.includes(sinal), sinal)
  assert.match(empresas, /^"\d{8}";"[A-Z ]+ \d{11}";"2135"/m)
  const socios = linhas('Socios').join('\n')
  for (const sinal of ['";"36";"', '"008"', '***123456**']) assert.ok(socios.includes(sinal), sinal)
})
