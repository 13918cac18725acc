import { contribuintesDaAmostra } from './amostra.ts'
import type { Contribuinte } from './contribuinte.ts'
import { createEmissor } from './emissor.ts'
import { planoDaAmostra } from './plano-da-amostra.ts'
import { produtores } from './produtor.ts'
import { titulares } from './titular.ts'

/** The seeded taxpayers by document, and by state and number (`SP110042490114`). */
export type Mundo = {
  porDocumento: ReadonlyMap<string, Contribuinte>
  porInscricao: ReadonlyMap<string, Contribuinte>
}

let mundo: Mundo | undefined

/** The seeded world, made once, on first use. */
export function mundoSemeado(): Mundo {
  mundo ??= semear()
  return mundo
}

function semear(): Mundo {
  const plano = planoDaAmostra()
  const emitir = createEmissor()
  const porDocumento = new Map<string, Contribuinte>()
  const porInscricao = new Map<string, Contribuinte>()
  const fontes = [contribuintesDaAmostra(plano, emitir), produtores(plano, emitir), titulares(plano, emitir)]
  for (const fonte of fontes)
    for (const contribuinte of fonte) {
      porDocumento.set(contribuinte.documento, contribuinte)
      for (const { uf, ie } of contribuinte.inscricoes) porInscricao.set(uf + ie, contribuinte)
    }
  return { porDocumento, porInscricao }
}
