import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { type CheerioAPI, load } from 'cheerio'
import { aplicarMudancas } from '../../tools/rejeicoes/mudanca.ts'
import { NOW } from '../kit/basics.ts'
import { MALDADE, nota, rejeicoesDeTeste, startCatalogo } from '../kit/catalogo.ts'
import { type Answer, type House, start } from '../kit/house.ts'
import { notaBase } from '../kit/rejeicoes.ts'

const PATH = '/blog/rejeicoes/diagnosticar'
const ERRADA = nota.replace(/<vNF>[^<]*/, '<vNF>9999.99')

let house: House
const clock = { instant: NOW.getTime() }
before(async () => {
  house = await startCatalogo({}, () => new Date(clock.instant))
})
after(() => house.close())

/** Each test has a minute of its own. */
const nextMinute = (): void => {
  clock.instant += 61_000
}

const formOf = (parts: Record<string, string | Blob>): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(parts)) form.append(name, value)
  return form
}

const send = (
  parts: Record<string, string | Blob>,
  headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' },
): Promise<Answer> => house.ask(PATH, { method: 'POST', body: formOf(parts), headers, key: null })

/** The same from another address of this machine, without a file. */
function sendFrom(localAddress: string, xml: string): { answer: Promise<Answered>; hangUp: () => void } {
  const { promise, resolve, reject } = Promise.withResolvers<Answered>()
  const headers = {
    'sec-fetch-site': 'same-origin',
    'content-type': 'application/x-www-form-urlencoded',
  }
  const sent = request(
    house.address + PATH,
    { method: 'POST', headers, localAddress, agent: false },
    (got) => {
      const parts: Buffer[] = []
      got.on('data', (part: Buffer) => parts.push(part))
      got.on('end', () => resolve({ status: got.statusCode ?? 0, text: Buffer.concat(parts).toString() }))
    },
  )
  sent.on('error', reject)
  sent.end(new URLSearchParams({ xml }).toString())
  return { answer: promise, hangUp: () => sent.destroy() }
}

type Answered = { status: number; text: string }

const textsOf = ($: CheerioAPI, selector: string): string[] =>
  $(selector)
    .map((_, one) => $(one).text().replace(/\s+/g, ' ').trim())
    .get()

describe('the form for an XML, which needs no key', () => {
  test('answers a page that tells the most likely rejection first, with field, value and pair', async () => {
    nextMinute()
    const { status, text, headers } = await send({ xml: ERRADA })
    assert.equal(status, 200)
    assert.equal(headers.get('cache-control'), 'no-store')
    const $ = load(text)
    assert.match($('.faixa-aviso').text(), /^Rejeição mais provável: 6101 verificação falhou, 0 passaram\.$/)
    const first = $('.suspeita').first()
    assert.equal(first.find('h2 a').attr('href')?.includes('rejeicao-610-'), true)
    assert.match(
      first.find('.ocorrencias').text(),
      /Totais, campo vNF: informado R\$\s9\.999,99; a soma dá R\$\s3\.822,00/,
    )
    assert.match(first.find('.lidos').text(), /Valor total da nota total\/ICMSTot\/vNF ?9999\.99/)
    assert.deepEqual(textsOf($, '.ao-lado .par mark'), ['<vNF>9999.99</vNF>', '<vNF>3822.00</vNF>'])
    assert.match($('section:has(#esquema)').text(), /Sem assinatura/)
    assert.equal($('meta[name="robots"]').attr('content'), 'noindex')
  })

  test('is on pages whose browser names where a form comes from, on plain HTTP too', async () => {
    for (const path of ['/blog/rejeicoes/diagnostico/', '/blog/rejeicoes/610/', '/blog/rejeicoes/'])
      assert.equal((await house.ask(path, { key: null })).headers.get('referrer-policy'), 'same-origin')
  })

  test('takes a file too, which goes before the text, and an XML as bytes of another coding', async () => {
    nextMinute()
    const arquivo = new Blob([ERRADA], { type: 'text/xml' })
    const both = load((await send({ arquivo, xml: 'nada' })).text)
    assert.match(both('.faixa-aviso').text(), /610/)
    const latin1 = new Blob([Buffer.from(ERRADA, 'latin1')])
    const other = load((await send({ arquivo: latin1 })).text)
    assert.match(
      other('section:has(#avisos)').text(),
      /não está em UTF-8, como a SEFAZ exige \(rejeição 402\)/,
    )
    assert.match(other('.faixa-aviso').text(), /610/)
  })

  test('takes a form without parts, as a browser sends one that has no file', async () => {
    nextMinute()
    const body = new URLSearchParams({ xml: ERRADA })
    const headers = { origin: house.address }
    const { status, text } = await house.ask(PATH, { method: 'POST', body, headers, key: null })
    assert.equal(status, 200)
    assert.match(load(text)('.faixa-aviso').text(), /610/)
  })

  test('tries a note of ours, where a visitor has none at hand', async () => {
    nextMinute()
    const page = load((await house.ask('/blog/rejeicoes/diagnostico/', { key: null })).text)
    const button = page('form.diagnostico button[name="exemplo"]')
    assert.equal(button.text(), 'Usar uma nota de exemplo (610)')
    const { status, text } = await send({
      arquivo: new Blob([]),
      xml: '',
      exemplo: String(button.attr('value')),
    })
    assert.equal(status, 200)
    assert.match(load(text)('.faixa-aviso').text(), /610/)
    assert.equal(load(text)('.topo small a[href="#falta"]').length, load(text)('#falta').length)
  })

  test('takes what the authority answered, by code or in words', async () => {
    nextMinute()
    for (const informado of ['539', 'Rejeição: Duplicidade de NF-e com diferença na Chave de Acesso']) {
      const $ = load((await send({ xml: nota, informado })).text)
      assert.ok(
        textsOf($, '.suspeita h2').some((one) => one.includes('539: Duplicidade')),
        informado,
      )
    }
  })

  test('from the page of a rejection answers with its pairs beside, the way back, and links to other pairs', async () => {
    nextMinute()
    const { url_blog = '' } = rejeicoesDeTeste.find(({ codigo }) => codigo === 610) ?? {}
    const page = load((await house.ask(url_blog, { key: null })).text)
    const pagina = String(page('form.diagnostico input[name="pagina"]').attr('value'))
    assert.equal(pagina, '610')
    const wrong = load((await send({ xml: ERRADA, pagina })).text)
    assert.equal(wrong('.ao-lado .par').length, 2)
    assert.equal(wrong('.ao-lado h2').parent().text(), 'Exemplo da 610')
    assert.equal(wrong('.suspeita').first().find('a[href="#par"]').length, 1)
    for (const xml of [nota, ERRADA, 'nada']) {
      const $ = load((await send({ xml, pagina })).text)
      assert.equal($('.trilha a').last().attr('href'), url_blog)
      assert.equal($('form.diagnostico input[name="pagina"]').attr('value'), '610')
    }
    const right = load((await send({ xml: nota, pagina })).text)
    assert.equal(right('.ao-lado .par').length, 2)
    assert.match(right('.ao-lado').text(), /não encontrada neste XML/)
    // Of a code that has no pair, or that is none, the pair is the likeliest that was found.
    for (const other of ['539', '9999', 'x'])
      assert.match(load((await send({ xml: ERRADA, pagina: other })).text)('.ao-lado h2').text(), /610/)
    nextMinute()
    const both = load((await send({ xml: ERRADA, informado: '539', pagina: '777' })).text)
    assert.match(both('.trilha a').last().attr('href') ?? '', /rejeicao-777-/)
  })

  test('asks on the page of a rejection whether the authority answered it', async () => {
    const page = load((await house.ask('/blog/rejeicoes/rejeicao-777-maldade/', { key: null })).text)
    const box = page('form.diagnostico input[type="checkbox"]')
    assert.deepEqual([box.attr('name'), box.attr('value')], ['informado', '777'])
  })

  test('says of what is no note what to send, and nothing of it is in the page but as text', async () => {
    nextMinute()
    for (const xml of ['', 'nada', '<html><img src=x onerror=alert(1)></html>', '<!DOCTYPE a><NFe/>']) {
      const { status, text } = await send({ xml })
      assert.equal(status, 400, xml)
      const $ = load(text)
      assert.equal($('h1').text(), 'Diagnóstico de nota')
      assert.ok($('[role="alert"] p').last().text().length > 20)
      assert.equal($('form.diagnostico').length, 1)
      // The text that was refused is where it was written.
      assert.equal($('form.diagnostico details').attr('open') !== undefined, xml !== '')
      assert.equal($('img, [onerror]').length, 0)
    }
  })

  test('says where a field that is out of order goes', async () => {
    nextMinute()
    const antes = nota.replace(/(<tpNF>.*?)(<idDest>.*?<\/idDest>)/s, '$2$1')
    const fim = nota.replace(/(<ide>)(.*?)(<verProc>.*?<\/verProc>)/s, '$1$3$2')
    assert.match(
      load((await send({ xml: antes })).text)('.emendas').text(),
      /Mover para antes de .*ide\/cMunFG/,
    )
    assert.match(load((await send({ xml: fim })).text)('.emendas').text(), /Mover para o fim do grupo/)
  })

  test('gives the corrected XML as a file, by a form that keeps nothing, and says what is left to do', async () => {
    nextMinute()
    const quebrada = nota
      .replaceAll('\n', '\r\n')
      .replace('<NCM>', '<NCM>\t')
      .replace('São Paulo', 'S&#227;o Paulo')
    const $ = load((await send({ arquivo: new Blob([quebrada]), informado: '539' })).text)
    const card = $('section:has(#corrigido)')
    assert.equal(card.find('button').length, 0)
    assert.match(card.text(), /vem sem assinatura/)
    assert.match(
      card.text(),
      /O que falta fazer.*Resolva a rejeição 539.*Assine o XML.*Transmita a nota assinada/s,
    )
    const form = card.find('form')
    assert.deepEqual([form.attr('method'), form.attr('action')], ['post', '/blog/rejeicoes/corrigido'])
    // Nobody has to look for it: it is beside the title, and there alone.
    assert.equal($('.topo button').text(), 'Baixar o XML corrigido')
    assert.equal($('.topo button').attr('form'), form.attr('id'))
    const body = new URLSearchParams({ nota: String(form.find('input[type="hidden"]').attr('value')) })
    const headers = { 'sec-fetch-site': 'same-origin' }
    const file = await house.ask('/blog/rejeicoes/corrigido', { method: 'POST', body, headers, key: null })
    assert.equal(file.status, 200)
    const chave = /Id="NFe(\d{44})"/.exec(nota)?.[1]
    assert.equal(file.headers.get('content-type'), 'application/xml; charset=utf-8')
    assert.equal(file.headers.get('content-disposition'), `attachment; filename="${chave}-corrigido.xml"`)
    assert.equal(file.headers.get('cache-control'), 'no-store')
    assert.equal(file.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(file.text, quebrada.replace('<NCM>\t', '<NCM>').replace(/<vNF>[^<]*/, '<vNF>3822.00'))
    for (const other of [{ 'sec-fetch-site': 'cross-site' }, {}])
      assert.equal(
        (await house.ask('/blog/rejeicoes/corrigido', { method: 'POST', body, headers: other, key: null }))
          .status,
        400,
      )
    // A note without a certain mend has no button, and nothing to give.
    const boa = nota.replace('<NCM>', '<NCM>1')
    const semNada = load((await send({ xml: boa })).text)
    assert.equal(semNada('#corrigido').length, 0)
    assert.match(
      semNada('.topo .acoes').text(),
      /^Sem arquivo corrigido: o certo só você sabe \(item 1, campo NCM\)\./,
    )
  })

  test('gives no file for what no page of ours carries', async () => {
    nextMinute()
    const guardada = (texto: string | Buffer) => gzipSync(texto).toString('base64url')
    for (const [campo, says] of [
      ['', /formulário não pôde ser lido/],
      ['nada', /formulário não pôde ser lido/],
      [guardada(Buffer.alloc(2 * 1024 * 1024)), /formulário não pôde ser lido/],
      [guardada('nada'), /não é um XML/],
      [guardada(nota), /Não há correção certa/],
    ] as const) {
      const answer = await house.ask('/blog/rejeicoes/corrigido', {
        method: 'POST',
        body: new URLSearchParams({ nota: campo }),
        headers: { 'sec-fetch-site': 'same-origin' },
        key: null,
      })
      assert.equal(answer.status, 400)
      assert.match(load(answer.text)('main').text(), says)
    }
    const page = await house.ask('/blog/rejeicoes/corrigido', { key: null })
    assert.deepEqual([page.status, page.headers.get('location')], [301, '/blog/rejeicoes/diagnostico/'])
  })

  test('shows hostile values of a note as the text that they are', async () => {
    nextMinute()
    const escaped = MALDADE.replace(/&/g, '&amp;').replace(/</g, '&lt;')
    const xml = ERRADA.replace(/<NCM>[^<]*/, () => `<NCM>${escaped}`)
    const $ = load((await send({ xml, informado: MALDADE })).text)
    assert.equal($('main img, [onerror], main script').length, 0)
    assert.ok($('section:has(#esquema)').text().includes(MALDADE))
  })
})

describe('the form is refused', () => {
  test('from the page of somebody else, and from none', async () => {
    nextMinute()
    for (const headers of [
      {},
      { 'sec-fetch-site': 'cross-site', origin: house.address },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { origin: 'https://exemplo.com.br' },
      { origin: 'null' },
      { origin: house.address.replace(/:\d+$/, ':1') },
      { origin: `${house.address}.exemplo.com.br` },
    ]) {
      const { status, text } = await send({ xml: ERRADA }, headers)
      assert.equal(status, 400, JSON.stringify(headers))
      assert.match(load(text)('main').text(), /não veio desta página/)
    }
    assert.equal((await send({ xml: ERRADA }, { origin: house.address })).status, 200)
  })

  test('but not from its pages at the address that the operator gave', async (t) => {
    const named = await startCatalogo({ PUBLIC_URL: 'https://exemplo.com.br' })
    t.after(() => named.close())
    const from = async (origin: string): Promise<number> => {
      const body = formOf({ xml: ERRADA })
      return (await named.ask(PATH, { method: 'POST', body, headers: { origin }, key: null })).status
    }
    assert.equal(await from('https://exemplo.com.br'), 200)
    assert.equal(await from('http://exemplo.com.br'), 400)
    assert.equal(await from('https://outro.exemplo.com.br'), 400)
  })

  test('after 10 a minute from one address, until the minute is over', async () => {
    nextMinute()
    for (let at = 0; at < 10; at++) assert.equal((await send({ xml: 'nada' })).status, 400)
    const { status, headers, text } = await send({ xml: ERRADA })
    assert.equal(status, 429)
    assert.equal(headers.get('retry-after'), '60')
    assert.match(load(text)('main').text(), /São 10 diagnósticos por minuto/)
    clock.instant += 20_000
    const later = await send({ xml: ERRADA })
    assert.equal(later.headers.get('retry-after'), '40')
    assert.match(load(later.text)('main').text(), /de novo em 40 s/)
    nextMinute()
    assert.equal((await send({ xml: ERRADA })).status, 200)
  })

  test('over 1 MiB, or in a form that cannot be read', async () => {
    nextMinute()
    const large = nota.replace('</NFe>', `<!--${'x'.repeat(1024 * 1024)}--></NFe>`)
    assert.equal((await send({ xml: large })).status, 400)
    assert.equal((await send({ xml: large.repeat(2) })).status, 413)
    const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'multipart/form-data' }
    const broken = await house.ask(PATH, { method: 'POST', body: 'xml', headers, key: null })
    assert.equal(broken.status, 400)
    const json = { ...headers, 'content-type': 'application/json' }
    const other = await house.ask(PATH, { method: 'POST', body: '{}', headers: json, key: null })
    assert.equal(other.status, 415)
  })

  test('with more fields, or longer headers, than a page of ours sends', async () => {
    nextMinute()
    const parte = (name: string): string =>
      `--lado\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${ERRADA}\r\n`
    const formulario = 'application/x-www-form-urlencoded'
    const partes = 'multipart/form-data; boundary=lado'
    const recusados: readonly (readonly [type: string, body: string])[] = [
      [formulario, `${'a&'.repeat(500_000)}xml=1`],
      [
        partes,
        `${'--lado\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'.repeat(30)}${parte('xml')}--lado--`,
      ],
      [partes, `--lado\r\n${'A: b\r\n'.repeat(1000)}${parte('xml').slice(8)}--lado--`],
      ['multipart/form-data; boundary=outro; boundary=lado', `${parte('xml')}--lado--`],
    ]
    for (const [type, body] of recusados) {
      const headers = { 'sec-fetch-site': 'same-origin', 'content-type': type }
      const { status, text } = await house.ask(PATH, { method: 'POST', body, headers, key: null })
      assert.equal(status, 400)
      assert.match(load(text)('main').text(), /formulário não pôde ser lido/)
    }
    for (const type of [partes, 'multipart/form-data; boundary="lado"']) {
      const headers = { 'sec-fetch-site': 'same-origin', 'content-type': type }
      const body = `${parte('xml')}--lado--\r\n`
      assert.equal((await house.ask(PATH, { method: 'POST', body, headers, key: null })).status, 200)
    }
  })

  test('where it is asked for as a page, which leads to the form', async () => {
    for (const path of [PATH, '/blog/rejeicoes/diagnostico']) {
      const { status, headers } = await house.ask(path, { key: null })
      assert.deepEqual([status, headers.get('location')], [301, '/blog/rejeicoes/diagnostico/'])
    }
  })
})

describe('the queue of the forms', () => {
  /** It takes a while, and has nothing that is told. */
  const demorada = nota.replace('<total>', `${'<det/>'.repeat(30_000)}<total>`)

  test('takes two waiting notes of an address, and answers another address before the second of them', async () => {
    nextMinute()
    const ended: string[] = []
    const sent = Array.from({ length: 4 }, (_, i) => {
      const answer = sendFrom('127.0.0.2', demorada).answer
      void answer.then(({ status }) => ended.push(`one ${status}`)).catch(() => ended.push(`failed ${i}`))
      return answer
    })
    // One is at work and two wait once a fourth is refused.
    const { status, text } = await Promise.race(sent)
    assert.equal(status, 429)
    assert.match(load(text)('main').text(), /Já há diagnósticos deste endereço na fila/)
    const other = await sendFrom('127.0.0.3', nota).answer
    assert.equal(other.status, 200)
    assert.ok(ended.filter((one) => one === 'one 200').length < 3, ended.join())
    await Promise.all(sent)
    assert.deepEqual(ended.toSorted(), ['one 200', 'one 200', 'one 200', 'one 429'])
  })

  test('is left by who hangs up, and leaves a thread to the accounts meanwhile', async () => {
    nextMinute()
    const gone = Array.from({ length: 4 }, () => sendFrom('127.0.0.4', demorada))
    const answers = gone.map(({ answer }) => answer)
    await Promise.race(answers)
    const body = JSON.stringify({ xml: nota })
    const headers = { 'content-type': 'application/json' }
    const conta = house.ask('/api/v1/rejeicoes/diagnosticar', { method: 'POST', body, headers })
    for (const { hangUp } of gone) hangUp()
    const fim = await Promise.allSettled(answers)
    assert.ok(fim.some(({ status }) => status === 'rejected'))
    assert.equal((await conta).status, 200)
    assert.equal((await sendFrom('127.0.0.4', nota).answer).status, 200)
  })
})

test('a page tells the day of the rules, what a rule of today would say, and accuses no authorised note', async (t) => {
  const own = await start({}, () => NOW)
  t.after(own.close)
  const enviar = async (xml: string): Promise<CheerioAPI> =>
    load(
      (
        await own.ask(PATH, {
          method: 'POST',
          body: formOf({ xml }),
          headers: { 'sec-fetch-site': 'same-origin' },
          key: null,
        })
      ).text,
    )
  const deOntem = aplicarMudancas(notaBase('venda-balcao'), [
    { campo: 'ide/dhEmi', valor: '2026-08-02T10:15:00-03:00' },
    { campo: 'transp/modFrete', valor: '0' },
    { recalcular: 'chave' },
  ])
  const ontem = await enviar(deOntem)
  assert.match(
    ontem('.topo').text(),
    /Conferida pelas regras de 02\/08\/2026 \(o dia da emissão\), em produção\./,
  )
  assert.match(ontem('section:has(#hoje)').text(), /753: /)
  assert.doesNotMatch(textsOf(ontem, '.suspeita h2').join(), /753/)
  const protocolo = `<protNFe versao="4.00"><infProt><chNFe>${/Id="NFe(\d+)/.exec(ERRADA)?.[1]}</chNFe><dhRecbto>2026-11-10T10:20:00-03:00</dhRecbto><cStat>100</cStat></infProt></protNFe>`
  const autorizada = await enviar(
    `<nfeProc xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00">${ERRADA.replace(/^<\?xml[^>]*>\s*/, '')}${protocolo}</nfeProc>`,
  )
  assert.match(autorizada('.faixa-aviso').text(), /^Esta nota foi autorizada: nada nela se acusa/)
  assert.match(autorizada('section:has(#divergencias)').text(), /Regra posterior, ou diferença nossa.*610: /s)
  assert.equal(autorizada('.suspeita, #emendas, #corrigido').length, 0)
})

test('the figures that are shown of a total add up to what it should be, each with its sign', async (t) => {
  const own = await start({}, () => NOW)
  t.after(own.close)
  const parcelas = async (xml: string): Promise<string[]> => {
    const headers = { 'sec-fetch-site': 'same-origin' }
    const $ = load((await own.ask(PATH, { method: 'POST', body: formOf({ xml }), headers, key: null })).text)
    return textsOf($, '.suspeita:has(a[href*="rejeicao-610-"]) .lidos > div').map((one) =>
      one.replace(/^.*ICMSTot\//, ''),
    )
  }
  const dasDuas = ['vProd+ 3.818,00', 'vDesc− 96,00', 'vFrete+ 100,00']
  const informado = 'vNF9.999,99'
  assert.deepEqual(await parcelas(ERRADA), [...dasDuas, 'Soma3.822,00', informado])
  // What the XML does not decide is folded, each reason once.
  const headers = { 'sec-fetch-site': 'same-origin' }
  const answer = await own.ask(PATH, { method: 'POST', body: formOf({ xml: ERRADA }), headers, key: null })
  const $ = load(answer.text)
  const open = $('section:has(#verificacoes) details')
  assert.match(open.find('summary').text(), /^\d+ que não dá para conferir só com o XML$/)
  const motivos = textsOf($, 'section:has(#verificacoes) details > p')
  assert.equal(new Set(motivos).size, motivos.length)
  assert.equal(open.find('.achados > li').length, Number.parseInt(open.find('summary').text(), 10))
  // Of a return, the IPI that goes back is the last of what is summed.
  const devolvida = ERRADA.replace(/<vIPIDevol>[^<]*/, '<vIPIDevol>10.00')
  assert.deepEqual(await parcelas(devolvida), [...dasDuas, 'vIPIDevol+ 10,00', 'Soma3.832,00', informado])
})
