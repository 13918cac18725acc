/** Where an import is: bytes of CSV in `leitura`, stretches of roots in `gravacao`; `registros` are lines read, establishments written. */
export type Andamento = { etapa: Etapa; feito: number; total: number; registros: number }

export type Etapa = 'leitura' | 'gravacao' | 'conferencia' | 'publicacao'

/** Adds up what the workers tell and passes it on. */
export function createAndamento(bytes: number, onProgress: ((andamento: Andamento) => void) | undefined) {
  let feito = 0
  let registros = 0
  return {
    lido(more: number, linhas: number): void {
      feito += more
      registros += linhas
      onProgress?.({ etapa: 'leitura', feito, total: bytes, registros })
    },
    gravado(done: number, total: number, estabelecimentos: number): void {
      onProgress?.({ etapa: 'gravacao', feito: done, total, registros: estabelecimentos })
    },
    tell(etapa: Etapa): void {
      onProgress?.({ etapa, feito: 0, total: 1, registros: 0 })
    },
  }
}
