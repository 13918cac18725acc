import { type Regencia, vigorEm } from '../vigencia.ts'
import type { Preparada } from './preparar.ts'
import type { Caminhos, Leitor } from './verificacoes-caminho.ts'

/** A check that is in force. */
export type Vigente = {
  preparada: Preparada
  /** Where it stands among all checks of its plan. */
  indice: number
  /** Why nobody can tell whether the rule is in force; empty where it is. */
  semDecisao: string
}

/** The checks of one kind of place, as `det`. */
export type GrupoDeVerificacoes = { pontos: Leitor['pontos']; lidos: Caminhos['lidos']; vigentes: Vigente[] }

/** What is run on a note of some day, environment and model. */
export type PlanoDoDia = {
  grupos: readonly GrupoDeVerificacoes[]
  /** All checks in their order, with those that are in force. */
  todas: readonly { preparada: Preparada; vigente: Vigente | undefined }[]
}

type Moldura = { mod: string; regencia: Regencia }

/** Chooses the checks that are for a model and in force. */
export function fazerPlano(
  preparadas: readonly Preparada[],
  caminhos: Caminhos,
  moldura: Moldura,
): PlanoDoDia {
  const grupos = new Map<string, GrupoDeVerificacoes>()
  const todas = preparadas.map((preparada, indice) => {
    const vigente = vigenteEm(preparada, indice, moldura)
    if (vigente) grupoDe(preparada.verificacao.escopo ?? '', grupos, caminhos).vigentes.push(vigente)
    return { preparada, vigente }
  })
  return { grupos: [...grupos.values()], todas }
}

function grupoDe(
  escopo: string,
  grupos: Map<string, GrupoDeVerificacoes>,
  caminhos: Caminhos,
): GrupoDeVerificacoes {
  const { pontos } = caminhos.ler(escopo)
  const grupo = grupos.get(escopo) ?? { pontos, lidos: caminhos.sob(escopo).lidos, vigentes: [] }
  grupos.set(escopo, grupo)
  return grupo
}

/** Undefined where the rule is not for this model, or not in force. */
function vigenteEm(preparada: Preparada, indice: number, { mod, regencia }: Moldura): Vigente | undefined {
  const { modelos, vigencia } = preparada.verificacao
  if (modelos && !modelos.some((modelo) => modelo === mod)) return undefined
  const vigor = vigorEm(vigencia, regencia)
  if (vigor === false) return undefined
  return { preparada, indice, semDecisao: vigor === true ? '' : vigor }
}
