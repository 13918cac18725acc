/** A form of ours has three fields. */
const MAIS_CAMPOS = 20

/** The headers of one field: its name, the name of its file, a type. */
const CABECALHO = 4096

/** What browsers send, and programs: one boundary and nothing else. */
const FRONTEIRA = /^multipart\/form-data\s*;\s*boundary=(?:"([^"\s;]{1,70})"|([^"\s;,]{1,70}))\s*$/i

const E_COMERCIAL = 0x26

/**
 * Whether a form that was sent has no more fields, nor longer headers, than a page of ours sends. It is
 * looked at before it is read, because one with thousands of fields would block everybody for seconds.
 */
export function isFormularioModesto(body: Buffer, type: string): boolean {
  if (!/^multipart\//i.test(type)) return contar(body, E_COMERCIAL) < MAIS_CAMPOS
  const [, entreAspas, nua] = FRONTEIRA.exec(type) ?? []
  const fronteira = entreAspas ?? nua
  return fronteira !== undefined && isCurto(body, Buffer.from(`--${fronteira}`))
}

function contar(body: Buffer, octeto: number): number {
  let quantos = 0
  for (let at = body.indexOf(octeto); at >= 0 && quantos < MAIS_CAMPOS; at = body.indexOf(octeto, at + 1))
    quantos++
  return quantos
}

/** Whether few parts begin in a body, each with short headers. */
function isCurto(body: Buffer, delimitador: Buffer): boolean {
  let partes = 0
  for (let at = body.indexOf(delimitador); at >= 0; at = body.indexOf(delimitador, at + 1)) {
    const inicio = at + delimitador.length
    const resto = body.subarray(inicio, inicio + CABECALHO)
    const isFim = resto.length < CABECALHO || resto.subarray(0, 2).toString() === '--'
    if (++partes > MAIS_CAMPOS || !(isFim || resto.includes('\r\n\r\n'))) return false
  }
  return partes > 0
}
