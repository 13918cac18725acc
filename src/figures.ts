import { watchBase } from './cnpj/metrics.ts'
import { watchUsos } from './contas/metrics.ts'
import { watchConfianca } from './federal/metrics.ts'
import { type Metrics, watchPlatform } from './platform/metrics.ts'
import { watchDiagnostico } from './rejeicoes/metrics.ts'
import type { Rooms } from './rooms.ts'
import { watchSigef } from './rural/metrics.ts'
import { watchSefaz } from './sefaz/metrics.ts'

export function watchRooms({ watch }: Metrics, rooms: Rooms): void {
  watch((registry) => {
    watchPlatform(registry, rooms.platform)
    watchUsos(registry, rooms.contas)
    watchConfianca(registry, rooms.federal)
    watchBase(registry, rooms.cnpj)
    watchSigef(registry, rooms.rural)
    watchSefaz(registry, rooms.sefaz)
    watchDiagnostico(registry, rooms.rejeicoes)
  })
}
