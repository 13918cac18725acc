import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Linha } from '../../simulator/roteiro/linha.ts'
import { listNotas } from '../../simulator/roteiro/roteiro.ts'
import type { RespostaNfe } from '../../src/nfe/api.ts'
import { apresentarNfeXml, formatChave } from '../../src/nfe/apresentacao.ts'
import { NOW } from '../kit/basics.ts'
import type { House } from '../kit/house.ts'
import { waits } from '../kit/nfe-steps.ts'
import { DA_CHAMADA, testApresentacoes } from '../painel/apresentacoes.ts'

const seen = new Set<string>()

/** One row of each outcome. With LONGO all that wait for nobody. */
function isFirst(linha: Linha): boolean {
  const { status, manifestacao, cstat } = linha.espera
  const outcome = [status, manifestacao, cstat, linha.envio?.corpo.simular].join(' ')
  if (waits(linha) || (seen.has(outcome) && !process.env.LONGO)) return false
  seen.add(outcome)
  return true
}

/** The A1 file of a row comes from the simulator that the house asks. */
async function perguntar(house: House, { endpoint, envio }: Linha) {
  assert.ok(envio)
  const { simulador } = house.rooms.platform
  const file = await (await fetch(`${simulador}/certificados/${envio.certificado}.pfx`)).arrayBuffer()
  return house.ask(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...envio.corpo,
      certificado: Buffer.from(file).toString('base64'),
      senha: envio.senha,
    }),
  })
}

testApresentacoes(
  [
    {
      caminho: '/api/consultar-nfe-xml',
      apresentar: apresentarNfeXml,
      fora: {
        request_id: DA_CHAMADA.request_id ?? '',
        avisos: DA_CHAMADA.avisos ?? '',
        total: 'it is always one',
        com_dado: 'the verdict says whether the note came',
        creditos_cobrados: 'the page says what the call cost',
        'resultados[].simulacao.evento': 'its name is said',
        'resultados[].simulacao.no_prazo': 'the verdict says it where it is over',
      },
    },
  ],
  listNotas(NOW).filter(isFirst),
  { perguntar },
)

const resposta = (resultado: Partial<RespostaNfe['resultados'][number]>): RespostaNfe => ({
  request_id: '01a223ea-1dce-772d-9011-743b3231e620',
  total: 1,
  com_dado: 0,
  creditos_cobrados: 0,
  consultado_em: '2026-11-14T15:00:00.000Z',
  avisos: [],
  resultados: [
    {
      chave: '35261198763001000192550010000000021191112343',
      status: 'somente_resumo',
      cstat: '138',
      mensagem: 'A SEFAZ entregou só o resumo da nota.',
      from_cache: false,
      manifestacao: null,
      xml: null,
      retryable: false,
      ...resultado,
    },
  ],
})

test('a summary alone is never green, and says what is missing for the XML', () => {
  const verdicts: readonly (readonly [Partial<RespostaNfe['resultados'][number]>, string, string])[] = [
    [{}, 'nota', 'Só o resumo: falta a Ciência da Operação'],
    [{ retryable: true }, 'lento', 'Só o resumo: o XML ainda não foi liberado'],
    [
      { manifestacao: 'ciencia_registrada', retryable: true },
      'lento',
      'Só o resumo: a Ciência foi registrada, falta o XML',
    ],
    [{ manifestacao: 'ciencia_rejeitada' }, 'nota', 'Só o resumo: a SEFAZ recusou a Ciência'],
    [{ manifestacao: 'ciencia_fora_prazo' }, 'nota', 'Só o resumo: o prazo da Ciência acabou'],
    [{ manifestacao: 'confirmacao_erro' }, 'nota', 'Só o resumo: a Confirmação ficou sem resposta'],
    [{ manifestacao: 'ciencia_nao_suportada' }, 'nota', 'Só o resumo: o certificado não assina a Ciência'],
  ]
  for (const [resultado, tom, veredito] of verdicts) {
    const dita = apresentarNfeXml(resposta(resultado), NOW)
    assert.deepEqual([dita.tom, dita.veredito], [tom, veredito])
    assert.match(String(dita.frase), /Nada foi cobrado\.$/)
    assert.equal(dita.papel, undefined)
  }
})

test('an XML is good news where its protocol authorizes the note, and with no other', () => {
  const xml = (cStat: string) =>
    `<nfeProc xmlns="http://www.portalfiscal.inf.br/nfe"><NFe><infNFe/></NFe><protNFe><infProt><cStat>${cStat}</cStat></infProt></protNFe></nfeProc>`
  for (const [text, tom, veredito] of [
    [xml('100'), 'bom', 'Nota autorizada, XML completo'],
    [xml('150'), 'bom', 'Nota autorizada, XML completo'],
    [xml('301'), 'nota', 'XML completo; confira a autorização de uso'],
    ['<a', 'nota', 'XML completo; confira a autorização de uso'],
  ] as const) {
    const dita = apresentarNfeXml(resposta({ status: 'ok', xml: text }), NOW)
    assert.deepEqual([dita.tom, dita.veredito], [tom, veredito])
    assert.equal(dita.papel?.tipo, 'xml')
  }
})

test('a message speaks of what a page has, not of parameters', () => {
  const mensagem =
    'Para liberar o XML, repita a consulta com manifestar = true: a Ciência é aceita até 20/11. Use o CNPJ dele no campo cnpj. Ao repetir, envie outra Idempotency-Key: com a mesma, a resposta será esta por 24 horas.'
  const { frase } = apresentarNfeXml(resposta({ mensagem }), NOW)
  assert.equal(
    String(frase),
    'Para liberar o XML, repita a consulta com a manifestação do destinatário autorizada: a Ciência é aceita até 20/11. Use o CNPJ dele no campo CNPJ. Nada foi cobrado.',
  )
})

test('a key is written in groups of four', () => {
  assert.equal(
    formatChave('35261198763001000192550010000000021191112343'),
    '3526 1198 7630 0100 0192 5500 1000 0000 0211 9111 2343',
  )
})
