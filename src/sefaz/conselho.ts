import type { Uf } from '../documento/uf.ts'
import type { Situacao } from './classificacao.ts'
import { type Svc, svcDe } from './contingencia.ts'
import { autorizadorDe, type Doc } from './rules.ts'

/** What an SVC last answered about a state (cStat 107, 113, 114), and when. */
export type Ativacao = { estado: 'ativada' | 'encerrando' | 'desativada'; em: number }

/**
 * What to do about a document in a state. `svc` is the state's own contingency, whether it is activated or
 * not; `ativacao` is undefined where nobody has asked.
 */
export type Conselho = {
  acao: 'emitir' | 'esperar' | 'contingencia-svc' | 'contingencia-offline'
  svc: Svc['nome'] | undefined
  ativacao: Ativacao | undefined
  texto: string
}

/** What is known when the advice is given: the authorizers (by id) of which an incident is open. */
export type Sabido = {
  fora: ReadonlySet<string>
  ativacaoDe: (doc: Doc, uf: Uf) => Ativacao | undefined
}

/** Advises by what is known now (MOC 7.0, Anexo III: SVC for NF-e and CT-e, offline issue for the NFC-e). */
export function aconselhar(doc: Doc, uf: Uf, { fora, ativacaoDe }: Sabido): Conselho {
  const svc = svcDe(doc, uf)
  const ativacao = svc && ativacaoDe(doc, uf)
  const told = (acao: Conselho['acao'], texto: string): Conselho => ({
    acao,
    svc: svc?.nome,
    ativacao,
    texto,
  })
  if (!fora.has(autorizadorDe(doc, uf).id)) return told('emitir', 'Emita normalmente.')
  if (!svc)
    return told(
      'contingencia-offline',
      'Emita em contingência offline e transmita quando o autorizador voltar: a NFC-e não tem SVC.',
    )
  if (fora.has(svc.autorizador))
    return told('esperar', `A contingência deste estado é a ${svc.nome}, que também não responde: aguarde.`)
  const { nome } = svc
  switch (ativacao?.estado) {
    case 'ativada':
      return told('contingencia-svc', `Emita pela ${nome}, que este estado ativou.`)
    case 'encerrando':
      return told(
        'contingencia-svc',
        `A ${nome} está ativada e será desativada em breve: confira antes de emitir por ela.`,
      )
    case 'desativada':
      return told(
        'esperar',
        `A contingência deste estado é a ${nome}, que responde, mas o estado não a ativou: aguarde.`,
      )
    case undefined:
      return told(
        'esperar',
        `A contingência deste estado é a ${nome}, que responde; ainda não se sabe se o estado a ativou.`,
      )
  }
}

/** Between the first failure and the third, which opens an incident. */
const TENTE =
  'A última leitura falhou: tente emitir. Se três seguidas falharem, abre-se um incidente, com o que fazer.'

/** Nobody knows: to say that all is well would be a guess. */
const NAO_SE_SABE =
  'Não há leitura de agora, e não se sabe se este autorizador responde. Tente emitir; se falhar, confira na SEFAZ antes de entrar em contingência.'

/** The advice in words. While no incident is open, the last reading says more than the advice. */
export function dizer({ acao, texto }: Conselho, { status_code }: Pick<Situacao, 'status_code'>): string {
  if (acao !== 'emitir') return texto
  if (status_code === 0) return NAO_SE_SABE
  return status_code >= 4 ? TENTE : texto
}
