import { apresentarCertidoesTodos } from '../certidao/apresentacao.ts'
import { apresentarCnpj } from '../cnpj/apresentacao.ts'
import { oldest } from '../documento/dia.ts'
import { formatDocumento } from '../documento/documento.ts'
import { ufs } from '../documento/uf.ts'
import { apresentarInscricoesTodos, contarSemFalhas, semRespostaEm } from '../inscricao/apresentacao.ts'
import {
  type Apresentacao,
  type Apresentar,
  ditos,
  type EstadoApresentado,
  isGuardada,
} from '../platform/pages/apresentacao.ts'
import { countOf } from '../platform/pages/formatos.ts'
import { enumerate } from '../platform/texto.ts'
import { trusted } from '../platform/trusted.ts'
import type { RespostaPerfilProdutor } from './api-perfil.ts'

/** The profile of a producer: the company, and of each state its registrations beside its certificate. */
export const apresentarPerfil: Apresentar = (corpo, agora) => {
  // Proven by the endpoint's schema.
  const resposta = trusted<RespostaPerfilProdutor>(corpo)
  const { document, receita_federal, inscricoes_estaduais, cnd_estaduais, avisos } = resposta
  const empresa = receita_federal
    ? apresentarCnpj({ fonte: '', consultado_em: '', avisos: [], ...receita_federal }, agora)
    : undefined
  const inscricoes = inscricoes_estaduais
    ? apresentarInscricoesTodos(
        { ...inscricoes_estaduais, cached_ufs: guardadasEm(inscricoes_estaduais) },
        agora,
      )
    : undefined
  const certidoes = cnd_estaduais ? apresentarCertidoesTodos(cnd_estaduais, agora) : undefined
  const vazia = !empresa && !inscricoes && !certidoes && dizerVazia(avisos)
  const ies = inscricoes?.porEstado ?? estadosDoAviso('inscricoes_estaduais', avisos)
  const cnds = certidoes?.porEstado ?? estadosDoAviso('cnd_estaduais', avisos)
  const porEstado = vazia ? [] : juntar(ies, cnds)
  const [pendencias, paradas] = [ufsCom(cnds, 'pendencia'), ufsCom(ies, 'pendencia')]
  const frases = [
    pendencias.length > 0 && `Certidão a resolver: ${enumerate(pendencias)}.`,
    paradas.length > 0 &&
      ies.some(({ desfecho }) => desfecho === 'achado') &&
      `Inscrição não ativa: ${enumerate(paradas)}.`,
  ].filter((one) => one !== false)
  const contados = [
    contarDe('Inscrições', inscricoes ? ies : ies.filter(({ desfecho }) => desfecho !== 'nada')),
    contarDe('Certidões', cnds),
  ].filter((one) => one !== '')
  const falhas = [
    ['inscrição', ufsCom(ies, 'falhou')],
    ['certidão', ufsCom(cnds, 'falhou')],
  ] as const
  const quantas = new Set(falhas.flatMap(([, siglas]) => siglas)).size
  const isDuvidosa =
    pendencias.length > 0 ||
    !certidoes ||
    semRespostaEm(cnds) + quantas > 0 ||
    avisos.some((one) => FALHA.test(one)) ||
    [empresa, inscricoes].some((one) => one && one.tom !== 'bom')
  const inscricao = inscricoes ? curta(inscricoes.veredito) : inscricaoSem(avisos)
  const veredito = vereditoDe(inscricao, certidoes ? dasCertidoes(certidoes) : ['certidões não responderam'])
  const naReceita = empresa && {
    titulo: 'Na Receita Federal',
    fatos: [{ rotulo: 'Situação', valor: empresa.frase }, ...empresa.fatos],
  }
  const respondido = respondidoEm([inscricoes, certidoes], empresa !== undefined)
  return {
    tom: certidoes?.tom === 'lento' ? 'lento' : isDuvidosa ? 'nota' : 'bom',
    veredito: `${veredito}${quantas > 0 && !SEM_RESPOSTA.test(veredito) ? `; falha em ${countOf(quantas, 'estado', 'estados')}` : ''}`,
    nome: empresa?.nome || inscricoes?.nome || '',
    onde: empresa ? 'Receita Federal e 27 estados' : '27 estados',
    frase: [
      ...frases,
      [
        quantas > 0 &&
          `Em ${countOf(quantas, 'estado', 'estados')} algo falhou, sem custo: ${falhas.flatMap(([pergunta, siglas]) => (siglas.length > 0 ? `${pergunta} em ${enumerate(siglas)}` : [])).join('; ')}`,
        ...contados,
      ]
        .filter(Boolean)
        .join(' · '),
    ].join(' '),
    contagem: { frases, contados },
    fatos: ditos([
      { rotulo: document.length === 11 ? 'CPF' : 'CNPJ', valor: formatDocumento(document) },
      {
        rotulo: 'Na Receita Federal',
        valor: empresa?.veredito ?? (document.length === 11 ? '' : daReceitaSem(avisos)),
      },
      { rotulo: 'Inscrições estaduais', valor: inscricoes?.veredito ?? `${inscricao}, sem custo` },
      { rotulo: 'Certidões estaduais', valor: certidoes?.veredito ?? 'Nenhum estado respondeu' },
    ]),
    partes: naReceita && empresa ? [naReceita, ...empresa.partes] : [],
    ...(porEstado.length > 0 && { porEstado }),
    ...respondido,
    ...vazia,
  }
}

const MAIOR_VEREDITO = 60

/** A verdict that tells of failures by itself. */
const SEM_RESPOSTA = /não (?:responderam|veio|vieram)/

/** The answer of a profile does not tell them, as that of all registrations does. */
const guardadasEm = ({ request_id, results }: NonNullable<RespostaPerfilProdutor['inscricoes_estaduais']>) =>
  results.flatMap(({ uf, consultado_em }) => (isGuardada(request_id, consultado_em) ? uf : []))

/** `1 inscrição ativa em SP`: its fact has the number, and a sentence who failed. */
const curta = (dito: string): string =>
  dito
    .replace(SEM_QUEM, '')
    .replace(/: ([A-Z]{2})[^,]*, (.+)/, ' $2 em $1')
    .replace(/, (?:todas )?(ativas?)$/, ' $1')

/** What a verdict says of those who gave no answer. */
const SEM_QUEM = / (?:\(\d+ falh(?:ou|aram)\)|em \d+ estados?)$/

/** What the shorter of the certificates says stands where the longer has no room. */
function vereditoDe(inscricao: string, certidoes: readonly string[]): string {
  const ditos = certidoes.map((one) => [inscricao, one].join(/,/.test(inscricao + one) ? '; ' : ', '))
  return ditos.find(({ length }) => length <= MAIOR_VEREDITO) ?? inscricao
}

/** How the notice begins of a section that is null because somebody failed. */
const FALHA = /^[a-z_]+: .*(?:Falharam|não pôde|nenhum estado respondeu)/

/** The monthly base does not have the company, or it gave no answer. */
const daReceitaSem = (avisos: readonly string[]): string =>
  FALHA.test(avisoDe('receita_federal', avisos)) ? 'Não respondeu, sem custo' : 'Não consta na base do mês'

/** Of a section without a registration: nobody has one, or nobody answered. */
function inscricaoSem(avisos: readonly string[]): string {
  const [, some, all] = /\((\d+) de (\d+)\)/.exec(avisoDe('inscricoes_estaduais', avisos)) ?? []
  if (some === undefined) return 'Inscrições não responderam'
  return some === all
    ? 'Nenhuma inscrição'
    : `Nenhuma inscrição em ${countOf(Number(some), 'estado', 'estados')}`
}

const avisoDe = (secao: string, avisos: readonly string[]): string =>
  avisos.find((one) => one.startsWith(`${secao}: `)) ?? ''

/** Of a section that is null its notice names who failed and who cannot be asked: the others answered. */
function estadosDoAviso(secao: string, avisos: readonly string[]): readonly EstadoApresentado[] {
  const aviso = avisoDe(secao, avisos)
  const named = (what: string): string[] => aviso.match(`${what}: ([A-Z, ]+)`)?.[1]?.split(', ') ?? []
  const [falharam, fora] = [named('Falharam desta vez'), named('Não consultáveis')]
  const [, responderam = '0'] = /\((\d+) de/.exec(aviso) ?? []
  if (falharam.length + fora.length + Number(responderam) !== ufs.length) return []
  return ufs.map((uf) => {
    if (falharam.includes(uf))
      return { uf, desfecho: 'falhou', palavra: 'Falhou', fichas: [], motivo: 'A consulta falhou desta vez.' }
    if (!fora.includes(uf)) return { uf, desfecho: 'nada', palavra: 'Sem inscrição', fichas: [], motivo: '' }
    const motivo = 'Este serviço não a consulta por este documento.'
    return { uf, desfecho: 'nao_conectado', palavra: 'Não consultável', fichas: [], motivo }
  })
}

/** Where every section is null, the first notice says whether nothing is known of the document. */
function dizerVazia([primeiro = '']: readonly string[]): Pick<Apresentacao, 'tom' | 'veredito' | 'frase'> {
  const frase = primeiro.replace(/^Todas as seções vieram null(?:, mas | porque )(.)/, (_, first: string) =>
    first.toUpperCase(),
  )
  return primeiro.includes('falharam')
    ? { tom: 'ruim', veredito: 'Nada se sabe ainda: fontes falharam', frase }
    : { tom: 'neutro', veredito: 'Nada consta nas fontes que responderam', frase }
}

const ufsCom = (
  estados: readonly EstadoApresentado[],
  desfecho: EstadoApresentado['desfecho'],
): readonly string[] => estados.flatMap((one) => (one.desfecho === desfecho ? one.uf : []))

/** What is owed; else the certificates; that there is no debt where there are none, and nobody failed. */
function dasCertidoes({ veredito, porEstado = [] }: Apresentacao): readonly string[] {
  const em = (count: number): string => `em ${countOf(count, 'estado', 'estados')}`
  const pendencias = ufsCom(porEstado, 'pendencia')
  const [achadas, falhas, ditos] = [
    ufsCom(porEstado, 'achado').length,
    ufsCom(porEstado, 'falhou').length,
    porEstado.length - semRespostaEm(porEstado),
  ]
  if (pendencias.length > 0)
    return [
      pendencias.length > 3 ? [] : `certidão a resolver em ${enumerate(pendencias)}`,
      `certidão a resolver ${em(pendencias.length)}`,
    ].flat()
  if (achadas > 0)
    return [
      veredito
        .replace(SEM_QUEM, '')
        .replace(/^\p{Lu}/u, (first) => first.toLowerCase())
        .replace(/^(\d+) negativas?$/, countOf(achadas, 'certidão negativa', 'certidões negativas')),
      countOf(achadas, 'certidão', 'certidões'),
    ]
  if (falhas > 0) return [countOf(falhas, 'certidão não veio', 'certidões não vieram')]
  return [ditos === porEstado.length ? 'nenhuma pendência' : `nenhuma pendência ${em(ditos)}`]
}

/** `Certidões: 19 sem inscrição, 6 não consultáveis`. Who failed is told in a sentence. */
function contarDe(nome: string, estados: readonly EstadoApresentado[]): string {
  const contados = contarSemFalhas(estados)
  return contados.length > 0 ? `${nome}: ${contados.join(', ')}` : ''
}

const NADA = 'Sem inscrição nem certidão'

/** Of two things that a state answers, what wants something done is told first. */
const ORDEM = ['pendencia', 'achado', 'falhou', 'nao_conectado', 'nada'] as const

function juntar(
  inscricoes: readonly EstadoApresentado[],
  certidoes: readonly EstadoApresentado[],
): readonly EstadoApresentado[] {
  return ufs.flatMap((uf) => {
    const ie = inscricoes.find((one) => one.uf === uf)
    const cnd = certidoes.find((one) => one.uf === uf)
    if (!ie || !cnd) return ie ?? cnd ?? []
    const fichas = [...ie.fichas, ...cnd.fichas]
    const isAchado = (one: EstadoApresentado): boolean => one.fichas.length > 0
    const desfecho = ORDEM.find((one) => [ie.desfecho, cnd.desfecho].includes(one)) ?? 'nada'
    const ditas = [ie, cnd].filter((one) => (fichas.length > 0 ? isAchado(one) : one.desfecho === desfecho))
    return {
      uf,
      desfecho,
      palavra: desfecho === 'nada' ? NADA : [...new Set(ditas.map(({ palavra }) => palavra))].join(' · '),
      fichas,
      motivo: fichas.length > 0 ? '' : motivoDe(ie, cnd, desfecho),
      de: { Inscrição: ie, Certidão: cnd },
      ...(cnd.papel && { papel: cnd.papel }),
      ...(cnd.validade && { validade: cnd.validade }),
    }
  })
}

/** Of a state that failed what can never be asked there is no part. */
function motivoDe(ie: EstadoApresentado, cnd: EstadoApresentado, desfecho: string): string {
  if (ie.motivo === cnd.motivo) return ie.motivo
  return Object.entries({ Inscrição: ie, Certidão: cnd })
    .filter(([, one]) => one.motivo !== '' && one.desfecho === desfecho)
    .map(([pergunta, { motivo }]) => `${pergunta}: ${motivo}`)
    .join(' ')
}

function respondidoEm(
  all: readonly (Apresentacao | undefined)[],
  isEmpresa: boolean,
): Pick<Apresentacao, 'respondido'> {
  const ditos = all.flatMap((one) => one?.respondido ?? [])
  const [first, ...others] = ditos.map(({ em }) => em)
  if (first === undefined) return {}
  const porOutro = ditos.some(({ quem }) => /cadastro nacional/.test(quem))
    ? ' e cadastro nacional (CCC)'
    : ''
  const quem = `${isEmpresa ? `Receita Federal${porOutro === '' ? ' e' : ','} secretarias` : 'Secretarias'} da fazenda${porOutro}`
  return {
    respondido: { quem, em: oldest(first, ...others), guardada: ditos.every(({ guardada }) => guardada) },
  }
}
