import { apresentarCertidoesTodos } from '../certidao/apresentacao.ts'
import { apresentarCnpj } from '../cnpj/apresentacao.ts'
import { oldest } from '../documento/dia.ts'
import { formatDocumento } from '../documento/documento.ts'
import { ufs } from '../documento/uf.ts'
import { apresentarInscricoesTodos, contarEstados } from '../inscricao/apresentacao.ts'
import {
  type Apresentacao,
  type Apresentar,
  ditos,
  type EstadoApresentado,
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
  const { document, receita_federal, inscricoes_estaduais, cnd_estaduais } = resposta
  const empresa = receita_federal
    ? apresentarCnpj({ fonte: '', consultado_em: '', avisos: [], ...receita_federal }, agora)
    : undefined
  const inscricoes = inscricoes_estaduais
    ? apresentarInscricoesTodos({ ...inscricoes_estaduais, cached_ufs: [] }, agora)
    : undefined
  const certidoes = cnd_estaduais ? apresentarCertidoesTodos(cnd_estaduais, agora) : undefined
  const porEstado = juntar(inscricoes?.porEstado, certidoes?.porEstado)
  const pendencias = (certidoes?.porEstado ?? []).filter(({ desfecho }) => desfecho === 'pendencia')
  const falhas = porEstado.filter(({ desfecho }) => desfecho === 'falhou').length
  const isNada = !empresa && !inscricoes && !certidoes
  const respondido = respondidoEm([inscricoes, certidoes])
  return {
    tom: isNada ? 'neutro' : tomDe(pendencias.length, falhas, [empresa, inscricoes]),
    veredito: isNada ? 'Nada consta nas fontes que responderam' : vereditoDe(inscricoes, pendencias.length),
    nome: empresa?.nome || inscricoes?.nome || '',
    assunto: 'Perfil do produtor · Receita Federal e 27 estados',
    frase: fraseDe(
      pendencias.map(({ uf }) => uf),
      falhas,
      porEstado,
    ),
    fatos: ditos([
      { rotulo: document.length === 11 ? 'CPF' : 'CNPJ', valor: formatDocumento(document) },
      { rotulo: 'Na Receita Federal', valor: empresa?.veredito ?? '' },
      { rotulo: 'Inscrições estaduais', valor: inscricoes?.veredito ?? 'Nenhuma' },
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
  }
}

function vereditoDe(inscricoes: Apresentacao | undefined, pendencias: number): string {
  const tem = inscricoes?.veredito ?? 'Nenhuma inscrição'
  return pendencias === 0
    ? `${tem}; nenhuma pendência`
    : `${tem}; pendência em ${countOf(pendencias, 'estado', 'estados')}`
}

function tomDe(pendencias: number, falhas: number, [empresa, inscricoes]: (Apresentacao | undefined)[]): Tom {
  if (pendencias > 0 || falhas > 0) return 'nota'
  return [empresa, inscricoes].some((one) => one !== undefined && one.tom !== 'bom') ? 'nota' : 'bom'
}

function fraseDe(
  pendencias: readonly string[],
  falhas: number,
  porEstado: readonly EstadoApresentado[],
): string {
  return [
    pendencias.length > 0 && `Veja a certidão de ${enumerate(pendencias)}: há o que resolver.`,
    falhas > 0 &&
      `${falhas === 1 ? 'Um estado falhou' : `${falhas} estados falharam`} agora, e não foi cobrado: pergunte de novo só a ${falhas === 1 ? 'ele' : 'eles'}.`,
    contarEstados(porEstado),
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
      motivo: fichas.length > 0 ? '' : motivoDe(ie, cnd),
      ...(cnd.papel && { papel: cnd.papel }),
      ...(cnd.validade && { validade: cnd.validade }),
    }
  })
}

function motivoDe(ie: EstadoApresentado, cnd: EstadoApresentado): string {
  if (ie.motivo === cnd.motivo) return ie.motivo
  return [ie.motivo && `Inscrição: ${ie.motivo}`, cnd.motivo && `Certidão: ${cnd.motivo}`]
    .filter((one) => one !== '')
    .join(' ')
}

function respondidoEm(all: readonly (Apresentacao | undefined)[]): Pick<Apresentacao, 'respondido'> {
  const [first, ...others] = all.flatMap((one) => (one?.respondido ? [one.respondido.em] : []))
  if (first === undefined) return {}
  const quem = 'Receita Federal e secretarias da fazenda'
  return { respondido: { quem, em: oldest(first, ...others), guardada: false } }
}
