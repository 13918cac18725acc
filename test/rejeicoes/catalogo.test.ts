import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { diaDepois } from '../../src/documento/dia.ts'
import { parseEntradas } from '../../src/rejeicoes/catalogo.ts'
import type { Rejeicao } from '../../src/rejeicoes/rules.ts'
import { categorias } from '../../src/rejeicoes/rules.ts'
import { fazerCampos } from '../../tools/rejeicoes/campos.ts'
import { escreverCatalogo, fazerCatalogo } from '../../tools/rejeicoes/catalogo.ts'
import { LIMITES } from '../../tools/rejeicoes/exemplos.ts'
import { lerFichas } from '../../tools/rejeicoes/fichas.ts'
import { abaixoDoPiso, CATALOGO, contar, pisos } from '../../tools/rejeicoes/gerar.ts'
import { lerOficiais } from '../../tools/rejeicoes/oficiais.ts'
import { lerTabela, PASTA } from '../../tools/rejeicoes/tabelas.ts'

const feito = await fazerCatalogo()
const { rejeicoes } = feito
const { listados } = lerOficiais()
const oficiais = new Map(listados.map((oficial) => [oficial.codigo, oficial]))
const ler = (nome: string): string => readFileSync(new URL(nome, PASTA), 'utf8')

/** The codes of the entries for which something is not as it should be. */
const codigosEmQue = (isErrada: (rejeicao: Rejeicao) => boolean): number[] =>
  rejeicoes.filter(isErrada).map(({ codigo }) => codigo)

test('data/rejeicoes.json is what the generator makes of its tables and sheets', () => {
  assert.ok(escreverCatalogo(rejeicoes) === readFileSync(CATALOGO, 'utf8'), 'run npm run catalogo')
  assert.ok(feito.aMao === ler('a-mao.csv'), 'run npm run catalogo')
  assert.ok(fazerCampos() === ler('campos.csv'), 'run node tools/rejeicoes/campos.ts')
  assert.deepEqual(parseEntradas(readFileSync(CATALOGO, 'utf8')), rejeicoes)
})

test('1,059 of 1,083 codes are listed, and the counts reach their floors', () => {
  const contas = contar(feito)
  assert.deepEqual(abaixoDoPiso(contas), [])
  assert.equal(contas.listados, 1059)
  assert.equal(contas.todos, 1083)
  assert.deepEqual(feito.faltam, [])
  const baixos = Object.keys(pisos).map((nome) => ({ ...contas, [nome]: 0 }))
  assert.ok(baixos.every((contas) => abaixoDoPiso(contas).length === 1))
})

test('only refusals and alerts are listed, by code and once each', () => {
  const tipos = new Map(
    lerTabela('oficiais.csv', ['codigo', 'motivo', 'fontes', 'tipo']).map(({ codigo, tipo }) => [
      Number(codigo),
      tipo,
    ]),
  )
  assert.deepEqual(
    codigosEmQue(({ codigo }) => !/^(rejeicao(-\w+)?|denegacao|alerta)$/.test(tipos.get(codigo) ?? '')),
    [],
  )
  const codigos = rejeicoes.map(({ codigo }) => codigo)
  assert.deepEqual(
    codigos,
    [...new Set(codigos)].sort((a, b) => a - b),
  )
  assert.ok(![100, 102, 135, 150].some((codigo) => codigos.includes(codigo)))
})

test('the official reason stands untouched', () => {
  const motivos = new Map(
    lerTabela('oficiais.csv', ['codigo', 'motivo', 'fontes', 'tipo']).map(({ codigo, motivo }) => [
      codigo,
      motivo,
    ]),
  )
  assert.deepEqual(
    codigosEmQue(({ codigo, motivo }) => motivo !== motivos.get(String(codigo))),
    [],
  )
})

test('an entry has one of the 17 categories or null, a title, a slug of its code and its address', () => {
  assert.equal(categorias.length, 17)
  assert.deepEqual(
    codigosEmQue(({ categoria }) => categoria !== null && !categorias.includes(categoria)),
    [],
  )
  assert.deepEqual(
    codigosEmQue(
      ({ codigo, titulo, slug, url_blog }) =>
        !/^rejeicao-\d{3,4}(-[a-z0-9]+)+$/.test(slug) ||
        !slug.startsWith(`rejeicao-${codigo}-`) ||
        slug.length > 90 ||
        url_blog !== `/blog/rejeicoes/${slug}/` ||
        /^(Rejeição|CClassTrib|NItem|Tp[A-Z])|\[|<\w|\b(Digito|Pais|Veiculo|Liquido|sequencia)\b/.test(
          titulo,
        ) ||
        titulo.length > 161,
    ),
    [],
  )
  assert.equal(new Set(rejeicoes.map(({ slug }) => slug)).size, rejeicoes.length)
})

test('an entry has 1 to 5 causes and 3 to 6 steps, whole sentences', () => {
  assert.deepEqual(
    codigosEmQue(({ causas }) => causas.length < 1 || causas.length > 5),
    [],
  )
  assert.deepEqual(
    codigosEmQue(({ solucao_passos }) => solucao_passos.length < 3 || solucao_passos.length > 6),
    [],
  )
  const isFrase = (texto: string): boolean =>
    /^(\P{Ll}|[a-z]+[A-Z])/u.test(texto) && /[.”]$/.test(texto) && !/[{}]|\s\s|\bundefined\b/.test(texto)
  assert.deepEqual(
    rejeicoes.flatMap(({ codigo, causas, solucao_passos }) =>
      [...causas, ...solucao_passos].filter((texto) => !isFrase(texto)).map((texto) => `${codigo}: ${texto}`),
    ),
    [],
  )
})

test('two codes of different rules never share all causes and steps', () => {
  const porTexto = Map.groupBy(rejeicoes, ({ causas, solucao_passos }) =>
    JSON.stringify([causas, solucao_passos]),
  )
  const iguais = [...porTexto.values()].filter(({ length }) => length > 1)
  assert.deepEqual(
    iguais.map((umas) => umas.map(({ codigo }) => codigo)),
    [],
  )
})

/** Field names that the text of a rule writes as the layout does. */
function nomesNaRegra(textos: readonly string[], nomes: ReadonlySet<string>): Set<string> {
  const palavras =
    textos.join(' ').match(/\b(?:[a-z]+[A-Z]\w*|(?<=tag: ?)\w+|NCM|CFOP|CEST|CSOSN|CRT)\b/g) ?? []
  return new Set(palavras.filter((palavra) => nomes.has(palavra)))
}

/** How rules call a field whose name they do not write. */
const CHAMADO: readonly [RegExp, RegExp][] = [
  [/chave de acesso/, /@Id|chNFe|chaveAcesso|ref/],
  [/serie/, /serie|@Id|chNFe/],
  [/tipo de emissao/, /tpEmis|chNFe/],
  [/\bcnpj|\bcpf/, /CNPJ|CPF|X509/],
  [/\bdata/, /dh|^d[A-Z]|\/d[A-Z]/],
  [/emitente/, /CNPJ/],
  [/beneficio fiscal/, /cBenef/],
  [/\bgtin/, /GTIN|cEAN/],
]

test('an entry whose rule names a field names one of the rule in its text and in its fields', () => {
  const caminhos = lerTabela('campos.csv', ['caminho', 'rotulo']).map(({ caminho }) => caminho)
  const nomes = new Set(caminhos.flatMap((caminho) => caminho.split('/')))
  const semCampo = codigosEmQue(({ codigo, causas, solucao_passos, campos }) => {
    const textos = oficiais.get(codigo)?.textos ?? []
    if (nomesNaRegra(textos, nomes).size === 0) return false
    const regra = textos.join(' ')
    const semAcento = regra.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
    const texto = [...causas, ...solucao_passos].join(' ')
    const isDaRegra = (campo: string): boolean =>
      campo.split('/').some((passo) => new RegExp(`\\b${passo.replace(/\W/g, '')}\\b`, 'i').test(regra)) ||
      CHAMADO.some(([dito, nome]) => dito.test(semAcento) && nome.test(campo))
    const isDito = (campo: string): boolean =>
      texto.includes(campo) || new RegExp(`\\b${campo.split('/').at(-1)?.replace('@', '')}\\b`).test(texto)
    return !campos.some((campo) => isDito(campo) && isDaRegra(campo))
  })
  assert.deepEqual(semCampo, [])
})

test('every field of an entry has a label', () => {
  const caminhos = new Set(lerTabela('campos.csv', ['caminho', 'rotulo']).map(({ caminho }) => caminho))
  const semPosicao = (campo: string): string => campo.replace(/\[\d+\]/g, '')
  assert.deepEqual(
    rejeicoes.flatMap(({ codigo, campos }) =>
      campos.filter((campo) => !caminhos.has(semPosicao(campo))).map((campo) => `${codigo}: ${campo}`),
    ),
    [],
  )
})

test('the pair of a check shows where the right and the wrong note differ, and is short', () => {
  const verificacoes = rejeicoes.flatMap(({ verificacoes_analiticas }) => verificacoes_analiticas)
  const isRuim = ({ certo, errado }: { certo: string; errado: string }): boolean =>
    certo === errado || [certo, errado].some((xml) => !/^<infNFe/.test(xml) || xml.split('\n').length > 70)
  assert.deepEqual(
    verificacoes.filter(({ par }) => isRuim(par)).map(({ id }) => id),
    [],
  )
  assert.deepEqual(
    codigosEmQue(({ codigo, verificacoes_analiticas }) =>
      verificacoes_analiticas.some(({ id }) => !id.startsWith(`${codigo}-`)),
    ),
    [],
  )
})

test('a number with two official meanings says so', () => {
  const duplos = lerTabela('duplos.csv', ['codigo', 'motivo', 'fonte'])
  assert.ok(duplos.length >= 19)
  for (const { codigo, motivo } of duplos) {
    const rejeicao = rejeicoes.find((uma) => uma.codigo === Number(codigo))
    assert.equal(rejeicao?.outro_significado?.motivo, motivo)
    assert.ok(rejeicao.causas.some((causa) => causa.includes('dois significados') && causa.includes(motivo)))
  }
})

test('at least 120 entries are written by hand, each for a reason of its own', () => {
  const linhas = lerTabela('a-mao.csv', ['codigo', 'razao'])
  assert.ok(linhas.length >= 120)
  assert.deepEqual(
    linhas.filter(({ razao }) => razao.length < 10).map(({ codigo }) => codigo),
    [],
  )
})

test('a refused note says whether its number may be used again', () => {
  assert.deepEqual(
    codigosEmQue(
      ({ solucao_passos, tipo }) =>
        tipo === 'rejeicao' && !/número|pedido|evento|série|cancelamento/i.test(solucao_passos.at(-1) ?? ''),
    ),
    [],
  )
})

test('what speaks of an event, a query or a void number never ends with the number of a rejected note', () => {
  const isDeNota = (campo: string): boolean =>
    !/^(evento|ConsCad|cons\w+NFe|consStatServ|distDFeInt|inutNFe)\//.test(campo)
  const errados = codigosEmQue(
    ({ campos, solucao_passos }) =>
      !campos.some(isDeNota) && /a nota rejeitada não fica gravada/.test(solucao_passos.at(-1) ?? ''),
  )
  assert.deepEqual(errados, [])
})

test('no label of a field breaks off or is misspelt', () => {
  const rotulos = lerTabela('campos.csv', ['caminho', 'rotulo']).filter(({ rotulo }) =>
    /\s(art|com|de|do|da|e|ou)$|[A-Za-z](?:cao|coes)\b|Tributção|[Aa]liquota|\b(?:Codigo|Numero)\b/.test(
      rotulo,
    ),
  )
  assert.deepEqual(rotulos, [])
})

/** Every sentence of the catalogue with its code. */
const frases = rejeicoes.flatMap(({ codigo, causas, solucao_passos }) =>
  [...causas, ...solucao_passos].map((frase) => ({ codigo, frase })),
)

test('no step is shared by more than 50 entries', () => {
  const porPasso = Map.groupBy(
    rejeicoes.flatMap(({ solucao_passos }) => solucao_passos),
    (passo) => passo,
  )
  assert.deepEqual(
    [...porPasso].filter(([, vezes]) => vezes.length > 50).map(([passo]) => passo),
    [],
  )
})

test('a text names a field by the word of the screen, with the tag behind it and never its path', () => {
  const caminhos = new Set(lerTabela('campos.csv', ['caminho', 'rotulo']).map(({ caminho }) => caminho))
  const comCaminho = frases.filter(({ frase }) =>
    (frase.match(/(?<![\p{L}\d/.])(?:[A-Za-z@*]\w*\/)+@?\w+/gu) ?? []).some((achado) => caminhos.has(achado)),
  )
  assert.deepEqual(comCaminho, [])
  const de = (codigo: number): string =>
    rejeicoes
      .filter((uma) => uma.codigo === codigo)
      .flatMap(({ causas, solucao_passos }) => [...causas, ...solucao_passos])
      .join(' ')
  assert.match(de(210), /inscrição estadual do destinatário \(IE\)/)
  assert.match(de(610), /valor total do frete \(vFrete\)/)
  assert.match(de(1037), /alíquota da CBS \(pCBS\)/)
})

test('a code without a published rule says what is known of it, or whom to ask', () => {
  assert.deepEqual(
    frases.filter(({ frase }) => /condição exata não consta/i.test(frase)),
    [],
  )
  const mudas = [...lerFichas()].flatMap(([codigo, { familia, p }]) => {
    const sabe = [p?.sabe ?? []].flat().join(' ')
    const isDita = /\bNT \d{4}\.\d{3}\b|\bMOC\b|SVRS|SEFAZ|CCC|LCC-RFB|Ambiente Nacional/.test(sabe)
    return familia === 'sem-regra-publicada' && !isDita ? codigo : []
  })
  assert.deepEqual(mudas, [])
})

test('a pair stands at a step that exists, wrong and right, as the few elements that differ', () => {
  const semPar = codigosEmQue(
    ({ verificacoes_analiticas, exemplos = [] }) =>
      verificacoes_analiticas.length > 0 && exemplos.length === 0,
  )
  assert.deepEqual(semPar, [])
  const isLonga = (xml: string): boolean =>
    xml.split('\n').length > LIMITES.linhas + 1 || xml.length > LIMITES.letras + 2
  const ruins = codigosEmQue(({ exemplos = [], solucao_passos, verificacoes_analiticas }) =>
    exemplos.some(
      ({ passo, verificacao, errado, certo }) =>
        passo < 1 ||
        passo >= solucao_passos.length ||
        errado === certo ||
        [errado, certo].some(isLonga) ||
        !verificacoes_analiticas.some(({ id }) => id === verificacao),
    ),
  )
  assert.deepEqual(ruins, [])
  assert.ok(rejeicoes.filter(({ exemplos = [] }) => exemplos.length > 0).length >= 400)
  const [cfop] = rejeicoes.find(({ codigo }) => codigo === 518)?.exemplos ?? []
  assert.deepEqual([cfop?.errado, cfop?.certo], ['<CFOP>1101</CFOP>', '<CFOP>5101</CFOP>'])
})

test('a fragment stands at the step that does what it shows, and no entry shows one twice', () => {
  const passosDe = (codigo: number): string[] => {
    const { exemplos = [], solucao_passos = [] } = rejeicoes.find((uma) => uma.codigo === codigo) ?? {}
    return exemplos.map(({ passo }) => solucao_passos[passo - 1] ?? '')
  }
  const ditos: [codigo: number, passo: RegExp][] = [
    [210, /corrija a inscrição estadual/],
    [624, /corrija a inscrição estadual/],
    [728, /^Informe no campo “Inscrição estadual/],
    [772, /corrija a UF do destinatário/],
    [791, /retire a inscrição estadual/],
    [853, /corrija o vencimento/],
    [1118, /preencha o grupo de IBS e CBS do item/],
  ]
  for (const [codigo, dito] of ditos) assert.match(passosDe(codigo)[0] ?? '', dito, String(codigo))
  const OLHA = /^(?:Localize|Leia|Veja|Consulte|Abra|Compare)\b/
  const FAZ = /\b(?:corrij|troqu|retir|tire|inform|grav|inclu|us[ea]|ponha|preench|copi|refa|acert|deix|mud)/i
  assert.deepEqual(
    codigosEmQue(({ codigo }) => passosDe(codigo).some((passo) => OLHA.test(passo) && !FAZ.test(passo))),
    [],
    'at a step that only looks',
  )
  assert.deepEqual(
    codigosEmQue(({ exemplos = [] }) => {
      const vistos = exemplos.map(({ passo, errado, certo }) => JSON.stringify([passo, errado, certo]))
      return new Set(vistos).size !== vistos.length
    }),
    [],
  )
})

test('an entry links to at most three registers or tables, of houses that answer for them', () => {
  const DE_QUEM = /^https?:\/\/(?:[\w-]+\.)*(?:gov\.br|ntp\.br|gs1\.org)\//
  const comLigacao = rejeicoes.filter(({ onde_consultar = [] }) => onde_consultar.length > 0)
  assert.ok(comLigacao.length >= 500)
  assert.deepEqual(
    codigosEmQue(
      ({ onde_consultar = [] }) =>
        onde_consultar.length > 3 ||
        onde_consultar.some(({ endereco, origem }) => origem === '' || !DE_QUEM.test(`${endereco}/`)),
    ),
    [],
  )
  const enderecos = (codigo: number): string[] =>
    rejeicoes.find((uma) => uma.codigo === codigo)?.onde_consultar?.map(({ endereco }) => endereco) ?? []
  assert.ok(enderecos(778).includes('https://portalunico.siscomex.gov.br/classif/'))
  assert.ok(enderecos(233).includes('https://dfe-portal.svrs.rs.gov.br/NFE/CCC'))
})

test('a rule that began on a disputed day says the month, and both days', () => {
  assert.deepEqual(
    frases.filter(({ frase }) => /(?:0?3|16)\/11\/2026/.test(frase)),
    [],
  )
  const disputadas = frases.filter(({ frase }) => /novembro de 2026/.test(frase))
  assert.ok(disputadas.length >= 28)
})

test('a sheet names the milestone of a rule since 2024, never its day, so that text and check move together', () => {
  const comDia = [...lerFichas()].flatMap(([codigo, { p, causas = [], passos = [] }]) =>
    [...Object.values(p ?? {}).flat(), ...causas, ...passos]
      .filter((texto) => /\d\d\/\d\d\/20(?:2[4-9]|[3-9]\d)|novembro de 2026/.test(texto))
      .map((texto) => `${codigo}: ${texto}`),
  )
  assert.deepEqual(comDia, [])
})

/** The first day of the DANFE simplificado tipo 2 in the NF-e (NT 2026.002 v1.11). */
const TIPO_2 = '2026-08-03'

test('a day of production that a text states is one of its checks, where they have one', () => {
  /** Days of an exception, or of another rule that the text names. */
  const DE_OUTRA: Readonly<Record<number, readonly string[]>> = {
    327: ['2026-09-17'],
    434: ['2021-09-01'],
    805: ['2025-10-13'],
    ...Object.fromEntries([390, 719, 724, 726, 794, 807, 873].map((codigo) => [codigo, [TIPO_2]])),
  }
  const dias = (texto: string): string[] =>
    [...texto.matchAll(/(\d\d)\/(\d\d)\/(20\d\d)/g)].map(([, d, m, a]) => `${a}-${m}-${d}`)
  const errados = rejeicoes.flatMap(({ codigo, causas, verificacoes_analiticas: verificacoes }) => {
    const daVerificacao = verificacoes.flatMap(({ vigencia: { de, de_talvez, ate, homologacao } = {} }) =>
      [de, de_talvez, ate, ate && diaDepois(ate, 1), de && diaDepois(de, -1), homologacao?.de].filter(
        Boolean,
      ),
    )
    if (daVerificacao.length === 0) return []
    return dias(causas.join(' '))
      .filter((dia) => dia >= '2021' && !daVerificacao.includes(dia) && !DE_OUTRA[codigo]?.includes(dia))
      .map((dia) => `${codigo}: ${dia}`)
  })
  assert.deepEqual(errados, [])
})

test('the texts of rules that changed in 2026 agree with the notes in force', () => {
  const causasDe = (codigo: number): string =>
    rejeicoes.find((uma) => uma.codigo === codigo)?.causas.join(' ') ?? ''
  const ditos: [codigo: number, dito: RegExp, calado?: RegExp][] = [
    [321, /novembro de 2026.*não abre exceção por CFOP/, /1201|01\/09\/2026/],
    [375, /Até 13\/12\/2026.*desde 14\/12\/2026/, /05\/10\/2026/],
    [600, /102, 103, 300, 400 nem 500/],
    [708, /Desde 03\/08\/2026/],
    [750, /desde 15\/06\/2026 a UF/],
    [836, /gado bovino.*BA, em GO, no MA e no MT, desde 01\/10\/2025/],
    [1116, /implementação futura, em produção e em homologação/, /2027/],
    [1125, /a partir de 2029.*novembro de 2026/, /04\/01\/2027/],
    [679, /14\/12\/2026.*complementar nem devolução.*03 e 04/],
    [393, /até 02\/08\/2026.*03\/08\/2026/],
    [681, /BA03-10.*05\/10\/2026/],
    [682, /05\/10\/2026.*BA10-10/],
    [924, /05\/10\/2026.*BA20-30/],
    [1001, /tpNFDebito = 06.*2026/],
    [327, /1949 e 2949 \(NT 2026\.009/],
    [1281, /01\/03\/2027/],
    [172, /5E17-65.*status 120/, /NT 2026\.007/],
  ]
  for (const [codigo, dito, calado] of ditos) {
    assert.match(causasDe(codigo), dito, String(codigo))
    if (calado) assert.doesNotMatch(causasDe(codigo), calado, String(codigo))
  }
  for (const codigo of [317, 322, 548, 549, 550, 551, 684, 923])
    assert.match(causasDe(codigo), /saiu com a NT 2026\.002, em 05\/10\/2026/, String(codigo))
})
