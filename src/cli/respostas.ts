import type { Resposta } from '@consulta-fiscal/cliente'
import { dataBrasileira, diasAte } from '../documento/dia.ts'
import { formatDocumento } from '../documento/documento.ts'
import { countOf } from '../platform/pages/formatos.ts'
import { drawFacts, drawTable, paint, type Tinta, wrap } from '../platform/terminal.ts'
import { isOutOfReach } from '../platform/wire/source-status.ts'
import { isVencida } from '../portal/rules-certidao.ts'
import { isAtiva } from '../portal/rules-inscricao.ts'
import { type FatoDito, factsOf, formatHa, sayCnae, sayEndereco, sayEstado, sayIdade } from './fatos.ts'

/** What an answer says at a terminal: the verdict in words, part by part, then the rest. */
export type RespostaDita = { tom: Tinta; veredito: readonly string[]; corpo: string }

const blocks = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n\n')

const section = (title: string, text: string): string =>
  text === '' ? '' : `${paint(title, 'forte')}\n${text}`

const lower = (words: string): string => words.toLocaleLowerCase('pt-BR')

type InscricaoDita = Resposta<'consultar'>['results'][number]

export function deIe({ results, uf }: Resposta<'consultar'>): RespostaDita {
  const [first] = results
  if (!first) return { tom: 'suave', veredito: [`Nenhuma inscrição em ${uf}`], corpo: '' }
  const ativas = results.filter(isAtiva).length
  const estado = results.length === 1 ? lower(first.situacao_ie) : `${countOf(ativas, 'ativa', 'ativas')}`
  return {
    tom: ativas > 0 ? 'bom' : 'nota',
    veredito: [`${countOf(results.length, 'inscrição', 'inscrições')} em ${uf}`, estado],
    corpo: results.map((one) => drawFacts(factsOfInscricao(one))).join('\n\n'),
  }
}

const NO_ENDERECO = ['logradouro', 'numero', 'complemento', 'bairro', 'municipio', 'cep', 'uf']

function factsOfInscricao(inscricao: InscricaoDita): FatoDito[] {
  const { inscricao_estadual, situacao_ie, cnae_codigo, cnae_descricao, uf_ie, ...resto } = inscricao
  return [
    ...factsOf({ inscricao_estadual, situacao_ie }),
    ...factsOf(resto, NO_ENDERECO),
    ['Atividade', sayCnae(cnae_codigo, cnae_descricao)],
    ['Endereço', sayEndereco({ ...resto, uf: uf_ie })],
  ]
}

type NoEstado = {
  uf: string
  source_status: { status: string; error_code: string; error_message: string; retryable: boolean }
}

/** Which states answered, which failed, and which this service has no way to ask, or not by this document. */
function sortOut<T extends NoEstado>(estados: readonly T[]) {
  const failed = estados.filter(({ source_status }) => source_status.status !== 'success')
  const isOff = ({ source_status }: T): boolean => isOutOfReach(source_status)
  return {
    answered: estados.filter(({ source_status }) => source_status.status === 'success'),
    failed: failed.filter((one) => !isOff(one)),
    off: failed.filter(isOff),
  }
}

/** Each reason once, with the states that gave it: a fall of many is one line. */
function reasons(estados: readonly NoEstado[]): string {
  const plain = ({ uf, source_status }: NoEstado): string =>
    source_status.error_message.replaceAll(`-${uf}`, '')
  return [...Map.groupBy(estados, plain)]
    .map(([reason, own]) => {
      const [first] = own
      const said = own.length === 1 ? (first?.source_status.error_message ?? '') : reason
      return wrap(`${own.map(({ uf }) => uf).join(', ')}  ${said}`, 4)
    })
    .join('\n')
}

function retryOf(ufs: readonly string[], again: string): string {
  const [first] = ufs
  if (first === undefined) return ''
  const command = `  ${wrap(`fiscal consultar ${again.replace('UF', first)}`, 4)}`
  if (ufs.length === 1) return `Perguntar de novo só a este:\n${command}`
  return `${wrap(`Perguntar de novo só a estes, um por vez: ${ufs.join(', ')}`)}\n${command}`
}

/** What comes after the hits: who failed and how to ask again, who cannot be asked, who has nothing. */
function afterHits(
  { failed, off, none }: { failed: readonly NoEstado[]; off: readonly NoEstado[]; none: readonly NoEstado[] },
  again: string,
): string {
  const retry = failed.filter(({ source_status }) => source_status.retryable).map(({ uf }) => uf)
  return blocks(
    section(`Falharam (${failed.length}), sem custo`, reasons(failed)),
    retryOf(retry, again),
    section(`Não consultáveis (${off.length}), sem custo`, paint(reasons(off), 'suave')),
    none.length === 0
      ? ''
      : paint(wrap(`Sem inscrição (${none.length}): ${none.map(({ uf }) => uf).join(', ')}`), 'suave'),
  )
}

const countsOf = (
  { failed, off, none }: Record<'failed' | 'off' | 'none', readonly unknown[]>,
  sem = 'sem inscrição',
): string[] => [
  ...(none.length > 0 ? [`${none.length} ${sem}`] : []),
  ...(failed.length > 0 ? [countOf(failed.length, 'falhou', 'falharam')] : []),
  ...(off.length > 0 ? [countOf(off.length, 'não consultável', 'não consultáveis')] : []),
]

type IeDeTodos = Pick<Resposta<'consultarIeTodos'>, 'results' | 'document'> & {
  cached_ufs?: readonly string[]
}

/** Where every state's answer was a kept one, the age of the oldest. */
function guardadas(
  estados: readonly { uf: string; consultado_em: string }[],
  kept: readonly string[],
): string[] {
  if (estados.length === 0 || !estados.every(({ uf }) => kept.includes(uf))) return []
  const oldest = Math.min(...estados.map(({ consultado_em }) => Date.parse(consultado_em)))
  return [`todas guardadas, a mais antiga há ${sayIdade((Date.now() - oldest) / 1_000)}`]
}

/** Registrations in all states: those that were found, then the states that failed, then the rest. */
export function deIeTodas({ results, document, cached_ufs = [] }: IeDeTodos): RespostaDita {
  const { answered, failed, off } = sortOut(results)
  const none = answered.filter((estado) => estado.results.length === 0)
  const found = answered.flatMap(({ uf, results: own }) => own.map((inscricao) => ({ uf, inscricao })))
  const [first] = found
  const ativas = found.filter(({ inscricao }) => isAtiva(inscricao)).length
  const veredito = !first
    ? 'Nenhuma inscrição'
    : found.length === 1
      ? `1 inscrição: ${first.uf} ${first.inscricao.inscricao_estadual}, ${lower(first.inscricao.situacao_ie)}`
      : `${found.length} inscrições, ${countOf(ativas, 'ativa', 'ativas')}`
  const rows = [
    ...found.filter(({ inscricao }) => isAtiva(inscricao)),
    ...found.filter(({ inscricao }) => !isAtiva(inscricao)),
  ].map(({ uf, inscricao: { inscricao_estadual, situacao_ie, razao_social, municipio } }) => [
    uf,
    inscricao_estadual,
    sayEstado(situacao_ie),
    razao_social,
    municipio,
  ])
  return {
    tom: failed.length > 0 ? 'nota' : ativas > 0 ? 'bom' : found.length > 0 ? 'nota' : 'suave',
    veredito: [veredito, ...countsOf({ failed, off, none }), ...guardadas(answered, cached_ufs)],
    corpo: blocks(
      rows.length > 0 ? drawTable(['UF', 'Inscrição', 'Situação', 'Razão social', 'Município'], rows) : '',
      afterHits({ failed, off, none }, `ie --uf UF ${formatDocumento(document)}`),
    ),
  }
}

type StatusDeCertidao = NonNullable<Resposta<'consultarCnd'>['result']>['status']

/** The worst first: somebody has to act on it. */
const certidoes: Readonly<Record<StatusDeCertidao, { palavra: string; tom: Tinta; ordem: number }>> = {
  positiva: { palavra: 'Positiva', tom: 'ruim', ordem: 0 },
  positiva_com_efeitos_de_negativa: { palavra: 'Positiva com efeitos de negativa', tom: 'nota', ordem: 1 },
  negativa: { palavra: 'Negativa', tom: 'bom', ordem: 2 },
  sem_certidao: { palavra: 'Não emitida', tom: 'nota', ordem: 3 },
  erro: { palavra: 'Não veio', tom: 'ruim', ordem: 4 },
  nao_contribuinte: { palavra: 'Sem inscrição', tom: 'suave', ordem: 5 },
}

/** `Negativas`, `Positivas com efeitos de negativa`, `Não emitidas`. */
const muitas = (palavra: string): string =>
  palavra
    .replace(/^(?:Positiva|Negativa|Não emitida)/, '$&s')
    .replace(/vencida$/, '$&s')
    .replace(/veio$/, 'vieram')

const isPassado = (dia: string): boolean => dia !== '' && diasAte(dia, new Date()) < 0

function ate(dia: string): string[] {
  if (dia === '') return []
  return [`${isPassado(dia) ? 'venceu em' : 'válida até'} ${dataBrasileira(dia)}`]
}

type CertidaoDita = { status: StatusDeCertidao; validade: string; emissao: string }

/** After its last day it stands for nothing. */
function ditoDa({ status, validade }: Pick<CertidaoDita, 'status' | 'validade'>) {
  const dito = certidoes[status]
  return isVencida({ status, validade }, new Date())
    ? { ...dito, palavra: `${dito.palavra}, vencida`, tom: 'nota' as const }
    : dito
}

const NO_VEREDITO = ['status', 'validade', 'validade_iso', 'emissao', 'emissao_iso', 'tipo', 'modo']

function deCertidao(result: CertidaoDita | null): RespostaDita {
  if (!result) return { tom: 'ruim', veredito: ['Sem resposta'], corpo: '' }
  const { palavra, tom } = ditoDa(result)
  const emitida = factsOf({ emissao: result.emissao })
  return {
    tom,
    veredito: [palavra, ...ate(result.validade)],
    corpo: drawFacts([...emitida, ...factsOf(result, NO_VEREDITO)]),
  }
}

export const deCnd = ({ result }: Resposta<'consultarCnd'>): RespostaDita => deCertidao(result)

export const deCndFederal = ({ result }: Resposta<'consultarCndFederal'>): RespostaDita =>
  deCertidao(result && { ...result, validade: result.validade_iso, emissao: result.emissao_iso })

export function deCndTodas({ results, document }: Resposta<'consultarCndTodos'>): RespostaDita {
  const { answered, failed, off } = sortOut(results)
  const none = answered.filter(({ result }) => result?.status === 'nao_contribuinte')
  const found = answered
    .flatMap(({ uf, result }) =>
      result && result.status !== 'nao_contribuinte' ? [{ uf, ...result, ...ditoDa(result) }] : [],
    )
    .sort((one, other) => one.ordem - other.ordem)
  const counts = [...Map.groupBy(found, ({ palavra }) => palavra)].map(
    ([palavra, own]) => `${own.length} ${lower(own.length === 1 ? palavra : muitas(palavra))}`,
  )
  const [first] = found
  const worst = (['ruim', 'nota'] as const).find((tom) => found.some((one) => one.tom === tom))
  return {
    tom: worst ?? (failed.length > 0 ? 'nota' : first ? 'bom' : 'suave'),
    veredito: [counts.join(', ') || 'Nenhuma certidão', ...countsOf({ failed, off, none })],
    corpo: blocks(
      found.length === 0
        ? ''
        : drawTable(
            ['UF', 'Certidão', 'Válida até', 'Número', 'Texto'],
            found.map(({ uf, palavra, tom, validade, protocolo, status_raw }) => [
              uf,
              paint(palavra, tom),
              dataBrasileira(validade),
              protocolo,
              status_raw,
            ]),
          ),
      afterHits({ failed, off, none }, `cnd --uf UF ${formatDocumento(document)}`),
    ),
  }
}

export function deCnpj({ cnpj, result }: { cnpj: string; result: object | null }): RespostaDita {
  if (!result) return { tom: 'ruim', veredito: ['Sem resposta'], corpo: '' }
  const empresa: Partial<NonNullable<Resposta<'consultarCnpj'>['result']>> = result
  const { razao_social = '', situacao_cadastral = '', cnae_principal_codigo = '' } = empresa
  const { cnae_principal_descricao = '', endereco, ...resto } = empresa
  const sem = ['razao_social', 'situacao_cadastral', 'cnae_principal_codigo']
  return {
    tom: /^ativa$/i.test(situacao_cadastral) ? 'bom' : 'nota',
    veredito: [razao_social, lower(situacao_cadastral)].filter((part) => part !== ''),
    corpo: drawFacts([
      ['CNPJ', formatDocumento(cnpj)],
      ...factsOf(resto, [...sem, 'cnaes_secundarios', 'qsa']),
      ['Atividade principal', sayCnae(cnae_principal_codigo, cnae_principal_descricao)],
      ...factsOf({ cnaes_secundarios: empresa.cnaes_secundarios, qsa: empresa.qsa }),
      ['Endereço', sayEndereco(endereco ?? {})],
    ]),
  }
}

export function deCnir({
  pessoa_fisica,
  pessoa_juridica,
  imoveis_cafir,
}: Resposta<'consultarCnir'>): RespostaDita {
  const ativos = imoveis_cafir.filter(({ situacao }) => /^ativ/i.test(situacao)).length
  const quantos = countOf(imoveis_cafir.length, 'imóvel', 'imóveis')
  return {
    tom: imoveis_cafir.length > 0 ? 'bom' : 'suave',
    veredito: imoveis_cafir.length === 0 ? ['Nenhum imóvel'] : [quantos, countOf(ativos, 'ativo', 'ativos')],
    corpo: blocks(
      drawFacts(factsOf(pessoa_fisica ?? pessoa_juridica ?? {})),
      imoveis_cafir.length === 0
        ? ''
        : drawTable(
            ['CIB', 'Imóvel', ['Área', 'right'], 'Município', 'Situação'],
            imoveis_cafir.map(({ cib, denominacao, area_total, municipio_sede, situacao }) => [
              cib,
              denominacao,
              formatHa(area_total),
              `${municipio_sede.nome}/${municipio_sede.uf}`,
              sayEstado(situacao),
            ]),
          ),
    ),
  }
}

export function deSigef({ result }: Resposta<'consultarSigef'>): RespostaDita {
  const parcelas = result?.parcelas ?? []
  if (!result || parcelas.length === 0)
    return { tom: 'suave', veredito: ['Nenhuma parcela certificada'], corpo: '' }
  return {
    tom: 'bom',
    veredito: [countOf(parcelas.length, 'parcela', 'parcelas'), formatHa(result.area_total_ha)],
    corpo: drawTable(
      ['Parcela', ['Área', 'right'], 'Município', 'Situação', 'Certificada em', 'Matrícula', 'Código'],
      parcelas.map((parcela) => [
        parcela.denominacao,
        formatHa(parcela.area_ha),
        `${parcela.municipio}/${parcela.uf}`,
        sayEstado(parcela.status),
        dataBrasileira(parcela.data_certificacao),
        parcela.matricula,
        parcela.codigo_parcela,
      ]),
    ),
  }
}

function semResposta(estados: readonly NoEstado[]): string[] {
  const { failed, off } = sortOut(estados)
  const count = failed.length + off.length
  return count === 0 ? [] : [countOf(count, 'estado não respondeu', 'estados não responderam')]
}

/** The sections of a profile, each as its own lookup shows it, with its verdict. */
export function dePerfil(perfil: Resposta<'perfilProdutor'>): RespostaDita {
  const { receita_federal, inscricoes_estaduais, cnd_estaduais, document } = perfil
  const partes: (readonly [string, RespostaDita | undefined])[] = [
    // A person has no entry in the register of companies.
    ...(document.length === 11 && !receita_federal
      ? []
      : [['Receita Federal', receita_federal ? deCnpj(receita_federal) : undefined] as const]),
    ['Inscrições estaduais', inscricoes_estaduais ? deIeTodas(inscricoes_estaduais) : undefined],
    ['Certidões estaduais', cnd_estaduais ? deCndTodas(cnd_estaduais) : undefined],
  ]
  const ditas = partes.flatMap(([, dito]) => (dito ? [dito] : []))
  const faltas = cnd_estaduais ? semResposta(cnd_estaduais.results) : ['certidões não responderam']
  const isIncerto =
    faltas.length > 0 || ditas.length < partes.length || ditas.some(({ tom }) => tom === 'nota')
  return {
    tom: ditas.some(({ tom }) => tom === 'ruim') ? 'ruim' : isIncerto ? 'nota' : 'bom',
    veredito: [
      formatDocumento(document),
      ...ditas.map(({ veredito: [first = ''] }, at) => (at === 0 ? first : lower(first))),
      ...faltas,
    ],
    corpo: blocks(
      ...partes.map(([titulo, dito]) =>
        section(
          titulo,
          dito ? blocks(paint(wrap(dito.veredito.join(' · ')), dito.tom), dito.corpo) : 'Sem resposta.',
        ),
      ),
    ),
  }
}

type NotaDita = Resposta<'consultarNfeXml'>['resultados'][number]

const notas: Readonly<Record<NotaDita['status'], { palavra: string; tom: Tinta }>> = {
  ok: { palavra: 'XML entregue', tom: 'bom' },
  somente_resumo: { palavra: 'Só o resumo, sem o XML', tom: 'nota' },
  cancelada: { palavra: 'Nota cancelada', tom: 'nota' },
  nao_autorizado: { palavra: 'Sem autorização para esta nota', tom: 'ruim' },
  nao_encontrado: { palavra: 'Nota não encontrada', tom: 'ruim' },
  fora_prazo: { palavra: 'Fora do prazo da SEFAZ', tom: 'ruim' },
  chave_invalida: { palavra: 'Chave inválida', tom: 'ruim' },
  erro: { palavra: 'Não deu certo', tom: 'ruim' },
}

export function deNota({ resultados }: Resposta<'consultarNfeXml'>): RespostaDita {
  const [first] = resultados
  const { palavra, tom } = first ? notas[first.status] : { palavra: 'Sem resposta', tom: 'ruim' as const }
  return {
    tom,
    veredito: [palavra],
    corpo: resultados.map((nota) => drawFacts(factsOf(nota, ['status', 'xml', 'retryable']))).join('\n\n'),
  }
}
