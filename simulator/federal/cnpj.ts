import {
  camposDeEmpresa,
  camposDeEstabelecimento,
  camposDeSimples,
  camposDeSocio,
  hasSimples,
  quantosSocios,
} from '../dados-abertos/linhas.ts'
import { readMunicipios, readTabela } from '../dados-abertos/palavras.ts'
import { soilSocio } from '../dados-abertos/parte.ts'
import { type Empresa, empresa as empresaDoPlano } from '../dados-abertos/plano.ts'
import { mix } from '../documento/aleatorio.ts'
import { dvCpf, sementeDe, tipoDoDocumento } from '../documento/documento.ts'
import { type LinhaDaAmostra, linhasDaAmostra, planoDaAmostra } from '../mundo/amostra.ts'
import { findComportamento, OUTRO_DOCUMENTO } from '../mundo/comportamento.ts'
import { clean } from '../mundo/endereco.ts'
import { dataDe } from '../mundo/inscricoes.ts'
import { findContribuinte } from '../mundo/mundo.ts'
import type { Mensagem } from '../platform/autoridade.ts'
import { efeitoFederal, findCenarioFederal } from './cenarios.ts'
import type { Produto } from './contrato.ts'
import { emJson, erroDoGateway } from './token.ts'

/** An establishment as the registry keeps it: rows of the open data's layouts, one fact in one place. */
export type Cadastro = {
  /** 7 fields of Empresas, 30 of Estabelecimentos; of Simples 7 or none; of each partner 11. */
  empresa: readonly string[]
  estabelecimento: readonly string[]
  simples: readonly string[] | undefined
  socios: readonly (readonly string[])[]
}

let amostra: ReadonlyMap<string, LinhaDaAmostra> | undefined

/** The sample base's own rows, so that the live answer and the monthly one agree. */
export function findCadastro(cnpj: string): Cadastro | undefined {
  amostra ??= new Map(
    linhasDaAmostra(planoDaAmostra()).map((uma) => [uma.estabelecimento.slice(0, 3).join(''), uma]),
  )
  const achada = amostra.get(cnpj)
  if (achada) return complete(achada)
  return tipoDoDocumento(cnpj) === 'cnpj' ? invent(cnpj) : undefined
}

function complete({ empresa, estabelecimento, dona }: LinhaDaAmostra): Cadastro {
  const plano = planoDaAmostra()
  if (!dona) return { empresa, estabelecimento, simples: undefined, socios: [] }
  const socios = Array.from({ length: quantosSocios(plano, dona) }, (_, ordem) => {
    const campos = camposDeSocio(plano, dona, ordem)
    soilSocio(plano, dona, campos)
    return campos
  })
  const simples = hasSimples(plano, dona) ? camposDeSimples(plano, dona) : undefined
  return { empresa, estabelecimento, simples, socios }
}

const SITUACAO = 5
const MOTIVO = 7

/** The companies of SERPRO's trial, by CNPJ: situation and its reason as the open data number them. */
const provas: ReadonlyMap<string, { situacao: string; motivo: string }> = new Map([
  ['34238864000168', { situacao: '02', motivo: '00' }],
  ['54447820000155', { situacao: '03', motivo: '67' }],
  ['46768703000165', { situacao: '04', motivo: '63' }],
  ['31151791000184', { situacao: '08', motivo: '01' }],
  ['34428654000132', { situacao: '01', motivo: '11' }],
])

/** Companies that are in no monthly base: derived from their digits, or reserved. */
function invent(cnpj: string): Cadastro | undefined {
  const prova = provas.get(cnpj)
  const quem = findContribuinte(cnpj)
  const cenario = findCenarioFederal(cnpj)
  const reservado = cnpj === OUTRO_DOCUMENTO || findComportamento(cnpj) || cenario
  if (!prova && !quem && !reservado) return undefined
  const plano = planoDaAmostra()
  const raiz = cnpj.slice(0, 8)
  const numero = sementeDe(raiz) >>> 1
  const dona: Empresa = {
    ...empresaDoPlano(plano, numero % plano.empresas),
    numero,
    raiz,
    tipo: cenario?.cnpj === 'empresario' ? 'individual' : 'limitada',
  }
  const ordem = Number.parseInt(cnpj.slice(8, 12), 36)
  const empresa = camposDeEmpresa(plano, dona)
  const estabelecimento = camposDeEstabelecimento(plano, dona, ordem % 100)
  estabelecimento.splice(1, 3, cnpj.slice(8, 12), cnpj.slice(12), cnpj.slice(8, 12) === '0001' ? '1' : '2')
  estabelecimento[SITUACAO] = prova?.situacao ?? '02'
  estabelecimento[MOTIVO] = prova?.motivo ?? '00'
  if (quem) empresa.splice(1, 2, quem.nome, quem.naturezaJuridica)
  return complete({ empresa, estabelecimento, dona })
}

/** The three queries of the product: without partners, with their documents masked, with them whole. */
type Consulta = 'basica' | 'qsa' | 'empresa'

const tabelas = {
  cnaes: new Map(readTabela('cnaes')),
  motivos: new Map(readTabela('motivos')),
  naturezas: new Map(readTabela('naturezas')),
  paises: new Map(readTabela('paises')),
  municipios: new Map([
    ...readMunicipios().map(({ tom, nome }): [string, string] => [tom, nome]),
    ['9707', 'EXTERIOR'],
  ]),
}

type Codigo = { codigo: string; descricao: string }

const codigo = (tabela: keyof typeof tabelas, dito = ''): Codigo => ({
  codigo: dito,
  descricao: tabelas[tabela].get(dito) ?? '',
})

/** The JSON of an establishment. Where clients met two spellings, the CNPJ chooses one. */
function writeCadastro(cadastro: Cadastro, consulta: Consulta): Record<string, unknown> {
  const { empresa, estabelecimento, simples } = cadastro
  const [, nome = '', natureza = '', , capital = '', porte = ''] = empresa
  const [raiz, ordem, dv, matriz, fantasia = '', situacao = '', data = '', motivo = ''] = estabelecimento
  const [inicio = '', cnae = '', secundarias = ''] = estabelecimento.slice(10, 13)
  const ni = `${raiz}${ordem}${dv}`
  const sorte = sementeDe(ni)
  const centavos = centavosDe(capital)
  return {
    ni,
    tipoEstabelecimento: matriz,
    nomeEmpresarial: clean(nome),
    nomeFantasia: clean(fantasia),
    situacaoCadastral: {
      codigo: String(Number(situacao)),
      data: dataDe(data),
      motivo: motivo === '00' ? '' : (tabelas.motivos.get(motivo) ?? ''),
    },
    naturezaJuridica: codigo('naturezas', natureza),
    dataAbertura: dataDe(inicio),
    cnaePrincipal: codigo('cnaes', cnae),
    cnaeSecundarias: secundarias
      .split(',')
      .filter(Boolean)
      .map((uma) => codigo('cnaes', uma)),
    ...enderecoDe(estabelecimento),
    [mix(sorte, 1) % 2 === 0 ? 'telefone' : 'telefones']: telefonesDe(estabelecimento),
    correioEletronico: estabelecimento[27] ?? '',
    capitalSocial: mix(sorte, 2) % 4 === 0 ? String(centavos) : centavos,
    porte: porte || '00',
    situacaoEspecial: estabelecimento[28] ?? '',
    dataSituacaoEspecial: dataDe(estabelecimento[29] ?? ''),
    informacoesAdicionais: informacoesDe(simples, mix(sorte, 3)),
    ...(consulta === 'basica' ? {} : { socios: cadastro.socios.map((um) => socioDe(um, consulta)) }),
  }
}

/** An amount of the open data (`1061004829,23`), in hundredths. */
function centavosDe(capital: string): number {
  const [inteiros = '0', fracao = ''] = capital.split(',')
  return Number(inteiros + fracao.padEnd(2, '0').slice(0, 2))
}

function enderecoDe(campos: readonly string[]): Record<string, unknown> {
  const [tipo = '', logradouro = '', numero = '', complemento = '', bairro = ''] = campos
    .slice(13, 18)
    .map(clean)
  const [cep = '', uf = '', municipio = ''] = campos.slice(18, 21)
  const pais = campos[9] || (uf === 'EX' ? '' : '105')
  return {
    endereco: {
      tipoLogradouro: tipo,
      logradouro,
      numero,
      complemento,
      cep: /^\d{7,8}$/.test(cep) ? cep.padStart(8, '0') : '',
      bairro,
      municipio: codigo('municipios', municipio),
      uf,
      pais: codigo('paises', pais),
    },
    municipioJurisdicao: { codigo: `0${municipio}00`.padStart(7, '0'), descricao: '' },
  }
}

function telefonesDe(campos: readonly string[]): { ddd: string; numero: string }[] {
  const [ddd = '', numero = '', segundoDdd = '', segundo = ''] = campos.slice(21, 25)
  return [
    { ddd, numero },
    { ddd: segundoDdd, numero: segundo },
  ].filter((um) => um.numero !== '')
}

function informacoesDe(simples: readonly string[] | undefined, sorte: number): Record<string, unknown> {
  const [, optante = 'N', inicio = '', fim = '', mei = 'N'] = simples ?? []
  const periodos = dataDe(inicio) ? [{ dataInicio: dataDe(inicio), dataFim: dataDe(fim) }] : []
  return {
    optanteSimples: optante === 'S' ? 'S' : 'N',
    optanteMei: mei === 'S' ? 'S' : 'N',
    [sorte % 2 === 0 ? 'listaPeriodosSimples' : 'listaPeriodoSimples']: periodos,
  }
}

/** `qsa` masks the documents of persons, `empresa` does not. */
function socioDe(campos: readonly string[], consulta: Consulta): Record<string, unknown> {
  const [, tipoSocio, nome = '', documento = '', qualificacao, entrada = '', pais = ''] = campos
  const [, , , , , , , cpf = '', representante = '', suaQualificacao = ''] = campos
  const show = (um: string): string => (consulta === 'qsa' ? um : unmask(um))
  return {
    tipoSocio,
    cpf: show(documento),
    nome: clean(nome),
    qualificacao,
    dataInclusao: dataDe(entrada),
    pais: codigo('paises', pais),
    ...(representante
      ? {
          representanteLegal: {
            cpf: show(cpf),
            nome: clean(representante),
            qualificacao: suaQualificacao,
          },
        }
      : {}),
  }
}

/** A CPF whose middle the mask shows: `***123456**`. Other documents as they are. */
function unmask(mascarado: string): string {
  const meio = /^\*{3}(\d{6})\*{2}$/.exec(mascarado)?.[1]
  return meio ? `111${meio}${dvCpf(`111${meio}`)}` : mascarado
}

const CAMINHO = '/consulta-cnpj-df/v2/'
const PERGUNTA = /^\/consulta-cnpj-df\/v2\/(basica|qsa|empresa)\/([0-9A-Z]{1,14})$/

/** SERPRO's Consulta CNPJ v2. HTTP tells its refusals; the words of their bodies are not known. */
export const consultaCnpj: Produto = {
  caminhos: [CAMINHO],
  documento: ({ caminho }) => PERGUNTA.exec(caminho)?.[2],
  answer: (pedido) => {
    if (pedido.metodo !== 'GET') return erroDoGateway('metodo-errado')
    if (pedido.caminho === `${CAMINHO}status`) return emJson(200, { status: 'UP' })
    const [, dita, ni = ''] = PERGUNTA.exec(pedido.caminho) ?? []
    const consulta = (['basica', 'qsa', 'empresa'] as const).find((uma) => uma === dita)
    return consulta ? answer(consulta, ni) : erroDoGateway('sem-recurso')
  },
}

function answer(consulta: Consulta, ni: string): Mensagem {
  const cenario = findCenarioFederal(ni)?.cnpj
  if (tipoDoDocumento(ni) !== 'cnpj' || cenario === 'invalido')
    return emJson(400, { mensagem: 'CNPJ inválido.' })
  const outro = efeitoFederal(ni, 'contrato')?.tipo === 'outro'
  const cadastro = findCadastro(outro ? OUTRO_DOCUMENTO : ni)
  if (!cadastro) return emJson(404, { mensagem: 'CNPJ não encontrado.' })
  const { socios, informacoesAdicionais, endereco, ...resto } = writeCadastro(cadastro, consulta)
  const isLeftOut = cenario === 'sem-socios' || cenario === 'empresario'
  const deSocios = isLeftOut || socios === undefined ? {} : { socios }
  // Which members may be missing from a partial answer is not known: those that other systems may keep.
  if (cenario === 'sem-simples') return emJson(206, { ...resto, endereco, ...deSocios })
  if (cenario === 'sem-endereco') return emJson(206, { ...resto, informacoesAdicionais, ...deSocios })
  return emJson(200, { ...resto, endereco, informacoesAdicionais, ...deSocios })
}
