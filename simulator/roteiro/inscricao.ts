import { ufs } from '../documento/inscricao-estadual.ts'
import type { Uf } from '../documento/uf.ts'
import { portais, ufsComCertidao } from '../estados/estados.ts'
import { servicos } from '../inscricao/servicos.ts'
import { comportamentos, type Efeito, efeitoEm } from '../mundo/comportamento.ts'
import { contribuinteComportado } from '../mundo/efeito.ts'
import { type Exemplos, exemplos, type NoEstado } from '../mundo/exemplo.ts'
import { findContribuinte, listContribuintes } from '../mundo/mundo.ts'
import { EMPRESA } from '../platform/icp/catalogo.ts'
import { readTable } from '../platform/table.ts'
import {
  certo,
  changeUltimo,
  comReserva,
  type Espera,
  falhou,
  indisponivel,
  type Linha,
  linhasDe,
  maskCnpj,
  parametrosDoDocumento,
  porDocumento,
  recusado,
  type Tentativa,
} from './linha.ts'

/** Trying later, or with another certificate, may do; the other codes mean that we were not understood. */
const INDISPONIVEL = new Set([108, 109, 257, 656])
const NAO_ATENDE = 262
const NUMERO_INVALIDO = new Set([258, 260, 263])
const NAO_CADASTRADO = new Set([259, 261, 264])

/** Of the states without a portal or web service here it is unknown what the page asks for. */
export const ufsComCadastro: ReadonlySet<Uf> = new Set([
  ...portais.filter(({ servico }) => servico === 'ie').map(({ uf }) => uf),
  ...servicos.flatMap((servico) => servico.ufs),
])

/**
 * Each stands in another state than the one before, because five failures in a row open a circuit breaker.
 */
function linhasDeComportamento(): Tentativa[] {
  const ufs = servicos.flatMap((servico) => servico.ufs).sort()
  const doServico = comportamentos
    .filter(({ efeito }) => !doPortal.has(efeito.tipo))
    .map(({ documento, efeito, nota }, indice): Tentativa => {
      const uf = ufs[indice % ufs.length] ?? 'SP'
      return [{ uf, cnpj: documento }, espera(efeito), nota]
    })
  const doPortalEmSi = noPortal.map(([nome, uf, espera, resumo]): Tentativa => {
    const { documento, nota } = comReserva(nome)
    return [{ uf, cnpj: documento }, esperas[espera], resumo ?? nota]
  })
  return [...doServico, ...doPortalEmSi, pelaInscricaoSemServico('BA')]
}

/** The effects that the web service knows nothing of. */
const doPortal = new Set<Efeito['tipo']>([
  'certidao',
  'papel',
  'fechado',
  'captcha',
  'layout',
  'waf',
  'sessao-velha',
  'so-em',
  'por-uf',
])

const esperas = { certo, indisponivel, falhou }

/** Where a portal is asked first, or in the place of the web service. */
const { inscricao: noPortal } = readTable<{
  inscricao: readonly (readonly [nome: string, uf: Uf, espera: keyof typeof esperas, nota?: string])[]
}>('./esperas.json', import.meta.url)

function pelaInscricaoSemServico(uf: Uf): Tentativa {
  const { documento, nota } = comReserva('ws-fora')
  const ie = contribuinteComportado(documento, uf).inscricoes[0]?.ie ?? ''
  return [{ uf, ie }, certo, `pelo número da inscrição: ${nota}`]
}

function espera(efeito: Efeito): Espera {
  switch (efeito.tipo) {
    case 'muitas':
    case 'municipio-sem-nome':
      return certo
    case 'demora':
      // Longer than the service waits for a state.
      return efeito.ms >= 30_000 ? indisponivel : certo
    case 'latin1':
      return efeito.declara === 'iso-8859-1' ? certo : falhou
    case 'queda':
    case 'tls':
      return indisponivel
    case 'pagina':
      return [403, 429].includes(efeito.status) || efeito.status >= 500 ? indisponivel : falhou
    case 'codigo':
      return esperaDoCodigo(efeito.cStat)
    default:
      return falhou
  }
}

function esperaDoCodigo(cStat: number): Espera {
  if (NUMERO_INVALIDO.has(cStat)) return recusado('DOCUMENTO_INVALIDO')
  if (NAO_CADASTRADO.has(cStat) || cStat === NAO_ATENDE) return certo
  return INDISPONIVEL.has(cStat) ? indisponivel : falhou
}

/** The states that answer no query by CPF. */
const semCpf: readonly Uf[] = ['AL', 'AM', 'MS', 'PI', 'SE', 'SP']

export function linhasDeConsultar(): Linha[] {
  const e = exemplos()
  return linhasDe('/api/consultar', [
    ...ufs.map((uf) => daEmpresa(uf, empresaDe(e, uf))),
    ...empresas(e),
    ...[...ufsComCadastro].map((uf) => pelaInscricao(uf, inscricaoDe(e, uf))),
    ...[
      ...e.produtorRural.filter(({ uf }) => ufsComCadastro.has(uf)),
      { uf: 'SP', documento: e.pessoaSemInscricao } as const,
    ].map(pelaPessoa),
    ...parametros(e),
    ...linhasDeComportamento(),
  ])
}

const empresas = (e: Exemplos): Tentativa[] => [
  ...e.variasInscricoes.map((uma) => achado(uma, `mais de uma inscrição em ${uma.uf}`)),
  ...substitutoEm('MG').map((um) => achado(um, 'substituto tributário, com endereço em outro estado')),
  achado(e.produtorComCnpj, 'produtor rural com CNPJ, como em SP'),
  achado(e.baixada, 'inscrição baixada'),
  achado(e.suspensa, 'inscrição suspensa'),
  achado(e.alfanumerico, 'CNPJ com letras'),
  achado({ uf: 'SP', documento: EMPRESA.documento }, 'o próprio titular do certificado do serviço'),
  achado({ uf: 'sp', documento: empresaDe(e, 'SP') }, 'a UF também vale em minúsculas'),
  achado({ uf: 'PR', documento: e.semInscricao }, 'empresa sem inscrição estadual: lista vazia'),
  achado({ uf: 'RJ', documento: e.semInscricao }, 'o mesmo em um portal: lista vazia'),
  achado({ uf: 'RS', documento: e.desconhecido }, 'CNPJ que ninguém conhece: lista vazia'),
  achado({ uf: 'SC', documento: e.pessoaSemInscricao }, 'pessoa sem inscrição estadual: lista vazia'),
]

function parametros(e: Exemplos): Tentativa[] {
  const cnpj = empresaDe(e, 'SP')
  const cpf = e.pessoaSemInscricao
  const ie = inscricaoDe(e, 'SP')
  const ausente = recusado('PARAMETRO_AUSENTE')
  const conflitante = recusado('PARAMETRO_CONFLITANTE')
  const invalido = recusado('DOCUMENTO_INVALIDO')
  return [
    [{}, ausente, 'sem parâmetros'],
    [{ uf: 'SP' }, ausente, 'sem cpf, cnpj nem ie'],
    [{ uf: 'SP', cnpj: '' }, ausente, 'parâmetro vazio conta como não enviado'],
    [{ cnpj }, ausente, 'sem uf'],
    [{ uf: 'SP', cnpj, cpf }, conflitante, 'cnpj e cpf juntos'],
    [{ uf: 'SP', cnpj, ie }, conflitante, 'cnpj e ie juntos'],
    [{ uf: 'XX', cnpj }, recusado('UF_NAO_SUPORTADA'), 'UF que não existe'],
    [{ uf: 'SP', cnpj: changeUltimo(cnpj) }, invalido, 'CNPJ com dígito verificador errado'],
    [{ uf: 'SP', cnpj: maskCnpj(cnpj) }, invalido, 'CNPJ com pontuação'],
    [{ uf: 'RS', cpf: changeUltimo(cpf) }, invalido, 'CPF com dígito verificador errado'],
    [{ uf: 'SP', ie: changeUltimo(ie) }, invalido, 'inscrição com dígito verificador errado'],
    [{ uf: 'SP', ie: 'ISENTO' }, invalido, 'ISENTO não é número de inscrição'],
  ]
}

/** For states whose page is unknown, the national register (CCC) answers. */
const daEmpresa = (uf: Uf, cnpj: string): Tentativa =>
  ufsComCadastro.has(uf)
    ? achado({ uf, documento: cnpj }, `uma inscrição em ${uf}`)
    : [{ uf, cnpj }, certo, `em ${uf} não se sabe o que a página pede: responde o cadastro nacional (CCC)`]

const achado = ({ uf, documento }: { uf: string; documento: string }, nota: string): Tentativa => [
  { uf, ...porDocumento(documento) },
  certo,
  nota,
]

const pelaInscricao = (uf: Uf, ie: string): Tentativa => [
  { uf, ie },
  certo,
  `pelo número da inscrição em ${uf}`,
]

const pelaPessoa = ({ uf, documento: cpf }: NoEstado): Tentativa =>
  semCpf.includes(uf)
    ? [{ uf, cpf }, indisponivel, `${uf} não consulta por CPF`]
    : [{ uf, cpf }, certo, `produtor rural em ${uf}, pelo CPF`]

const empresaDe = (e: Exemplos, uf: Uf): string => e.umaInscricao.get(uf) ?? ''

function inscricaoDe(e: Exemplos, uf: Uf): string {
  const inscricoes = findContribuinte(empresaDe(e, uf))?.inscricoes
  return inscricoes?.find((inscricao) => inscricao.uf === uf)?.ie ?? ''
}

function substitutoEm(uf: Uf): NoEstado[] {
  const substituto = listContribuintes().find(({ inscricoes }) =>
    inscricoes.some((i) => i.uf === uf && i.tipo === 'SUBSTITUTO' && i.endereco.uf !== uf),
  )
  return substituto ? [{ uf, documento: substituto.documento }] : []
}

const esperaDeEstados = (estados: number): Espera => ({ http: 200, creditos: estados })

export function linhasDeConsultarIeTodos(): Linha[] {
  const e = exemplos()
  const { cnpj, cpf } = umDeCada(e)
  const [empresa, ...outros] = documentos(e, [...ufsComCadastro])
  return linhasDe('/api/consultar-ie-todos', [
    ...(empresa ? [empresa] : []),
    [
      porDocumento(e.divergente.documento),
      esperaDeEstados(ufsComCadastro.size),
      'ativa na Receita, suspensa em RS, que ainda tem o nome e o endereço de antes: o dossiê marca',
    ],
    ...outros,
    [{ cpf }, esperaDeEstados(19), 'produtor rural pelo CPF: AL AM DF MS PA PI SE SP não consultam assim'],
    [
      { cnpj: comReserva('muitas').documento },
      esperaDeEstados(ufsComCadastro.size),
      '40 inscrições em cada estado',
    ],
    [
      { cnpj: comReserva('layout').documento },
      esperaDeEstados(15),
      'só respondem os estados com web service',
    ],
    ...parametrosDoDocumento(),
    [{ ie: '110042490114' }, recusado('IE_NAO_SUPORTADO'), 'só a ie'],
    [{ cnpj, cpf }, recusado('PARAMETRO_CONFLITANTE'), 'cnpj e cpf juntos'],
    [{ cnpj, ie: '110042490114' }, recusado('IE_NAO_SUPORTADO'), 'a ie é de um estado só'],
  ])
}

export function linhasDeConsultarCndTodos(): Linha[] {
  const e = exemplos()
  const { cnpj, cpf } = umDeCada(e)
  return linhasDe('/api/consultar-cnd-todos', [
    ...documentos(e, [...ufsComCertidao], PELO_CCC),
    [{ cpf }, esperaDeEstados(ufsComCertidao.size), 'produtor rural pelo CPF'],
    [{ cnpj, cpf }, esperaDeEstados(ufsComCertidao.size), 'cnpj e cpf juntos: vale o CNPJ'],
    [
      { cnpj: comReserva('cnd-pdf-de-outro').documento },
      esperaDeEstados(0),
      'todos enviam a certidão de outro',
    ],
    ...parametrosDoDocumento(),
  ])
}

export function linhasDePerfilProdutor(): Linha[] {
  const e = exemplos()
  const { cnpj, cpf } = umDeCada(e)
  const certidoes = ufsComCertidao.size
  const inteiro = 1 + ufsComCadastro.size + certidoes
  return linhasDe('/api/perfil-produtor', [
    [{ cnpj }, esperaDeEstados(inteiro), 'empresa de SP: as três seções'],
    [{ cnpj, cpf }, esperaDeEstados(inteiro), 'cnpj e cpf juntos: vale o CNPJ'],
    [{ cpf }, esperaDeEstados(19 + certidoes), 'produtor rural pelo CPF: receita_federal é null'],
    [porDocumento(e.desconhecido), esperaDeEstados(certidoes), 'CNPJ que ninguém conhece: só há certidões'],
    ...parametrosDoDocumento(),
  ])
}

/** PA certifies by registration. Only the national register tells it, at the host of SEFAZ-BA. */
const PELO_CCC: readonly Uf[] = ['PA']

/** What these states answer. `peloCcc` of them have no answer when the host of SEFAZ-BA does not answer. */
function documentos(e: Exemplos, estados: readonly Uf[], peloCcc: readonly Uf[] = []): Tentativa[] {
  const { documento, nota, efeito } = comReserva('misto')
  const todos = esperaDeEstados(estados.length)
  const bons = estados.filter((uf) => efeitoEm(efeito, uf, 'cnd') === undefined && !peloCcc.includes(uf))
  return [
    [{ cnpj: umDeCada(e).cnpj }, todos, 'empresa de SP'],
    [porDocumento(e.desconhecido), todos, `CNPJ que ninguém conhece: os ${estados.length} respondem isso`],
    [{ cnpj: documento }, esperaDeEstados(bons.length), nota],
  ]
}

const umDeCada = ({ umaInscricao, produtorRural }: Exemplos): { cnpj: string; cpf: string } => ({
  cnpj: umaInscricao.get('SP') ?? '',
  cpf: produtorRural.find(({ uf }) => uf === 'GO')?.documento ?? '',
})
