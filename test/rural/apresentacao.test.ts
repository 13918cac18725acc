import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listRoteiro } from '../../simulator/roteiro/roteiro.ts'
import { creditosDe, textOf } from '../../src/platform/pages/apresentacao.ts'
import { semOperador } from '../../src/platform/pages/formatos.ts'
import type { RespostaConsultarCnir } from '../../src/rural/api-cnir.ts'
import { apresentarCnir, apresentarSigef } from '../../src/rural/apresentacao.ts'
import { apresentarPerfil } from '../../src/rural/apresentacao-perfil.ts'
import { NOW } from '../kit/basics.ts'
import { DA_CHAMADA, testApresentacoes } from '../painel/apresentacoes.ts'

const DA_FONTE = {
  request_id: DA_CHAMADA.request_id ?? '',
  avisos: DA_CHAMADA.avisos ?? '',
  fonte: 'its name is said',
  'source_status.error_code': 'its message says it in words',
}

testApresentacoes(
  [
    {
      caminho: '/api/consultar-cnir',
      apresentar: apresentarCnir,
      fora: {
        ...DA_FONTE,
        'pessoa_fisica.sexo': 'nobody decides anything by it',
        'imoveis_cafir[].codigo_situacao': 'the situation is said in words',
        'imoveis_cafir[].dados_tributarios.imunidades[].codigo': 'the immunity is said in words',
        'imoveis_cafir[].dados_tributarios.origem_imovel': 'a code whose table nobody publishes',
        'imoveis_cafir[].municipio_sede.codigo': 'the municipality is said by its name',
        total_imoveis: 'the properties are counted',
        total_imoveis_ativos: 'the properties are counted',
      },
    },
    {
      caminho: '/api/consultar-sigef',
      apresentar: apresentarSigef,
      fora: {
        ...DA_FONTE,
        'source_status.status': 'an answer without a result is a failure',
        'source_status.retryable': 'its message says when to ask again',
        'result.total_parcelas': 'the parcels are counted',
      },
    },
    {
      caminho: '/api/perfil-produtor',
      apresentar: apresentarPerfil,
      fora: {
        request_id: DA_CHAMADA.request_id ?? '',
        avisos: DA_CHAMADA.avisos ?? '',
        'receita_federal.request_id': DA_CHAMADA.request_id ?? '',
        'receita_federal.cached': 'the monthly base is no kept answer',
        'receita_federal.source_status.*': 'a section that failed is null',
        'receita_federal.result.cnaes_secundarios[].*': 'none of these rows; shown as the company’s',
        'receita_federal.result.qsa[].*': 'none of these rows; shown as the company’s',
        'inscricoes_estaduais.request_id': DA_CHAMADA.request_id ?? '',
        'inscricoes_estaduais.document': 'the profile says its own',
        'inscricoes_estaduais.document_type': 'the profile says its own',
        'inscricoes_estaduais.results[].avisos': DA_CHAMADA.avisos ?? '',
        'inscricoes_estaduais.results[].fonte': 'its name is said: that of the state, or the register',
        'cnd_estaduais.request_id': DA_CHAMADA.request_id ?? '',
        'cnd_estaduais.document': 'the profile says its own',
        'cnd_estaduais.document_type': 'the profile says its own',
        'cnd_estaduais.results[].avisos': DA_CHAMADA.avisos ?? '',
      },
    },
  ],
  listRoteiro().filter(({ nota }) => process.env.LONGO || !/não responde|segundos/.test(nota)),
)

const imovel = (parts: object): RespostaConsultarCnir['imoveis_cafir'][number] => ({
  cib: '4CP1YCH-0',
  nirf: '01211376',
  denominacao: 'FAZENDA BOA VISTA',
  area_total: 100.5,
  situacao: 'ATIVA',
  codigo_situacao: 1,
  ni_proprietario: '52998224725',
  percentual_proprietario: 100,
  condominos: [],
  dados_tributarios: {
    indicador_descaracterizacao: false,
    origem_imovel: 1,
    data_aquisicao: '2007-12-01',
    area_adquirida: 100.5,
    tipo_aquisicao: 'DOACAO',
    imunidades: [],
    possui_decisao_judicial: false,
  },
  municipio_sede: { codigo: '3509502', uf: 'SP', nome: 'CAMPINAS' },
  ...parts,
})

const cnir = (imoveis: RespostaConsultarCnir['imoveis_cafir']): RespostaConsultarCnir => ({
  request_id: '01a223ea-1dce-772d-9011-743b3231e620',
  document: '52998224725',
  document_type: 'cpf',
  source_status: { status: 'success', error_code: '', error_message: '', retryable: false },
  pessoa_fisica: {
    nome: 'MARIA DA SILVA',
    data_nascimento: '1980-05-15',
    situacao_cadastral: 'REGULAR',
    sexo: 'F',
  },
  pessoa_juridica: null,
  imoveis_cafir: imoveis,
  total_imoveis: imoveis.length,
  total_imoveis_ativos: imoveis.length,
  fonte: 'BR/cnir',
  consultado_em: '2026-11-14T15:00:00.000Z',
  avisos: [],
})

const mapaDe = (dita: ReturnType<typeof apresentarCnir>): string => {
  const parte = dita.partes.find((one) => 'conteudo' in one)
  return parte && 'conteudo' in parte ? String(parte.conteudo) : ''
}

test('the map shades the states that hold land, and the list beside it adds up each municipality', () => {
  const dita = apresentarCnir(
    cnir([
      imovel({ area_total: 0.1 }),
      imovel({ area_total: 0.2 }),
      imovel({ area_total: 9.7, municipio_sede: { codigo: '', uf: 'MT', nome: 'SORRISO' } }),
    ]),
    NOW,
  )
  assert.equal(dita.veredito, '3 imóveis, 10,00 ha')
  const mapa = mapaDe(dita)
  assert.match(mapa, /aria-label="Mapa do Brasil: Mato Grosso, 97% da área e São Paulo, 3% da área"/)
  assert.equal(mapa.match(/<path class="maior"/g)?.length, 1)
  assert.equal(mapa.match(/<path class="sem"/g)?.length, 25)
  assert.match(creditosDe(dita.partes) ?? '', /CC BY 4\.0/)
  assert.match(mapa, /SORRISO\u00a0·\u00a0MT<\/span><b>9,70 ha.*CAMPINAS\u00a0·\u00a0SP<\/span><b>0,30 ha/)
})

test('of a condominium the share of the holder is told beside the whole area', () => {
  const condominos = [{ ni: '529.982.247-25', nome: 'MARIA DA SILVA', percentual: 25 }]
  const dita = apresentarCnir(
    cnir([imovel({ ni_proprietario: '74677237417', percentual_proprietario: 75, condominos })]),
    NOW,
  )
  assert.deepEqual(dita.fatos.at(-1), { rotulo: 'Cabe a este titular', valor: '25,125 ha' })
  const hidden = apresentarCnir(cnir([imovel({ ni_proprietario: '***.982.247-**' })]), NOW)
  assert.ok(!hidden.fatos.some(({ rotulo }) => rotulo.startsWith('Cabe')))
})

test('many properties are a table first, and their cards stand in a fold', () => {
  const dita = apresentarCnir(cnir(Array.from({ length: 500 }, () => imovel({}))), NOW)
  assert.equal(dita.veredito, '500 imóveis, 50.250,00 ha')
  const [, tabela, fichas] = dita.partes
  assert.ok(tabela && 'tabela' in tabela && fichas && 'fichas' in fichas)
  assert.equal(tabela.titulo, 'Imóveis: os primeiros 300 de 500')
  assert.equal(tabela.tabela.linhas.length, 300)
  assert.deepEqual([fichas.dobrada, fichas.fichas.length], [true, 40])
})

test('a search that goes on has a word of its own, and a failure is not said to be an empty answer', () => {
  const falha = (error_message: string) =>
    apresentarSigef(
      {
        ...cnir([]),
        cached: false,
        result: null,
        consultado_em: '',
        source_status: { status: 'error', error_code: 'SIGEF_NETWORK_ERROR', error_message, retryable: true },
      },
      NOW,
    )
  const goesOn = falha('O SIGEF ainda não terminou de responder. A busca continua.')
  assert.deepEqual([goesOn.tom, goesOn.veredito], ['lento', 'O SIGEF ainda está respondendo'])
  const failed = falha('O SIGEF (INCRA) não respondeu a tempo.')
  assert.deepEqual([failed.tom, failed.veredito], ['ruim', 'O SIGEF não respondeu'])
  assert.match(String(failed.frase), /Nada foi cobrado/)
})

test('the table of parcels has no column of codes, which each card tells', () => {
  const parcela = {
    codigo_parcela: '0a1b2c3d-0000-4000-8000-000000000000',
    denominacao: 'Sítio',
    matricula: '1',
    municipio: 'Iporá',
    uf: 'GO',
    area_ha: 1,
    detentor: 'A',
    natureza: 'PARTICULAR',
    status: 'CERTIFICADA',
    data_certificacao: '2026-01-02',
  }
  const parcelas = Array.from({ length: 7 }, () => parcela)
  const { partes } = apresentarSigef(
    {
      ...cnir([]),
      cached: false,
      result: { parcelas, total_parcelas: 7, area_total_ha: 7 },
      consultado_em: NOW.toISOString(),
    },
    NOW,
  )
  const [, tabela, fichas] = partes
  assert.ok(tabela && 'tabela' in tabela && fichas && 'fichas' in fichas)
  assert.deepEqual(tabela.tabela.colunas, ['Parcela', 'Município', 'Área', 'Número da matrícula'])
  assert.ok(tabela.tabela.linhas.every((linha) => linha.length === 4))
  assert.match(textOf(fichas.fichas[0]?.fatos.at(-1)?.valor), /^0a1b2c3d-/)
})

test('what only the operator can do is no message to whoever asks, who is told whom to tell', () => {
  const daApi = [
    [
      'Nenhum órgão publica uma consulta ao CNIR, e este serviço está sem um conector que a faça. Operador: defina CNIR_URL e CNIR_SECRET.',
      'Nenhum órgão publica uma consulta ao CNIR, e este serviço está sem um conector que a faça. Avise quem opera este serviço.',
    ],
    [
      'O conector recusou este serviço (HTTP 401). Operador: confira CNIR_SECRET e o relógio.',
      'O conector recusou este serviço (HTTP 401). Avise quem opera este serviço.',
    ],
    [
      'Este servidor não tem contrato para consultar a Receita Federal ao vivo. Consulte sem force_fresh. Operador: defina SERPRO_KEY e SERPRO_SECRET. Nada foi cobrado.',
      'Este servidor não tem contrato para consultar a Receita Federal ao vivo. Avise quem opera este serviço. Nada foi cobrado.',
    ],
    [
      'O SERPRO recusou SERPRO_KEY e SERPRO_SECRET. Operador: confira as credenciais do contrato.',
      'O SERPRO recusou a credencial deste serviço. Avise quem opera este serviço.',
    ],
    [
      'O portal pede um captcha (hCaptcha) a cada consulta, e este serviço está sem quem o resolva (CAPTCHA_WEBHOOK_URL, e BR em CAPTCHA_UFS).',
      'O portal pede um captcha (hCaptcha) a cada consulta, e este serviço está sem quem o resolva.',
    ],
    ['A SEFAZ-RS não respondeu a tempo.', 'A SEFAZ-RS não respondeu a tempo.'],
  ] as const
  for (const [said, shown] of daApi) assert.equal(semOperador(said), shown)
  const [[error_message, shown]] = daApi
  const source_status = { status: 'error', error_code: 'CNIR_NETWORK_ERROR', error_message, retryable: false }
  const { frase, veredito } = apresentarCnir({ ...cnir([]), source_status }, NOW)
  assert.equal(veredito, 'O CNIR não é consultado aqui')
  assert.ok(String(frase).startsWith(`${shown} Nada foi cobrado.`))
})
