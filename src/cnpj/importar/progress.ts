/**
 * Where an import is. `feito` and `total` are bytes of CSV in `leitura`, stretches of roots in `gravacao`;
 * `registros` are lines read or establishments written.
 */
export type ImportProgress = { etapa: ImportStep; feito: number; total: number; registros: number }

export type ImportStep = 'leitura' | 'gravacao' | 'conferencia' | 'publicacao'

/** Adds up what the workers tell, and passes it on. */
export function createProgress(bytes: number, onProgress: ((progress: ImportProgress) => void) | undefined) {
  let feito = 0
  let registros = 0
  return {
    read(more: number, lines: number): void {
      feito += more
      registros += lines
      onProgress?.({ etapa: 'leitura', feito, total: bytes, registros })
    },
    merged(done: number, total: number, estabelecimentos: number): void {
      onProgress?.({ etapa: 'gravacao', feito: done, total, registros: estabelecimentos })
    },
    tell(etapa: ImportStep): void {
      onProgress?.({ etapa, feito: 0, total: 1, registros: 0 })
    },
  }
}
