import ical from 'ical-generator'
import { diaDe } from '../../documento/dia.ts'
import { dateFormat } from '../../documento/formato.ts'
import type { ValidadeDaResposta } from '../../platform/pages/apresentacao.ts'

const diaDaSemana = dateFormat({ weekday: 'long', timeZone: 'UTC' })

/** `sábado`, of a day (AAAA-MM-DD). */
export const semanaDe = (dia: string): string => diaDaSemana.format(new Date(`${dia}T12:00:00Z`))

/** Days before the last one on which a calendar warns: a new certificate may take some. */
const AVISO_S = 7 * 86_400

/** The last day of a certificate as a calendar takes it: a whole day, with a warning a week before. */
export function writeAgenda({ dia, titulo }: ValidadeDaResposta, uid: string, agora: Date): Buffer {
  const calendar = ical({ prodId: { company: 'Consulta Fiscal', product: 'Certidões', language: 'PT-BR' } })
  const event = calendar.createEvent({
    id: uid,
    stamp: agora,
    start: new Date(`${dia}T00:00:00Z`),
    allDay: true,
    summary: titulo,
    description: `Último dia em que a certidão vale. Conferida em ${diaDe(agora.getTime())}.`,
  })
  event.createAlarm({ type: 'display', trigger: AVISO_S, description: titulo } as never)
  return Buffer.from(calendar.toString())
}
