import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeLaudo } from '../../src/rejeicoes/diagnostico/laudo.ts'
import {
  AGORA,
  CATALOGO,
  EMISSAO,
  NA_EMISSAO,
  notaAssinada,
  notaBase,
  notaDeItens,
  signAgain,
} from '../kit/rejeicoes.ts'

const catalogo = CATALOGO

const laudoDe = (xml: string, resposta: { cstat?: number; motivo?: string } = {}, agora = AGORA) =>
  makeLaudo({ xml, agora, catalogo, ...resposta })

/** A base note, an hour after it was issued, without blanks between its elements. */
const base = (nome = 'venda-interna'): string => notaBase(nome).replace(/>\s+</g, '><')
const laudoDaBase = (xml: string, resposta = {}) => laudoDe(xml, resposta, NA_EMISSAO)
const errosDe = (xml: string) => laudoDaBase(xml).esquema.erros

test('a good note has no error, a valid signature, no suspicion and no mend, in each form in which it is sent', async () => {
  const proc = await notaAssinada()
  const nfe = /<NFe .*<\/NFe>/s.exec(proc)?.[0] ?? ''
  const lote = `<enviNFe xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00"><idLote>1</idLote><indSinc>1</indSinc>${nfe.replace(' xmlns="http://www.portalfiscal.inf.br/nfe"', '')}</enviNFe>`
  for (const xml of [proc, nfe, lote, `\uFEFF${proc}`]) {
    const laudo = laudoDe(xml)
    const { pacote, valido, erros, omitidos } = laudo.esquema
    assert.deepEqual([pacote, valido, erros, omitidos], ['PL_010f_v1.04', true, [], 0])
    assert.equal(laudo.assinatura.situacao, 'valida')
    assert.deepEqual([laudo.suspeitas, laudo.emendas], [[], []])
    assert.equal(laudo.modelo, '55')
    assert.match(laudo.chave ?? '', /^35\d{42}$/)
    const { ok, falha, nao_aplicavel, indeterminado } = laudo.resumo
    assert.ok(ok > 30 && falha === 0)
    assert.equal(ok + falha + nao_aplicavel + indeterminado, laudo.verificacoes.length)
  }
})

test('all errors of the schema are told at once, each with its place, value and what is expected', () => {
  const xml = base()
    .replace(/<tpNF>.*?</, '<tpNF>7<')
    .replace(/<idDest>.*?<\/idDest>/, '')
    .replace(/<tpImp>.*?<\/tpImp>/, '')
    .replace(/(<det nItem="2">.*?)<NCM>.*?</s, '$1<NCM>123<')
    .replace(/<total>.*<\/total>/s, '')
    .replace(/<modFrete>.*?</, '<modFrete>8<')
  assert.deepEqual(
    errosDe(xml).map(({ onde, caminho, valor, mensagem }) => [onde, caminho, valor, mensagem]),
    [
      [
        'identificação, campo tpNF',
        'ide/tpNF',
        '7',
        'O campo tpNF (Tipo da operação (entrada ou saída)) tem um valor que não está na lista do esquema. Esperado: 0 ou 1.',
      ],
      [
        'identificação, campo idDest',
        'ide/idDest',
        null,
        'Falta o campo idDest (Indicador do destino da operação) antes de cMunFG.',
      ],
      [
        'identificação, campo tpImp',
        'ide/tpImp',
        null,
        'Falta o campo tpImp (Formato de impressão do DANFE) antes de tpEmis.',
      ],
      [
        'item 2, campo NCM',
        'det[2]/prod/NCM',
        '123',
        'O campo NCM (Código NCM do item) não tem o formato que o esquema pede. Esperado: 2 ou 8 algarismos.',
      ],
      ['totais', 'total', null, 'Falta o campo total (Dados dos totais da NF-e) antes de transp.'],
      [
        'transporte, campo modFrete',
        'transp/modFrete',
        '8',
        'O campo modFrete (Modalidade do frete) tem um valor que não está na lista do esquema. Esperado: 0, 1, 2, 3, 4 ou 9.',
      ],
    ],
  )
})

test('nine digits are no NCM, though libxml2 takes them for two or eight', () => {
  const [erro] = errosDe(base().replace(/<NCM>.*?</, '<NCM>123456789<'))
  assert.deepEqual([erro?.caminho, erro?.valor], ['det[1]/prod/NCM', '123456789'])
})

test('what is unknown, repeated, excluded, out of order, loose or without an attribute is told as such', () => {
  const casos: [string, string, RegExp][] = [
    [base().replace('<tpNF>', '<foo/><tpNF>'), 'ide/foo', /não existe neste ponto/],
    [base().replace(/<natOp>(.*?)<\/natOp>/, '<natop>$1</natop>'), 'ide/natop', /O nome certo é natOp/],
    [base().replace(/(<natOp>.*?<\/natOp>)/, '$1$1'), 'ide/natOp[2]', /mais vezes do que o leiaute aceita/],
    [
      base().replace('</CNPJ><xNome>', '</CNPJ><CPF>12345678909</CPF><xNome>'),
      'emit/CPF',
      /não pode vir junto de CNPJ/,
    ],
    [
      base().replace(/(<tpNF>.*?)(<idDest>.*?<\/idDest>)/, '$2$1'),
      'ide/idDest',
      /fora de ordem: deve vir depois de tpNF/,
    ],
    [base().replace('<ide>', '<ide>oi'), 'ide', /texto solto/],
    [base().replace('nItem="1"', ''), 'det[1]/@nItem', /Falta o atributo nItem/],
    [base().replace('versao="4.00"', 'versao="4.00" foo="1"'), '@foo', /atributo foo não existe/],
    [base().replace(/<natOp>.*?</, '<natOp><'), 'ide/natOp', /está vazio/],
  ]
  for (const [xml, caminho, mensagem] of casos) {
    const erro = errosDe(xml).find((outro) => outro.caminho === caminho)
    assert.match(erro?.mensagem ?? `nothing at ${caminho}`, mensagem)
  }
})

test('a value that speaks as the validator does is told as the value that it is', () => {
  const falas = [
    "x' is not accepted by the pattern 'z'. This element is not expected. Expected is ( z ).",
    "[facet 'length'] has a length of '9' is not an element of the set {'z'}.",
    "z' is not a valid value of the atomic type 'xs:ID'. Missing child element(s). Expected is ( z ).",
  ]
  for (const fala of falas) {
    const erros = errosDe(base().replace(/<NCM>[^<]*/, `<NCM>${fala}`))
    assert.deepEqual(
      erros.map(({ caminho }) => caminho),
      ['det[1]/prod/NCM'],
    )
    assert.match(erros[0]?.mensagem ?? '', /Esperado: 2 ou 8 algarismos\.$/)
  }
})

test('a long value is cut, and of very many errors the rest is counted', async () => {
  const [erro] = errosDe(base().replace(/<natOp>.*?</, `<natOp>${'x'.repeat(500)}<`))
  assert.equal(erro?.valor, `${'x'.repeat(80)}…`)
  const muitos = (await notaDeItens(300)).replace(/<NCM>.*?<\/NCM>/g, '')
  const { erros, omitidos } = laudoDe(muitos).esquema
  assert.deepEqual([erros.length, omitidos, erros[199]?.caminho], [200, 100, 'det[200]/prod/NCM'])
})

test('names that every object has are names like others, of elements and of attributes', () => {
  const nomes = ['__proto__', 'constructor', 'toString']
  const elementos = nomes.map((nome) => `<${nome}>1</${nome}>`).join('')
  const xml = base()
    .replace('<NCM>', `${elementos}<NCM>`)
    .replace('<xProd>', `<xProd ${nomes.map((nome) => `${nome}="${nome}"`).join(' ')}>`)
  assert.deepEqual(
    errosDe(xml).map(({ onde, caminho, valor }) => [onde, caminho, valor]),
    [
      ...nomes.map((nome) => [`item 1, xProd, atributo ${nome}`, `det[1]/prod/xProd/@${nome}`, nome]),
      ...nomes.map((nome) => [`item 1, campo ${nome}`, `det[1]/prod/${nome}`, '1']),
    ],
  )
})

test('of a long sentence of the authority only the beginning is read', () => {
  const { suspeitas } = laudoDaBase(base(), { motivo: `539 - Duplicidade${'['.repeat(900_000)}` })
  assert.deepEqual(
    suspeitas.map(({ codigo }) => codigo),
    [539],
  )
  const atras = { motivo: `${' '.repeat(600)}539` }
  assert.deepEqual(laudoDaBase(base(), atras).suspeitas, [])
})

test('a path below a file is no catalogue, and the note is diagnosed without one', () => {
  const { verificacoes, avisos } = makeLaudo({
    xml: base(),
    agora: NA_EMISSAO,
    catalogo: `${catalogo}/nenhum`,
  })
  assert.deepEqual(verificacoes, [])
  assert.ok(avisos.some((aviso) => aviso.startsWith('O catálogo de verificações')))
})

test('an XML that is not well formed is 243, with its place and nothing of its text', () => {
  const { suspeitas, verificacoes } = laudoDe('<NFe>\n<ide>segredo & fim</ide></NFe>')
  assert.deepEqual(verificacoes, [])
  assert.deepEqual(
    suspeitas.map(({ codigo, ocorrencias }) => [codigo, ocorrencias[0]?.onde]),
    [[243, 'linha 2, coluna 15']],
  )
  assert.doesNotMatch(JSON.stringify(suspeitas), /segredo/)
})

test('another encoding is 402 and a prefix is 404, before the schema', () => {
  const codigos = (xml: string) => laudoDaBase(xml).suspeitas.map(({ codigo }) => codigo)
  assert.deepEqual(codigos(base().replace('UTF-8', 'ISO-8859-1')), [402])
  const comPrefixo = base()
    .replace(/<(\/?)(?=[a-zA-Z])/g, '<$1n:')
    .replace('xmlns=', 'xmlns:n=')
  assert.equal(codigos(comPrefixo)[0], 404)
})

test('a signature: absent, valid, of other content, of another form, of another holder', async () => {
  const nfe = /<NFe .*<\/NFe>/s.exec(await notaAssinada())?.[0] ?? ''
  const situacao = (xml: string, agora = AGORA) => {
    const { assinatura, suspeitas } = laudoDe(xml, {}, agora)
    return [
      assinatura.situacao,
      ...suspeitas.filter(({ origem }) => origem === 'assinatura').map(({ codigo }) => codigo),
    ]
  }
  assert.deepEqual(situacao(nfe), ['valida'])
  assert.deepEqual(situacao(base()), ['ausente'])
  assert.deepEqual(situacao(nfe.replace('<indPres>9', '<indPres>1')), ['invalida', 297])
  assert.deepEqual(situacao(nfe.replace(/<SignatureValue>../, '<SignatureValue>AB')), ['invalida', 297])
  assert.deepEqual(situacao(nfe.replace(/URI="#NFe../, 'URI="#NFe99')), ['invalida', 298])
  assert.deepEqual(situacao(nfe.replace('rsa-sha1', 'rsa-sha256')), ['invalida', 298])
  assert.deepEqual(situacao(nfe.replace(/<X509Certificate>.*?</, '<X509Certificate>AAAA<')), [
    'invalida',
    290,
  ])
  const deOutro = await signAgain(nfe, 'emitente')
  assert.deepEqual(situacao(deOutro), ['invalida', 213])
  // A certificate that has expired since says nothing of the day of the issue.
  const depois = new Date(EMISSAO.getTime() + 10 * 365 * 86_400_000)
  assert.equal(laudoDe(nfe, {}, depois).assinatura.situacao, 'valida')
  assert.ok(laudoDe(nfe, {}, depois).avisos.some((aviso) => aviso.includes('vencido hoje')))
})

test('a signature that fits without blanks between elements tells that only the layout changed, as the last', async () => {
  const proc = await notaAssinada()
  const nfe = /<NFe .*<\/NFe>/s.exec(proc)?.[0] ?? ''
  const arrumar = (xml: string): string => xml.replace(/(<\/\w+>)</g, '$1\r\n  <')
  const soANota = nfe.replace(/<infNFe .*<\/infNFe>/s, arrumar)
  const soAAssinatura = nfe.replace(/<Signature .*<\/Signature>/s, arrumar)
  for (const xml of [arrumar(nfe), soANota, soAAssinatura]) {
    const { assinatura, suspeitas } = laudoDe(xml.replace('<natOp>', '<natOp> '))
    assert.equal(assinatura.situacao, 'invalida')
    assert.doesNotMatch(assinatura.mensagem, /formatação/)
    assert.deepEqual(
      suspeitas.map(({ codigo }) => codigo),
      [225, 297],
    )
    const { assinatura: outra, suspeitas: achadas } = laudoDe(xml)
    assert.equal(outra.situacao, 'invalida')
    assert.match(outra.mensagem, /^Só a formatação mudou: use o arquivo original\./)
    assert.deepEqual(
      achadas.map(({ codigo }) => codigo),
      [297],
    )
  }
  // Blanks that are signed stay, and what else is wrong comes before.
  const outroTotal = await signAgain(nfe.replace('<vNF>', '<vNF>9'))
  const codigos = laudoDe(arrumar(outroTotal)).suspeitas.map(({ codigo }) => codigo)
  assert.ok(codigos.length > 1, `${codigos}`)
  assert.equal(codigos.at(-1), 297)
  assert.equal(laudoDe(arrumar(outroTotal), { cstat: 297 }).suspeitas[0]?.codigo, 297)
  // What was authorised is not accused of what a copy of it did.
  const copia = laudoDe(arrumar(proc))
  assert.match(copia.assinatura.mensagem, /use o arquivo original/)
  assert.deepEqual(copia.suspeitas, [])
})

test('what has no canonical form, as under a relative namespace, has no signature that fits', async () => {
  const proc = await notaAssinada()
  for (const xml of [
    proc.replaceAll('xmlns="http://www.portalfiscal.inf.br/nfe"', 'xmlns="u"'),
    proc.replace('<infNFe ', '<infNFe xmlns:x="u" '),
  ])
    assert.equal(laudoDe(xml).assinatura.situacao, 'invalida')
})

test('an issuer’s blanks between elements are told, and do not spoil the signature', () => {
  const laudo = laudoDaBase(notaBase('venda-interna'))
  assert.deepEqual(laudo.suspeitas, [])
  assert.ok(laudo.avisos.some((aviso) => aviso.includes('588')))
})

test('the suspicions stand in the order of the authority: schema, signature, key, then the rules', async () => {
  const nfe = /<NFe .*<\/NFe>/s.exec(await notaAssinada())?.[0] ?? ''
  const xml = nfe
    .replace(/<xNome>/, '<xNome> ')
    .replace(/<cDV>\d/, (texto) => `<cDV>${(Number(texto.at(-1)) + 1) % 10}`)
    .replace(/<vNF>/, '<vNF>9')
  const origens = laudoDe(xml).suspeitas.map(({ origem }) => origem)
  assert.deepEqual([...new Set(origens)], ['esquema', 'assinatura', 'chave', 'verificacao'])
})

test('what the authority answered goes first where something confirms it, and is told as unconfirmed else', () => {
  const xml = base()
    .replace(/<vNF>/, '<vNF>9')
    .replace(/<natOp>/, '<natOp> ')
  const codigos = (resposta: { cstat?: number; motivo?: string }) =>
    laudoDaBase(xml, resposta).suspeitas.map(({ codigo, origem }) => `${codigo} ${origem}`)
  assert.equal(codigos({})[0], '225 esquema')
  assert.equal(codigos({ cstat: 610 })[0], '610 verificacao')
  assert.equal(codigos({ motivo: 'Rejeição 610: Total da NF difere' })[0], '610 verificacao')
  assert.equal(codigos({ cstat: 215 })[0], '215 esquema')
  assert.equal(codigos({ cstat: 778 }).at(-1), '778 informado')
  assert.deepEqual(codigos({ cstat: 100 }), codigos({}))
  const item = laudoDaBase(base(), { cstat: 778, motivo: 'NCM inexistente [nItem: 2]' }).suspeitas[0]
  assert.equal(item?.ocorrencias[0]?.onde, 'item 2')
  assert.match(item?.ocorrencias[0]?.mensagem ?? '', /nada neste XML confirma/)
})

test('an answer of the authority that the catalogue does not know is said to be so', () => {
  const avisos = (resposta: { cstat?: number; motivo?: string }): string =>
    laudoDaBase(base(), resposta).avisos.join(' ')
  for (const resposta of [{ cstat: 100 }, { cstat: 3999 }, { motivo: 'cStat: 3999' }])
    assert.match(avisos(resposta), /O código (?:100|3999) não está no catálogo de rejeições/)
  assert.match(avisos({ motivo: 'algo deu errado' }), /não é o motivo de uma rejeição conhecida/)
  for (const known of [{}, { cstat: 778 }, { motivo: '  ' }, { motivo: 'Rejeição 610: Total' }])
    assert.doesNotMatch(avisos(known), /catálogo|conhecida/)
})

test('a note with its authorization is judged as of that moment, and says so', async () => {
  const proc = await notaAssinada()
  const depois = new Date('2028-01-10T12:00:00Z')
  const autorizada = laudoDe(proc, {}, depois)
  assert.deepEqual([autorizada.resumo.falha, autorizada.suspeitas, autorizada.emendas], [0, [], []])
  assert.match(autorizada.avisos.join(' '), /foi autorizada \(protocolo de 21\/11\/2026\)/)
  const semProtocolo = laudoDe(/<NFe .*<\/NFe>/s.exec(proc)?.[0] ?? '', {}, depois)
  assert.ok(semProtocolo.suspeitas.some(({ codigo }) => codigo === 228))
  const recusada = laudoDe(proc.replace('<cStat>100<', '<cStat>228<'), {}, depois)
  assert.ok(recusada.suspeitas.some(({ codigo }) => codigo === 228))
})

test('a catalogue that breaks leaves the last good checks, as it leaves the pages', (t) => {
  const pasta = mkdtempSync(join(tmpdir(), 'catalogo-'))
  t.after(() => rmSync(pasta, { recursive: true, force: true }))
  const proprio = join(pasta, 'rejeicoes.json')
  copyFileSync(catalogo, proprio)
  const conferidas = () =>
    makeLaudo({ xml: base(), agora: NA_EMISSAO, catalogo: proprio }).verificacoes.length
  const quantas = conferidas()
  assert.ok(quantas > 250)
  writeFileSync(proprio, '[')
  assert.equal(conferidas(), quantas)
  rmSync(proprio)
  assert.equal(conferidas(), quantas)
  assert.deepEqual(
    makeLaudo({ xml: base(), agora: NA_EMISSAO, catalogo: join(pasta, 'nada') }).verificacoes,
    [],
  )
})

test('what a state may leave out comes after what every authority refuses', () => {
  const xml = base()
    .replace(/(<ICMSTot>.*?<vFrete>).*?</s, '$19.99<')
    .replace(/(<transp>.*?<CNPJ>)\d{14}</s, '$166777888000182<')
  const { suspeitas } = laudoDaBase(xml)
  const tipos = suspeitas.map(({ aplicacao }) => aplicacao)
  assert.deepEqual(
    tipos.toSorted((a, b) => (a === b ? 0 : a === 'uf' ? 1 : -1)),
    tipos,
  )
  assert.ok(tipos.includes('uf'))
  assert.ok(suspeitas.some(({ codigo, aplicacao }) => codigo === 542 && aplicacao === 'obrigatoria'))
})

test('a field that is out of its place is told once', () => {
  const xml = base().replace(
    /<vol>.*<\/vol>/s,
    '<vol><qVol>1</qVol><esp>CAIXA</esp><pesoL>2.000</pesoL><pesoB>2.500</pesoB><marca>M</marca><nVol>1</nVol></vol>',
  )
  const lugares = errosDe(xml).map(({ caminho }) => caminho)
  assert.deepEqual(lugares, [...new Set(lugares)])
  assert.ok(lugares.includes('transp/vol[1]/pesoL'))
})
