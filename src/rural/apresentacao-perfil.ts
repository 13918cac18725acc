import { apresentarCertidoesTodos } from '../certidao/apresentacao.ts'
import { apresentarCnpj } from '../cnpj/apresentacao.ts'
import { oldest } from '../documento/dia.ts'
import { formatDocumento } from '../documento/documento.ts'
import { ufs } from '../documento/uf.ts'
import { apresentarInscricoesTodos, contarEstados, semRespostaEm } from '../inscricao/apresentacao.ts'
import {
  type Apresentacao,
  type Apresentar,
  ditos,
  type EstadoApresentado,
  isGuardada,
  type Tom,
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
  const porEstado = juntar(inscricoes?.porEstado, certidoes?.porEstado)
  const pendencias = (certidoes?.porEstado ?? []).filter(({ desfecho }) => desfecho === 'pendencia')
  const falhas = falhasPor(inscricoes?.porEstado, certidoes?.porEstado)
  const semCertidao = semRespostaEm(certidoes?.porEstado)
  const isDuvidosa =
    pendencias.length > 0 || !certidoes || semCertidao > 0 || falhas.length > 0 || avisos.some(isFalha)
  const inscricao = inscricoes?.veredito ?? inscricaoSem(avisos)
  const veredito = `${curta(inscricao)}; ${certidoes ? pendenciasDe(pendencias, certidoes.porEstado) : 'certidões não responderam'}`
  const respondido = respondidoEm([inscricoes, certidoes], empresa !== undefined)
  const vazia = !empresa && !inscricoes && !certidoes && dizerVazia(avisos)
  return {
    tom: certidoes?.tom === 'lento' ? 'lento' : isDuvidosa ? 'nota' : tomDe([empresa, inscricoes]),
    veredito: veredito.length > MAIOR_VEREDITO ? veredito.replace(/ em \d+ estados?;/, ';') : veredito,
    nome: empresa?.nome || inscricoes?.nome || '',
    onde: empresa ? 'Receita Federal e 27 estados' : '27 estados',
    frase: fraseDe(
      pendencias.map(({ uf }) => uf),
      falhas,
      [contarDe('Inscrições', inscricoes?.porEstado), contarDe('Certidões', certidoes?.porEstado)],
    ),
    fatos: ditos([
      { rotulo: document.length === 11 ? 'CPF' : 'CNPJ', valor: formatDocumento(document) },
      {
        rotulo: 'Na Receita Federal',
        valor: empresa?.veredito ?? (document.length === 11 ? '' : 'Nada veio, sem custo'),
      },
      { rotulo: 'Inscrições estaduais', valor: inscricoes ? inscricao : `${inscricao}, sem custo` },
      { rotulo: 'Certidões estaduais', valor: certidoes?.veredito ?? 'Nenhum estado respondeu' },
    ]),
    partes: empresa
      ? [
          {
            titulo: 'Na Receita Federal',
            fatos: [{ rotulo: 'Situação', valor: empresa.frase }, ...empresa.fatos],
          },
          ...empresa.partes,
        ]
      : [],
    ...(porEstado.length > 0 && { porEstado }),
    ...respondido,
    ...vazia,
  }
}

const MAIOR_VEREDITO = 60

/** The answer of a profile does not tell them, as that of all registrations does. */
const guardadasEm = ({ request_id, results }: NonNullable<RespostaPerfilProdutor['inscricoes_estaduais']>) =>
  results.flatMap(({ uf, consultado_em }) => (isGuardada(request_id, consultado_em) ? uf : []))

/** Its fact has the number of the registration: a verdict of two things is short. */
const curta = (dito: string): string => dito.replace(/: ([A-Z]{2})[^,]*,/, ' ($1),')

/** Whether a section is null because somebody failed, and not because nothing is there. */
const isFalha = (aviso: string): boolean =>
  /^(?:receita_federal|inscricoes_estaduais|cnd_estaduais): .*(?:Falharam|não pôde|nenhum estado respondeu)/.test(
    aviso,
  )

/** Of a section without a registration: nobody has one, or nobody answered. */
function inscricaoSem(avisos: readonly string[]): string {
  const aviso = avisos.find((one) => one.startsWith('inscricoes_estaduais: ')) ?? ''
  if (/nenhum estado respondeu|não pôde/.test(aviso)) return 'Inscrições não responderam'
  const [, some, all] = /\((\d+) de (\d+)\)/.exec(aviso) ?? []
  const [, failed] = /Falharam desta vez: ([^.]+)/.exec(aviso) ?? []
  if (failed !== undefined)
    return `Nenhuma inscrição (${countOf(failed.split(', ').length, 'falhou', 'falharam')})`
  return some === all
    ? 'Nenhuma inscrição'
    : `Nenhuma inscrição em ${countOf(Number(some), 'estado', 'estados')}`
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

const falhasEm = (estados: readonly EstadoApresentado[] = []): readonly EstadoApresentado[] =>
  estados.filter(({ desfecho }) => desfecho === 'falhou')

/** A state that answered one question may have failed the other, so each is told with its states. */
const falhasPor = (...[inscricoes, certidoes]: (readonly EstadoApresentado[] | undefined)[]): string[] =>
  Object.entries({ inscrição: falhasEm(inscricoes), certidão: falhasEm(certidoes) }).flatMap(
    ([pergunta, estados]) =>
      estados.length > 0 ? `${pergunta} em ${enumerate(estados.map(({ uf }) => uf))}` : [],
  )

/** That there is none is said where nobody failed, of those who can be asked. */
function pendenciasDe(
  pendencias: readonly EstadoApresentado[],
  estados: readonly EstadoApresentado[] = [],
): string {
  const falhas = falhasEm(estados).length
  const ditos = estados.length - semRespostaEm(estados)
  const sem = countOf(falhas, 'certidão não veio', 'certidões não vieram')
  const em = (count: number): string => `em ${countOf(count, 'estado', 'estados')}`
  const onde =
    pendencias.length > 3 ? em(pendencias.length) : `em ${enumerate(pendencias.map(({ uf }) => uf))}`
  if (pendencias.length > 0) return `pendência ${onde}${falhas > 0 ? `, ${sem}` : ''}`
  if (falhas > 0) return sem
  return ditos === estados.length ? 'nenhuma pendência' : `nenhuma pendência ${em(ditos)}`
}

/** `Certidões: 19 sem inscrição, 6 não consultáveis`. Who failed is told in a sentence. */
function contarDe(nome: string, estados: readonly EstadoApresentado[] = []): string {
  const contados = contarEstados(estados.filter(({ desfecho }) => desfecho !== 'falhou'))
  return contados && `${nome}: ${contados.replaceAll(' · ', ', ')}`
}

function tomDe([empresa, inscricoes]: (Apresentacao | undefined)[]): Tom {
  return [empresa, inscricoes].some((one) => one !== undefined && one.tom !== 'bom') ? 'nota' : 'bom'
}

function fraseDe(
  pendencias: readonly string[],
  falhas: readonly string[],
  contagens: readonly string[],
): string {
  return [
    pendencias.length > 0 && `Veja a certidão de ${enumerate(pendencias)}: há o que resolver.`,
    falhas.length > 0 && `Falhou agora, sem custo: ${falhas.join('; ')}. Pergunte de novo só o que falhou.`,
    contagens.filter(Boolean).join(' · '),
  ]
    .filter((one) => one !== false && one !== '')
    .join(' ')
}

/** Of two things that a state answers, what wants something done is told first. */
const ORDEM = ['pendencia', 'achado', 'falhou', 'nao_conectado', 'nada'] as const

function juntar(
  inscricoes: readonly EstadoApresentado[] = [],
  certidoes: readonly EstadoApresentado[] = [],
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
      palavra: [...new Set(ditas.map(({ palavra }) => palavra))].join(' · '),
      fichas,
      motivo: fichas.length > 0 ? '' : motivoDe(ie, cnd, desfecho),
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
  const quem = isEmpresa ? 'Receita Federal e secretarias da fazenda' : 'Secretarias da fazenda'
  return {
    respondido: { quem, em: oldest(first, ...others), guardada: ditos.every(({ guardada }) => guardada) },
  }
}
