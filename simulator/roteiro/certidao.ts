import type { Desfecho } from '../certidao/certidao.ts'
import { ufs } from '../documento/inscricao-estadual.ts'
import type { Uf } from '../documento/uf.ts'
import { ufsComCertidao } from '../estados/estados.ts'
import { type Exemplos, exemplos, type NoEstado } from '../mundo/exemplo.ts'
import { readTable } from '../platform/table.ts'
import { certidaoDe } from '../portal/registro.ts'
import {
  certo,
  changeUltimo,
  comReserva,
  type Espera,
  indisponivel,
  type Linha,
  linhasDe,
  maskCnpj,
  porDocumento,
  recusado,
  type Tentativa,
} from './linha.ts'

const esperaDoStatus = (status: string): Espera => ({ ...certo, status })

/** What the service answers to each outcome; `erro` is an answer of no use, so the query is free. */
const esperas = {
  negativa: esperaDoStatus('negativa'),
  positiva: esperaDoStatus('positiva'),
  efeitos: esperaDoStatus('positiva_com_efeitos_de_negativa'),
  'nao-inscrito': esperaDoStatus('nao_contribuinte'),
  irregular: esperaDoStatus('sem_certidao'),
  indisponivel,
  erro: { http: 200, source_error: 'PROCESSAMENTO_FALHOU', status: 'erro', creditos: 0 },
} as const satisfies Record<Desfecho | 'indisponivel' | 'erro', Espera>

const { certidao } = readTable<{
  certidao: readonly (readonly [nome: string, uf: Uf, espera: keyof typeof esperas, nota?: string])[]
}>('./esperas.json', import.meta.url)

export function linhasDeConsultarCnd(): Linha[] {
  const e = exemplos()
  return linhasDe('/api/consultar-cnd', [
    ...ufs.map((uf) => daEmpresa(uf, e.umaInscricao.get(uf) ?? '')),
    ...e.produtorRural.filter(({ uf }) => ufsComCertidao.has(uf)).map(pelaPessoa),
    ...semInscricao(e),
    ...parametros(e),
    ...certidao.map(([nome, uf, espera, resumo]): Tentativa => {
      const { documento, nota } = comReserva(nome)
      return [{ uf, cnpj: documento }, esperas[espera], resumo ?? nota]
    }),
  ])
}

/** States whose page is unknown are not asked. */
const daEmpresa = (uf: Uf, cnpj: string): Tentativa =>
  ufsComCertidao.has(uf)
    ? attempt(uf, cnpj, 'negativa', `certidão negativa em ${uf}`)
    : [
        { uf, cnpj },
        indisponivel,
        `em ${uf} não se sabe o que a página da certidão pede: ninguém é consultado`,
      ]

const attempt = (uf: Uf, documento: string, desfecho: Desfecho, nota: string): Tentativa => [
  { uf, ...porDocumento(documento) },
  esperas[desfecho],
  nota,
]

function pelaPessoa({ uf, documento }: NoEstado): Tentativa {
  // The outcome is the same every day.
  const { desfecho } = certidaoDe(uf, { tipo: 'cpf', documento }, new Date(0))
  return attempt(uf, documento, desfecho, `produtor rural em ${uf}, pelo CPF`)
}

function semInscricao({ semInscricao, desconhecido, pessoaSemInscricao }: Exemplos): Tentativa[] {
  const fora = 'nao-inscrito'
  return [
    attempt('SP', semInscricao, fora, 'a consulta da inscrição diz que não é contribuinte'),
    attempt('AL', semInscricao, fora, 'o mesmo em um estado sem web service'),
    attempt('MS', semInscricao, fora, 'a própria página da certidão diz que não é contribuinte'),
    attempt('MS', desconhecido, fora, 'CNPJ que ninguém conhece'),
    attempt('GO', pessoaSemInscricao, fora, 'pessoa sem inscrição estadual'),
    attempt(
      'SP',
      pessoaSemInscricao,
      'negativa',
      'SP não consulta inscrição por CPF, e certifica qualquer um',
    ),
  ]
}

function parametros(e: Exemplos): Tentativa[] {
  const cnpj = e.umaInscricao.get('SP') ?? ''
  const cpf = e.pessoaSemInscricao
  const ausente = recusado('PARAMETRO_AUSENTE')
  const invalido = recusado('DOCUMENTO_INVALIDO')
  return [
    [{}, ausente, 'sem parâmetros'],
    [{ uf: 'SP' }, ausente, 'sem cpf nem cnpj'],
    [{ uf: 'SP', cpf: '', cnpj: '' }, ausente, 'parâmetro vazio conta como não enviado'],
    [{ uf: 'SP', ie: '110042490114' }, ausente, 'a certidão não é pedida por ie'],
    [{ cnpj }, ausente, 'sem uf'],
    [{ uf: 'SP', cnpj, cpf }, recusado('PARAMETRO_CONFLITANTE'), 'cnpj e cpf juntos'],
    [{ uf: 'XX', cnpj }, recusado('UF_NAO_SUPORTADA'), 'UF que não existe'],
    [{ uf: 'SP', cnpj: changeUltimo(cnpj) }, invalido, 'CNPJ com dígito verificador errado'],
    [{ uf: 'SP', cnpj: maskCnpj(cnpj) }, invalido, 'CNPJ com pontuação'],
    [{ uf: 'SP', cpf: changeUltimo(cpf) }, invalido, 'CPF com dígito verificador errado'],
  ]
}
