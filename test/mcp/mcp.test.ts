import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, type TestContext, test } from 'node:test'
import { operacoes } from '@consulta-fiscal/cliente'
import { Client as ClienteV2 } from '@modelcontextprotocol/client'
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio'
import { Client as ClienteV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { listNotas } from '../../simulator/roteiro/roteiro.ts'
import { maximoDe, metodos } from '../../src/mcp/resultado.ts'
import { lookups } from '../../src/painel/chamadas.ts'
import { mostOf } from '../../src/platform/http/exchange.ts'
import { rowsOf, testOnce } from '../kit/basics.ts'
import { type House, start } from '../kit/house.ts'
import { fiscalHere, startChild } from '../kit/processes.ts'
import { feita } from '../kit/sefaz.ts'
import { reservado, sharedSimulator } from '../kit/simulator.ts'

const raiz = join(import.meta.dirname, '../..')
const SENHA_ERRADA = 'esta senha não aparece'

const FOLGADO = ['--limite-creditos', '1000']

/** The client's certificate is checked against the real clock, and its note is of this moment. */
const agora = new Date()

/** What a tool answered, in a form that both clients have. */
type Respondido = { texto: string; isError: boolean; recursos: { mimeType?: string }[] }

/** An official client, whichever it is, talking with `fiscal mcp`. */
type Conversa = {
  ferramentas: () => Promise<Listada[]>
  chamar: (nome: string, argumentos?: Record<string, unknown>, opcoes?: Opcoes) => Promise<Respondido>
  pid: () => number
  disse: () => string
  fechar: () => Promise<void>
  fechou: Promise<void>
}

type Opcoes = {
  signal?: AbortSignal
  onprogress?: (aviso: { progress: number; message?: string | undefined }) => void
}

type Listada = {
  name: string
  title?: string
  description?: string
  inputSchema: { required?: string[]; properties?: object }
  annotations?: { readOnlyHint?: boolean; destructiveHint?: boolean; openWorldHint?: boolean }
  _meta?: Record<string, unknown>
}

/** The two lines of the protocol's official clients. */
const linhas = {
  v1: { Cliente: ClienteV1, Stdio: StdioV1 },
  v2: { Cliente: ClienteV2, Stdio: StdioV2 },
} as const

/** Closed with its test. */
async function conversar(t: TestContext, ...como: Parameters<typeof abrir>): Promise<Conversa> {
  const conversa = await abrir(...como)
  t.after(conversa.fechar)
  return conversa
}

async function abrir(
  linha: keyof typeof linhas,
  env: Record<string, string>,
  args: string[] = [],
): Promise<Conversa> {
  const { Cliente, Stdio } = linhas[linha]
  const transporte = new Stdio({
    command: process.execPath,
    args: [join(raiz, 'bin/fiscal.js'), 'mcp', ...args],
    env: { PATH: process.env.PATH ?? '', LOG_LEVEL: 'silent', ...env },
    stderr: 'pipe',
  })
  let dito = ''
  transporte.stderr?.on('data', (texto) => {
    dito += texto
  })
  const cliente = new Cliente({ name: 'teste', version: '1' })
  const fechou = new Promise<void>((resolve) => {
    cliente.onclose = resolve
  })
  // Each class has a transport of its own package, which the other's type does not take.
  await cliente.connect(transporte as never)
  return {
    ferramentas: async () => (await cliente.listTools()).tools as Listada[],
    chamar: async (name, argumentos = {}, opcoes = {}) => {
      const pedido = { name, arguments: argumentos }
      const resposta = (
        linha === 'v1'
          ? await (cliente as ClienteV1).callTool(pedido, undefined, opcoes)
          : await (cliente as ClienteV2).callTool(pedido, opcoes)
      ) as { isError?: boolean; content: { type: string; text?: string; resource?: { mimeType?: string } }[] }
      return {
        texto: resposta.content.map(({ text = '' }) => text).join('\n'),
        isError: resposta.isError === true,
        recursos: resposta.content.flatMap(({ resource }) => resource ?? []),
      }
    },
    pid: () => transporte.pid ?? 0,
    disse: () => dito,
    fechar: () => cliente.close(),
    fechou,
  }
}

/** The answer's JSON, after the line of what it cost. */
const dadosDe = ({ texto }: Respondido) => JSON.parse(texto.slice(texto.indexOf('\n\n') + 2))

const cnpj = '99034721000180'
const cpf = '16316645228'

testOnce('the most that a tool may cost is what its lookup declares', () => {
  const declared = new Map(lookups.map(({ declared: { url, price } }) => [url, mostOf(price)]))
  for (const metodo of metodos) {
    const url = operacoes[metodo].caminho.replaceAll(/\{(\w+)\}/g, ':$1')
    const dearest = maximoDe(metodo, { force_fresh: true, cadastros: true })
    assert.equal(dearest, declared.get(url), metodo)
  }
  assert.equal(metodos.length, declared.size)
})

describe('fiscal mcp', { concurrency: false }, () => {
  let house: House
  let env: Record<string, string>
  let chaveDaNota: string
  /** A conversation with the settings that all have, and room for all that they ask. */
  let comum: Conversa

  before(async () => {
    house = await start({}, () => agora)
    await house.rooms.sefaz.monitor.keep(feita(agora.getTime()))
    const linha = listNotas(agora).find(
      ({ espera }) => espera.status === 'ok' && espera.manifestacao === null,
    )
    assert.ok(linha?.envio)
    const file = await fetch(`${await sharedSimulator()}/certificados/${linha.envio.certificado}.pfx`)
    const arquivo = join(house.pasta, 'nota.pfx')
    writeFileSync(arquivo, Buffer.from(await file.arrayBuffer()))
    chaveDaNota = String(linha.envio.corpo.chave)
    env = {
      FISCAL_ENDERECO: house.address,
      FISCAL_CHAVE: house.apiKey ?? '',
      FISCAL_CERTIFICADO: arquivo,
      FISCAL_CERTIFICADO_SENHA: linha.envio.senha,
    }
    comum = await abrir('v2', env, FOLGADO)
  })
  after(async () => {
    await comum.fechar()
    await house.close()
  })

  /** One call of each tool, and what its answer says. */
  const chamadas = (): Record<string, { argumentos: Record<string, unknown>; diz: RegExp }> => ({
    consultar: { argumentos: { uf: 'RS', cnpj }, diz: /"situacao_ie":"ATIVA"/ },
    consultar_ie_todos: { argumentos: { cnpj }, diz: /"uf":"TO"/ },
    consultar_cnd: {
      argumentos: { uf: 'RS', cnpj },
      diz: /"status":"negativa".*\(omitido: application\/pdf/,
    },
    consultar_cnd_todos: { argumentos: { cnpj }, diz: /"uf":"TO"/ },
    consultar_cnd_federal: { argumentos: { cnpj: '98764015000120' }, diz: /nao_contribuinte/ },
    consultar_cnpj: { argumentos: { cnpj }, diz: /Custo: 1 crédito; restam \d+ na conta;.*FAREVEL/s },
    consultar_cnir: { argumentos: { cpf }, diz: /"total_imoveis":/ },
    perfil_produtor: { argumentos: { cnpj }, diz: /"receita_federal":\{/ },
    consultar_sigef: { argumentos: { cpf }, diz: /"total_parcelas":1/ },
    consultar_nfe_xml: { argumentos: { chave: chaveDaNota }, diz: /"status":"ok".*\(anexo consulta-fiscal:/ },
    base_cnpj: { argumentos: {}, diz: /"versao":"2026-10"/ },
    fontes: { argumentos: { uf: 'RS' }, diz: /"fonte":"RS\/ie"/ },
    conta: { argumentos: {}, diz: /"plano":"pro"/ },
    sefaz_status: { argumentos: { doc: 'nfe' }, diz: /"uf":"TO"/ },
    sefaz_historico: { argumentos: { doc: 'nfe', uf: 'SC' }, diz: /"autorizador":"SVRS"/ },
    sefaz_ambiente_nacional: { argumentos: {}, diz: /AN\/distribuicao/ },
    rejeicoes: { argumentos: { q: '539', page_size: 1 }, diz: /"codigo":539/ },
    rejeicao: { argumentos: { codigo: 539 }, diz: /"categoria":"Duplicidade"/ },
    diagnosticar: {
      argumentos: { xml: '<NFe><infNFe><ide><mod>55</mod></ide></infNFe></NFe>' },
      diz: /"modelo":"55"/,
    },
    custos: { argumentos: {}, diz: /"consultar_ie_todos":27/ },
  })

  for (const linha of rowsOf(['v2', 'v1'] as const))
    test(`the official client ${linha} calls each tool, and none costs more than it says`, async (t) => {
      const mcp = linha === 'v2' ? comum : await conversar(t, linha, env, FOLGADO)
      const ferramentas = await mcp.ferramentas()
      const todas = chamadas()
      assert.deepEqual(ferramentas.map(({ name }) => name).toSorted(), Object.keys(todas).toSorted())
      for (const { name, title, description = '', annotations, _meta } of ferramentas) {
        assert.ok(title && /^\[(?:Custa até \d+ crédito|Não custa créditos)/.test(description), name)
        assert.doesNotMatch(description, /event-stream|\*\*|\/api\//)
        assert.equal(annotations?.destructiveHint, false)
        const { argumentos = {}, diz = /$^/ } = todas[name] ?? {}
        const resposta = await mcp.chamar(name, argumentos)
        assert.match(resposta.texto, diz, name)
        assert.equal(resposta.isError, false)
        assert.ok(resposta.texto.length < 70_000, name)
        const custou = Number(/^Custo: (\d+) crédito/.exec(resposta.texto)?.[1])
        if (name !== 'custos') assert.ok(custou <= Number(_meta?.['consulta-fiscal/custo-maximo']), name)
      }
      const { nesta_hora } = dadosDe(await mcp.chamar('custos'))
      assert.ok(nesta_hora.usados > 60 && nesta_hora.limite === 1000)
      assert.doesNotMatch(mcp.disse(), /99034721000180|16316645228|fk_/)
      assert.match(mcp.disse(), /consultar_cnpj: ok/)
    })

  testOnce("the certificate and its password are the server's: no argument names them", async () => {
    const nota = (await comum.ferramentas()).find(({ name }) => name === 'consultar_nfe_xml')
    assert.deepEqual(Object.keys(nota?.inputSchema.properties ?? {}).toSorted(), ['chave', 'cnpj', 'simular'])
    assert.deepEqual(nota?.inputSchema.required, ['chave'])
    const { recursos } = await comum.chamar('consultar_nfe_xml', {
      chave: chaveDaNota,
      certificado: 'AA==',
      senha: SENHA_ERRADA,
    })
    assert.deepEqual(
      recursos.map(({ mimeType }) => mimeType),
      ['application/xml'],
    )
  })

  testOnce(
    'no manifestation is sent unless the operator allowed it and the model asked for it',
    async (t) => {
      const linha = listNotas(agora).find(({ espera }) => espera.manifestacao === 'ciencia_registrada')
      assert.ok(linha?.envio)
      const { certificado, senha, corpo } = linha.envio
      const file = await fetch(`${await sharedSimulator()}/certificados/${certificado}.pfx`)
      const arquivo = join(house.pasta, 'destinatario.pfx')
      writeFileSync(arquivo, Buffer.from(await file.arrayBuffer()))
      const seu = { ...env, FISCAL_CERTIFICADO: arquivo, FISCAL_CERTIFICADO_SENHA: senha }
      const pedida = { chave: String(corpo.chave), manifestar: true }

      const sem = await conversar(t, 'v2', seu)
      const recusada = dadosDe(await sem.chamar('consultar_nfe_xml', pedida)).resultados[0]
      assert.deepEqual([recusada.status, recusada.manifestacao], ['somente_resumo', null])

      const com = await conversar(t, 'v2', seu, ['--permitir-manifestacao'])
      const nota = (await com.ferramentas()).find(({ name }) => name === 'consultar_nfe_xml')
      assert.deepEqual([nota?.annotations?.destructiveHint, nota?.annotations?.readOnlyHint], [true, false])
      const calada = dadosDe(await com.chamar('consultar_nfe_xml', { chave: pedida.chave })).resultados[0]
      assert.equal(calada.manifestacao, null)
      const feitaAgora = dadosDe(await com.chamar('consultar_nfe_xml', pedida)).resultados[0]
      assert.deepEqual([feitaAgora.status, feitaAgora.manifestacao], ['ok', 'ciencia_registrada'])
    },
  )

  testOnce('a call that may cost more than is left of the hour is refused before it is made', async (t) => {
    const mcp = await conversar(t, 'v1', env, ['--limite-creditos', '28'])
    const nunca = await mcp.chamar('perfil_produtor', { cnpj })
    assert.ok(nunca.isError)
    assert.match(
      nunca.texto,
      /^LIMITE_POR_HORA: Esta chamada pode custar até 55 créditos.*não cabe nesse limite/,
    )
    assert.equal((await mcp.chamar('consultar_cnpj', { cnpj })).isError, false)
    assert.equal((await mcp.chamar('consultar_cnpj', { cnpj })).isError, false)
    const demais = await mcp.chamar('consultar_ie_todos', { cnpj })
    assert.match(demais.texto, /^LIMITE_POR_HORA:.*limite.*28 por hora: 2 já.*em cerca de \d+ min/)
    assert.equal((await mcp.chamar('consultar_cnpj', { cnpj, force_fresh: true })).isError, false)
    assert.equal(dadosDe(await mcp.chamar('custos')).nesta_hora.cabem, 23)
    const negada = await mcp.chamar('consultar', { uf: 'RS', cnpj: '1' })
    assert.ok(negada.isError)
    assert.equal(dadosDe(await mcp.chamar('custos')).nesta_hora.usados, 5)
  })

  testOnce(
    'a proxy that answers in the place of the service, a call that its model cancelled, and a service that is gone leave the server at work',
    async (t) => {
      let isCut = true
      const proxy = createServer((asked, response) => {
        if (isCut && asked.url?.startsWith('/api/consultar'))
          return response.writeHead(504).end('Gateway Timeout')
        const { url = '', headers } = asked
        const onward = request(house.address + url, { headers, agent: false }, (real) => {
          response.writeHead(real.statusCode ?? 502, real.headers)
          real.pipe(response)
        })
        response.on('close', () => onward.destroy())
        onward.on('error', () => response.destroy()).end()
      })
      await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
      const close = async () => {
        proxy.close()
        proxy.closeAllConnections()
      }
      t.after(close)
      const port = Object(proxy.address()).port
      const mcp = await conversar(t, 'v1', { ...env, FISCAL_ENDERECO: `http://127.0.0.1:${port}` })
      const cortada = await mcp.chamar('consultar_cnpj', { cnpj })
      assert.match(cortada.texto, /HTTP_504/)
      assert.equal(
        dadosDe(await mcp.chamar('custos')).nesta_hora.usados,
        1,
        'it counts with the most that it may cost',
      )
      isCut = false
      const desistir = new AbortController()
      const chamada = mcp.chamar(
        'consultar_cnd_todos',
        // Some states never answer for this one, so the answer cannot come before the model cancels.
        { cnpj: reservado('misto'), force_fresh: true },
        { signal: desistir.signal, onprogress: () => desistir.abort('chega') },
      )
      await assert.rejects(chamada)
      assert.equal((await mcp.chamar('base_cnpj')).isError, false)
      await close()
      const caida = await mcp.chamar('base_cnpj')
      assert.match(caida.texto, /^CONEXAO: Não houve resposta do serviço \(ECONNREFUSED\)/)
      process.kill(mcp.pid(), 'SIGKILL')
      await mcp.fechou
    },
  )

  testOnce('what is wrong is told with its code, in Portuguese, and what to do', async () => {
    const erros: [string, Record<string, unknown>, RegExp][] = [
      ['consultar', {}, /^PARAMETRO_AUSENTE: .*Repetir a mesma chamada não muda.*request_id/],
      ['consultar', { uf: 'RS', cnpj: '1' }, /^DOCUMENTO_INVALIDO: /],
      ['consultar', { uf: 'RS', cnpj: { $ne: 1 } }, /^DOCUMENTO_INVALIDO: /],
      ['consultar_cnd_federal', { cnpj: '11111111111111' }, /^CNPJ_INVALIDO: /],
      ['consultar_nfe_xml', { chave: '123' }, /^CHAVE_INVALIDA: /],
      ['rejeicao', { codigo: 1 }, /^REJEICAO_NAO_ENCONTRADA: /],
    ]
    for (const [nome, argumentos, diz] of erros) {
      const resposta = await comum.chamar(nome, argumentos)
      assert.ok(resposta.isError, nome)
      assert.match(resposta.texto, diz)
    }
    await assert.rejects(
      comum.chamar('apagar_tudo').then(({ isError, texto }) => {
        if (isError) throw new Error(texto)
      }),
      /apagar_tudo/,
    )
  })

  testOnce('a PDF comes where it is asked for, as a resource and not as text', async () => {
    const { recursos, texto } = await comum.chamar('consultar_cnd', { uf: 'RS', cnpj, incluir_pdf: true })
    assert.deepEqual(
      recursos.map(({ mimeType }) => mimeType),
      ['application/pdf'],
    )
    assert.ok(texto.length < 5000)
  })

  testOnce('the states are counted while they come, and stdout has messages alone', async (t) => {
    const { child } = startChild('bin/fiscal.js', ['mcp'], house.pasta, env)
    t.after(() => child.kill())
    assert.ok(child.stdin && child.stdout)
    const dizer = (mensagem: object) =>
      child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...mensagem })}\n`)
    const clientInfo = { name: 'teste', version: '1' }
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
    dizer({ id: 1, method: 'initialize', params })
    dizer({ method: 'notifications/initialized' })
    const pedido = { name: 'consultar_ie_todos', arguments: { cnpj }, _meta: { progressToken: 'p' } }
    dizer({ id: 2, method: 'tools/call', params: pedido })
    const avisos: { progress: number; message: string; progressToken: string }[] = []
    for await (const linha of createInterface({ input: child.stdout })) {
      const mensagem = JSON.parse(linha)
      if (mensagem.method === 'notifications/progress') avisos.push(mensagem.params)
      if (mensagem.id === 2) break
    }
    assert.deepEqual(
      avisos.map(({ progress }) => progress),
      Array.from({ length: 27 }, (_, i) => i + 1),
    )
    assert.equal(new Set(avisos.map(({ message }) => message)).size, 27)
    assert.ok(avisos.every(({ progressToken }) => progressToken === 'p'))
  })

  testOnce(
    'the configuration that the guide shows starts it: without a certificate there is no tool for notes',
    async (t) => {
      const guia = readFileSync(join(raiz, 'docs/guia/mcp.md'), 'utf8')
      const {
        command,
        args,
        env: shown,
      } = JSON.parse(/```json[^\n]*\n(.*?)```/s.exec(guia)?.[1] ?? '').mcpServers['consulta-fiscal']
      assert.deepEqual([command, args[0].endsWith('/bin/fiscal.js'), args[1]], ['node', true, 'mcp'])
      assert.deepEqual(Object.keys(shown), ['FISCAL_ENDERECO', 'FISCAL_CHAVE'])
      const { FISCAL_ENDERECO = '', FISCAL_CHAVE = '' } = env
      const mcp = await conversar(t, 'v2', { FISCAL_ENDERECO, FISCAL_CHAVE }, args.slice(2))
      assert.equal(dadosDe(await mcp.chamar('custos')).nesta_hora.limite, 60)
      const ferramentas = await mcp.ferramentas()
      assert.ok(ferramentas.length > 10 && !ferramentas.some(({ name }) => name === 'consultar_nfe_xml'))
    },
  )

  test('it does not start without a key, a service or a certificate that it can read', async () => {
    const { FISCAL_CHAVE: _, ...semChave } = env
    const casos: [Record<string, string>, string[], RegExp][] = [
      [semChave, [], /Falta a chave de API/],
      [
        { ...env, FISCAL_ENDERECO: 'http://127.0.0.1:1' },
        [],
        /Não houve resposta do serviço.*Confira FISCAL_ENDERECO/,
      ],
      [{ ...env, FISCAL_CERTIFICADO: '/nao/ha.pfx' }, [], /Não consegui ler o certificado/],
      [env, ['--limite-creditos', 'muitos'], /envie um número inteiro de créditos/],
    ]
    for (const [com, args, diz] of casos) {
      const { code, stderr } = await fiscalHere({ env: com, cwd: house.pasta }, 'mcp', ...args)
      assert.equal(code, 1)
      assert.match(stderr, diz)
    }
    if (!process.env.LONGO) return
    const { ended, said } = startChild('bin/fiscal.js', ['mcp'], house.pasta, semChave)
    assert.equal(await ended, 1)
    assert.match(said(), /Falta a chave de API/)
  })
})
