import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createReceitaFederal } from '../../simulator/autoridades.ts'
import { cenariosFederais } from '../../simulator/federal/cenarios.ts'
import { createCaptchas } from '../../simulator/portal/captcha.ts'
import { rotasFederais } from '../../src/federal/federal.ts'
import type { AndamentoFederal, RotaId } from '../../src/federal/source.ts'
import { openContrato } from '../../src/federal/source-serpro.ts'
import { RotaNaoAtende, SourceError } from '../../src/platform/wire/fonte.ts'
import type { CaptchaSolver } from '../../src/portal/captcha.ts'
import { type Authority, openAuthority } from '../kit/authority.ts'
import { AGORA, tentativa } from '../kit/federal.ts'

const now = () => AGORA
let authority: Authority
let emissoes: () => Record<string, number>
let asked: (rota: RotaId, cnpj: string, mais?: Mais) => Promise<string>

type Mais = { emitir?: 'sempre'; andamento?: AndamentoFederal | undefined; notas?: AndamentoFederal[] }

before(async () => {
  const captchas = createCaptchas(now)
  const autoridades = createReceitaFederal({ agora: now, ritmo: 0, captchas })
  authority = await openAuthority(autoridades)
  const ambiente = Object(autoridades[0]?.ambiente?.())
  emissoes = () => Object(autoridades[0]?.contadores?.()).federal.emissoes
  const captcha: CaptchaSolver = {
    takes: () => true,
    solve: async (desafio) => {
      assert.ok('siteKey' in desafio)
      const { siteKey: site_key, tipo, pagina, invisivel, enterprise, acao } = desafio
      const pedido = Buffer.from(JSON.stringify({ tipo, site_key, pagina, invisivel, enterprise, acao }))
      const { json } = captchas.resolvedor.resolver(`Bearer ${captchas.resolvedor.token}`, pedido)
      assert.ok('resposta' in json, JSON.stringify(json))
      return json.resposta
    },
  }
  const contrato = openContrato(authority.http, { chaves: ambiente.federal, etiqueta: 'teste', now })
  const rotas = rotasFederais(
    { CND_FEDERAL_ROTAS: 'contrato,portal', CND_FEDERAL_VERSAO: 'v2' },
    { contrato, captcha },
  )
  asked = async (id, cnpj, { emitir, andamento, notas } = {}) => {
    const rota = rotas.find((one) => one.id === id)
    assert.ok(rota && rota.falta === '')
    const means = tentativa({ http: authority.http, captcha, andamento, deadlineMs: 5_000 })
    const answer = await rota
      .ask({ cnpj, emitir: emitir ?? 'se-preciso' }, means.meios)
      .catch((error: unknown) => error)
    notas?.push(...means.notas)
    return tell(answer)
  }
})
after(() => authority.close())

/** Says an answer in a few words. */
function tell(answer: unknown): string {
  if (answer instanceof SourceError) return `${answer.kind} ${answer.codigo ?? answer.status ?? ''}`.trim()
  if (answer instanceof RotaNaoAtende) return 'não atende'
  const { tipo, recusa, certidao, emitida } = Object(answer)
  return tipo === 'recusa' ? recusa.status : `${certidao.status}${emitida ? ', emitida' : ''}`
}

const cnpjOf = (nome: string): string => {
  const cenario = cenariosFederais.find((one) => one.nome === nome)
  assert.ok(cenario, nome)
  return cenario.documento
}

/** What each company gets by the gateway and by the portal, each asked of a simulator that saw the other. */
const esperados: Record<string, [contrato: string, portal: string]> = {
  'gateway-403': ['http sem-produto', 'negativa, emitida'],
  'gateway-429': ['http 429', 'negativa, emitida'],
  'gateway-503': ['http 503', 'negativa, emitida'],
  emite: ['negativa, emitida', 'negativa'],
  valida: ['negativa', 'negativa'],
  vencendo: ['negativa', 'negativa, emitida'],
  'vence-em-4': ['negativa', 'negativa'],
  'vence-em-3': ['negativa', 'negativa, emitida'],
  'vence-hoje': ['negativa', 'negativa, emitida'],
  efeitos: ['positiva_com_efeitos_de_negativa, emitida', 'positiva_com_efeitos_de_negativa'],
  insuficiente: ['positiva', 'positiva'],
  inapta: ['positiva', 'positiva'],
  'nao-inscrito': ['nao_contribuinte', 'nao_contribuinte'],
  processa: ['negativa, emitida', 'negativa'],
  'processa-muito': ['timeout em-processamento', 'timeout em-processamento'],
  'analise-uma-vez': ['http 202', 'negativa, emitida'],
  'base-fora': ['http 202', 'http indisponivel'],
  parametro: ['erro', 'negativa, emitida'],
  falha: ['http 500', 'http indisponivel'],
  'chave-perdida': ['negativa, emitida', 'negativa'],
  'sem-pdf': ['parse', 'negativa'],
  'data-uri': ['negativa', 'negativa'],
  'nomes-trocados': ['negativa, emitida', 'negativa'],
  'codigo-corrido': ['negativa, emitida', 'negativa'],
  'positiva-no-papel': ['positiva', 'positiva'],
  'tipo-e-papel': ['parse contradicao', 'positiva_com_efeitos_de_negativa'],
  'papel-colado': ['negativa, emitida', 'negativa'],
  'papel-raiz': ['negativa, emitida', 'negativa'],
  'papel-contradiz': ['parse certidao-invalida', 'parse certidao-invalida'],
  'papel-datas': ['parse certidao-invalida', 'parse certidao-invalida'],
  'papel-sem-codigo': ['parse certidao-invalida', 'parse certidao-invalida'],
  'portal-sistema-fora': ['negativa, emitida', 'http indisponivel'],
  'portal-mais-300': ['negativa', 'negativa'],
  'portal-nao-emitida': ['positiva', 'positiva'],
  'portal-sessao': ['negativa, emitida', 'negativa'],
  'portal-sem-segunda-via': ['negativa', 'negativa, emitida'],
}

test('each company of the list gets its answer by the gateway, then by the portal', async () => {
  const gotten: typeof esperados = {}
  for (const nome of Object.keys(esperados)) {
    const cnpj = cnpjOf(nome)
    gotten[nome] = [await asked('contrato', cnpj), await asked('portal', cnpj)]
  }
  assert.deepEqual(gotten, esperados)
})

const issued = (cnpj: string): number => emissoes()[cnpj] ?? 0

test('an issuance that outlives an attempt goes on by either route, and the authority sees one', async () => {
  for (const [rota, nome] of [
    ['contrato', 'papel-quebrado'],
    ['portal', 'papel-duas-paginas'],
  ] as const) {
    const cnpj = cnpjOf(nome)
    const notas: AndamentoFederal[] = []
    assert.equal(await asked(rota, cnpj, { notas }), 'negativa, emitida')
    // Its process died before it could tell: what it noted before is all that the next one knows.
    const andamento = notas[0]
    assert.equal(await asked(rota, cnpj, { andamento }), 'negativa, emitida')
    assert.equal(issued(cnpj), 1)
  }
})

test('emitir_nova issues beside a valid certificate, by the portal alone', async () => {
  const cnpj = cnpjOf('papel-sem-acentos')
  assert.equal(await asked('portal', cnpj, { emitir: 'sempre' }), 'negativa, emitida')
  assert.equal(await asked('portal', cnpj, { emitir: 'sempre' }), 'negativa, emitida')
  assert.equal(issued(cnpj), 2)
})
