import { join } from 'node:path'
import type { Entradas } from './entradas/entradas.ts'
import type { Diario } from './gravacao/journal.ts'
import type { Gravacao } from './gravacao/merge-stretch.ts'
import { type Corrida, planTarefas } from './gravacao/plan.ts'
import type { TarefaDeLeitura } from './leitura/read-zip.ts'
import { type Leitura, readLeitura } from './leitura/run.ts'
import type { Equipe } from './pool.ts'
import type { Preparo } from './prepare.ts'
import type { Trabalho } from './work-folder.ts'

const runOf = (trabalho: Trabalho, nome: string): string => join(trabalho.leituras, `${nome}.run`)

/**
 * First step: every zip, the largest first, into run files. Zips that an earlier try finished are not read again.
 * `onLeitura` hears of each as it is done. Gives them in the order of the folder.
 */
export async function readZips(
  trabalho: Trabalho,
  entradas: Entradas,
  equipe: Equipe,
  onFeita: (bytes: number) => void,
): Promise<Leitura[]> {
  const tarefas = entradas.conjuntos.map(({ conjunto, arquivo }, place): TarefaDeLeitura => {
    return { conjunto, arquivo, saida: runOf(trabalho, arquivo.nome), place }
  })
  const leituras = new Map<TarefaDeLeitura, Leitura>()
  const left: TarefaDeLeitura[] = []
  for (const tarefa of tarefas) {
    const done = await readLeitura(tarefa.saida)
    if (done === undefined) left.push(tarefa)
    else {
      leituras.set(tarefa, done)
      onFeita(tarefa.arquivo.membro.bytes)
    }
  }
  left.sort((a, b) => b.arquivo.membro.bytes - a.arquivo.membro.bytes)
  async function takeTurns(): Promise<void> {
    for (let tarefa = left.shift(); tarefa !== undefined; tarefa = left.shift()) {
      leituras.set(tarefa, await equipe.leitura(tarefa))
      onFeita(0)
    }
  }
  await Promise.all(Array.from({ length: equipe.width }, takeTurns))
  return tarefas.flatMap((tarefa) => leituras.get(tarefa) ?? [])
}

/**
 * Second step: merges the run files into the data file, stretch after stretch of roots, in order. Stretches that an
 * earlier try wrote are not made again.
 */
export async function writeBase(
  trabalho: Trabalho,
  leituras: Leitura[],
  preparo: Preparo,
  equipe: Equipe,
  diario: Diario,
  onTarefa: (done: number, total: number, estabelecimentos: number) => void,
): Promise<void> {
  const corridas = leituras.map((leitura): Corrida => ({ path: runOf(trabalho, leitura.nome), leitura }))
  const tarefas = planTarefas(corridas, preparo.fatias, preparo.trecho)
  const ahead: Promise<Gravacao>[] = []
  let next = diario.feitas.length
  const tell = (): void => {
    const estabelecimentos = diario.feitas.reduce(
      (sum, one) => sum + (one.contagens.estabelecimentos ?? 0),
      0,
    )
    onTarefa(diario.feitas.length, tarefas.length, estabelecimentos)
  }
  tell()
  while (diario.feitas.length < tarefas.length) {
    for (; ahead.length < equipe.width + 1; next++) {
      const tarefa = tarefas[next]
      if (tarefa === undefined) break
      const gravacao = equipe.gravacao(tarefa)
      gravacao.catch(() => undefined)
      ahead.push(gravacao)
    }
    const first = await ahead.shift()
    if (first === undefined) break
    await diario.put(first)
    tell()
  }
}
