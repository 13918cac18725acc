/** `2026-11-14T12:00:00-03:00`: TDateTimeUTC, tiposDistDFe_v1.01.xsd. */
const INSTANTE = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})[+-](?:0\d|1[0-4]):[0-5]\d$/

/** The instant that the NF-e writes so; undefined for any other text, a day that no month has among them. */
export function parseInstante(text: string): Date | undefined {
  const [, local] = INSTANTE.exec(text) ?? []
  if (local === undefined) return undefined
  // A Date takes the 30th of February for the 2nd of March.
  const asUtc = new Date(`${local}Z`)
  if (Number.isNaN(asUtc.getTime()) || asUtc.toISOString().slice(0, 19) !== local) return undefined
  return new Date(text)
}
