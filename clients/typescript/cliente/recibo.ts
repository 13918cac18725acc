/** O que os cabeçalhos de uma resposta dizem dela. O que o serviço não disse é undefined. */
export type Recibo = {
  status: number
  /** Identifica a requisição. */
  requestId?: string
  /** O que esta chamada custou; o que resta na conta. */
  creditosCobrados?: number
  creditosRestantes?: number
  /** Requisições por minuto: o limite da conta, quantas restam e em quantos segundos renova. */
  limite?: number
  limiteRestante?: number
  limiteRenovaS?: number
  /** Segundos até valer a pena repetir. */
  retryAfterS?: number
  /** Há quantos segundos o órgão deu esta resposta, quando ela pode vir do cache. */
  idadeS?: number
  /** simulador ou producao. */
  ambiente?: string
  /** true quando o serviço devolveu a resposta guardada de uma chamada com a mesma Idempotency-Key. */
  repetida?: boolean
  /** Quantas vezes esta chamada foi tentada. */
  tentativas: number
}

/** The receipt of an answer. `agora`, in milliseconds, is for a `Retry-After` that is a date. */
export function reciboDe(resposta: Response, tentativas: number, agora: number): Recibo {
  const { headers, status } = resposta
  const texto = (nome: string): string | undefined => headers.get(nome) ?? undefined
  const numero = (nome: string): number | undefined => {
    const valor = headers.get(nome)
    return valor !== null && /^\d{1,15}$/.test(valor) ? Number(valor) : undefined
  }
  return presentes({
    status,
    tentativas,
    requestId: texto('X-Request-Id'),
    creditosCobrados: numero('X-Credits-Charged'),
    creditosRestantes: numero('X-Credits-Remaining'),
    limite: numero('X-RateLimit-Limit'),
    limiteRestante: numero('X-RateLimit-Remaining'),
    limiteRenovaS: numero('X-RateLimit-Reset'),
    retryAfterS: retryAfterDe(headers.get('Retry-After'), agora),
    idadeS: numero('Age'),
    ambiente: texto('X-Ambiente'),
    repetida: headers.has('Idempotency-Replayed') || undefined,
  })
}

/** Seconds of a `Retry-After` (RFC 9110, 10.2.3): a number, or a date. */
function retryAfterDe(valor: string | null, agora: number): number | undefined {
  if (valor === null) return undefined
  if (/^\d{1,9}$/.test(valor)) return Number(valor)
  const data = Date.parse(valor)
  return Number.isNaN(data) ? undefined : Math.max(0, Math.ceil((data - agora) / 1000))
}

type Presentes<T> = { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> } & {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K]
}

/** An object without the members that are undefined. */
const presentes = <T extends object>(objeto: T): Presentes<T> =>
  Object.fromEntries(Object.entries(objeto).filter(([, valor]) => valor !== undefined)) as Presentes<T>
