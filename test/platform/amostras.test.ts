import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { ORDEM, type PedidoDaAmostra, writeAmostras } from '../../src/platform/pages/amostras.ts'
import { readCapitulos } from '../../src/site/guia-capitulos.ts'
import { readCurl } from '../../src/site/guia-worker.ts'
import { type Enviado, exemplosEm, findCorredor, readAmostra, UM_UUID } from '../kit/guide.ts'

/** Texts that some language would read otherwise, were they not escaped. */
const DIFICEIS = [
  `Zé "d'Ávila" \\ 100% $x \`y\` #{z} {w}`,
  'duas\nlinhas\tcom tabulação',
  'termina em \\',
  '\\u0041 e %s e \\n',
  '‘tipográficas’ “de cada lado” €',
  '',
  'x'.repeat(600),
  // All of these are characters that some language takes for more than themselves.
  `${Array.from({ length: 33 }, (_, at) => String.fromCharCode(at)).join('')}\x7f\x85\u2028\u2029 'um' "dois" $x \`y\` “z” \\`,
  '😀'.repeat(300),
]

/** A password in which a shell, a format and JSON each find something of their own. */
const SENHA = `"a", "cnpj":"\\ \\" $HOME $(id) \`id\` 'çã' %s %% \\n {b} & € 😀 `

const variaveis = { CHAVE: 'fk_de_ninguem', NOTA: '3526', SENHA }
const arquivos = {
  'certificado.pfx': Buffer.from(Array.from({ length: 300 }, (_, at) => at % 256)),
  'nota.xml': Buffer.from('<?xml version="1.0" encoding="UTF-8"?><NFe>ção</NFe>'),
}

const CHAVE = ['X-API-Key', [{ variavel: 'CHAVE' }]] as const

/** Calls of each kind, to an address of a service. */
const pedidosA = (servico: string): PedidoDaAmostra[] => [
  { endereco: `${servico}/sem`, cabecalhos: [] },
  {
    endereco: `${servico}/q?q=${encodeURIComponent('água & "x"').replaceAll("'", '%27')}`,
    cabecalhos: [CHAVE],
  },
  {
    endereco: `${servico}/longo?q=${'y'.repeat(300)}`,
    cabecalhos: [
      CHAVE,
      ['Cache-Control', ['no-cache']],
      ['Idempotency-Key', ['nota-"$`\\\'', { variavel: 'NOTA' }]],
    ],
  },
  {
    endereco: `${servico}/textos`,
    cabecalhos: [CHAVE, ['Idempotency-Key', [{ novo: 'uuid' }]]],
    corpo: DIFICEIS.map((texto, at) => [`t${at}`, [texto]]),
  },
  {
    endereco: `${servico}/corpo`,
    cabecalhos: [CHAVE],
    corpo: [
      ['chave', [{ variavel: 'NOTA' }]],
      ['certificado', [{ base64: 'certificado.pfx' }]],
      ['senha', [{ variavel: 'SENHA' }]],
      ['dificil', [DIFICEIS[0] ?? '']],
      ['junto', ['100%-', { variavel: 'NOTA' }, '-"\\']],
      ['sim', true],
      ['nao', false],
    ],
  },
  { endereco: `${servico}/xml`, cabecalhos: [CHAVE], corpo: { arquivo: 'nota.xml' } },
]

/** What a call is, said by nobody's language. */
function enviadoDe({ endereco, cabecalhos, corpo }: PedidoDaAmostra): Enviado {
  const said = (pecas: (typeof cabecalhos)[number][1]): string =>
    pecas
      .map((peca) => {
        if (typeof peca === 'string') return peca
        if ('variavel' in peca) return Object(variaveis)[peca.variavel]
        return 'base64' in peca ? Object(arquivos)[peca.base64].toString('base64') : UM_UUID
      })
      .join('')
  const own = Object.fromEntries(cabecalhos.map(([nome, pecas]) => [nome, said(pecas)]))
  if (!corpo) return { metodo: 'GET', endereco, cabecalhos: own }
  if ('arquivo' in corpo) {
    const cabecalhosDoXml = { ...own, 'Content-Type': 'application/xml' }
    const xml = Object(arquivos)[corpo.arquivo].toString('utf8')
    return { metodo: 'POST', endereco, cabecalhos: cabecalhosDoXml, corpo: xml }
  }
  const membros = corpo.map(([nome, valor]) => [nome, typeof valor === 'boolean' ? valor : said(valor)])
  return {
    metodo: 'POST',
    endereco,
    cabecalhos: { ...own, 'Content-Type': 'application/json' },
    corpo: Object.fromEntries(membros),
  }
}

const LIDAS = ['ps1', 'cs', 'java', 'php', 'pas'] as const

test('a sample says in each language the call that it is of, whatever its texts have in them', () => {
  for (const pedido of pedidosA('http://servico.test'))
    for (const lingua of LIDAS) {
      const codigo = writeAmostras(pedido)[lingua]
      assert.deepEqual(readAmostra(lingua, codigo, { variaveis, arquivos }), enviadoDe(pedido), codigo)
    }
})

test('no sample holds a control character, or a line of Delphi more than it takes', () => {
  for (const pedido of pedidosA('http://servico.test')) {
    const { sh: _, ...codigos } = writeAmostras(pedido)
    for (const codigo of Object.values(codigos))
      assert.doesNotMatch(codigo.replaceAll('\n', ''), /[\p{Cc}\u2028\u2029]/u)
    for (const [literal] of codigos.pas.matchAll(/'(?:[^']|'')*'/g)) assert.ok(literal.length <= 257, literal)
  }
})

test('a curl is read back as the call that it was written from', () => {
  for (const pedido of pedidosA('http://servico.test'))
    assert.deepEqual(readCurl(writeAmostras(pedido).sh), pedido)
  for (const other of [
    'curl -s http://a | grep -c b',
    'curl -o /dev/null http://a',
    'echo $(curl http://a)',
    'curl "http://a',
    'wget http://a',
  ])
    assert.equal(readCurl(other), undefined, other)
})

test('every language has its sample, and its place among the tabs', () => {
  const [pedido] = pedidosA('http://servico.test')
  assert.ok(pedido)
  assert.deepEqual(Object.keys({ ...writeAmostras(pedido), ts: '' }).toSorted(), ORDEM.toSorted())
})

describe('the samples run, and the service gets what they say', () => {
  const chegaram = new Map<string, Enviado>()
  let servico: Server
  let pasta: string
  before(async () => {
    servico = createServer(async (request, response) => {
      const { method: metodo = '', url: endereco = '', headers } = request
      const body = await text(request)
      const tipo = headers['content-type'] ?? ''
      chegaram.set(endereco, {
        metodo,
        endereco,
        cabecalhos: Object.fromEntries(Object.entries(headers).map(([nome, valor]) => [nome, String(valor)])),
        ...(body !== '' && { corpo: tipo.startsWith('application/json') ? JSON.parse(body) : body }),
      })
      response.setHeader('content-type', 'application/json').end('{"foi":true}')
    }).listen(0, '127.0.0.1')
    await once(servico, 'listening')
    pasta = mkdtempSync(join(tmpdir(), 'amostras-'))
    for (const [nome, bytes] of Object.entries(arquivos)) writeFileSync(join(pasta, nome), bytes)
  })
  after(async () => {
    await new Promise((resolve) => servico.close(resolve))
    rmSync(pasta, { recursive: true, force: true })
  })

  // `npm run test:longo` also runs those that are compiled.
  const linguas = process.env.LONGO
    ? ORDEM.flatMap((lingua) => (lingua === 'ts' ? [] : lingua))
    : (['sh', 'py'] as const)
  for (const lingua of linguas)
    test(lingua, async (t) => {
      const corredor = await findCorredor(lingua)
      if (typeof corredor === 'string') return t.skip(corredor)
      const pedidos = pedidosA(`http://127.0.0.1:${Object(servico.address()).port}/${lingua}`)
      const samples = pedidos.map((pedido) => writeAmostras(pedido)[lingua])
      await corredor.run(samples, pasta, variaveis)
      for (const [at, pedido] of pedidos.entries()) assertArrived(pedido, samples[at])
    })

  test('any password arrives as it is from the curl that the guide writes', async (t) => {
    const corredor = await findCorredor('sh')
    if (typeof corredor === 'string') return t.skip(corredor)
    const { texto = '' } = readCapitulos().find(({ slug }) => slug === 'consultar-nfe-xml') ?? {}
    const codigo = exemplosEm(texto)[0]?.codigos.get('sh') ?? assert.fail(texto)
    const address = `http://127.0.0.1:${Object(servico.address()).port}`
    writeFileSync(join(pasta, 'empresa.pfx'), arquivos['certificado.pfx'])
    await corredor.run([codigo.replaceAll('http://127.0.0.1:8080', address)], pasta, variaveis)
    assert.deepEqual(chegaram.get('/api/consultar-nfe-xml')?.corpo, {
      chave: variaveis.NOTA,
      certificado: arquivos['certificado.pfx'].toString('base64'),
      senha: SENHA,
      manifestar: false,
    })
  })

  function assertArrived(pedido: PedidoDaAmostra, codigo: string | undefined): void {
    const { cabecalhos, ...said } = enviadoDe(pedido)
    const { pathname, search } = new URL(said.endereco)
    const came = chegaram.get(pathname + search) ?? assert.fail(`nothing came of ${codigo}`)
    assert.equal(came.metodo, said.metodo)
    assert.deepEqual(came.corpo, said.corpo, codigo)
    for (const [nome, valor] of Object.entries(cabecalhos)) {
      const real = came.cabecalhos[nome.toLowerCase()] ?? ''
      if (valor === UM_UUID) assert.match(real, /^[0-9a-f-]{32,36}$/i)
      else if (nome === 'Content-Type') assert.ok(real.startsWith(valor), real)
      else assert.equal(real, valor)
    }
  }
})
