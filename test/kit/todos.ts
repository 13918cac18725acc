import assert from 'node:assert/strict'

/** An entry of `results`, of either endpoint that asks every state. */
export type Entry = {
  uf: string
  source_status: { status: string; error_code: string; error_message: string; retryable: boolean }
  results?: Record<string, string>[]
  result?: Record<string, string> | null
  fonte: string
  consultado_em: string
  avisos: string[]
}

/** The states that break the connection, and those that never answer, about the document of 'misto'. */
export const DEAD: readonly string[] = ['AC', 'AL', 'AM', 'AP', 'BA']
export const SLOW: readonly string[] = ['CE', 'DF', 'ES', 'GO', 'MA']

/** In these states the page certifies any CPF, and no lookup of registrations takes a CPF. */
export const CERTIFIES_ANY_CPF: readonly string[] = ['AL', 'AM', 'PA', 'PI', 'SE', 'SP']

export const entriesOf = (body: Record<string, unknown>): Entry[] =>
  Array.isArray(body.results) ? body.results : []

/** Each entry says whether repeating helps, and its text says the same. */
export function checkRetryable(entries: readonly Entry[]): void {
  for (const { uf, source_status } of entries) {
    const { retryable, error_message } = source_status
    assert.equal(retryable, / Tente de novo em \d+ (?:segundo|minuto|hora)s?\.$/.test(error_message), uf)
  }
}

export const succeeded = (entries: readonly Entry[]): string[] =>
  entries.filter(({ source_status }) => source_status.status === 'success').map(({ uf }) => uf)

export type Evento = { event: string; id: string | undefined; data: unknown }

/** The events of a stream's text, in the order in which they came. Comments are no events. */
export function parseEvents(text: string): Evento[] {
  const blocks = text.split('\n\n').filter((block) => block !== '' && !block.startsWith(':'))
  return blocks.map((block) => {
    const fields = new Map(
      block.split('\n').map((line) => [line.split(': ', 1)[0], line.replace(/^\w+: /, '')]),
    )
    return {
      event: fields.get('event') ?? '',
      id: fields.get('id'),
      data: JSON.parse(fields.get('data') ?? 'null'),
    }
  })
}

/**
 * A stream that is read as it comes. `until` reads on until the text has it; `leave` closes the connection.
 */
export async function listen(from: { address: string }, path: string, key: string) {
  const controller = new AbortController()
  const response = await fetch(from.address + path, {
    headers: { accept: 'text/event-stream', 'X-API-Key': key },
    signal: controller.signal,
  })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  assert.ok(reader)
  let text = ''
  const until = async (words: readonly string[]) => {
    while (!words.every((word) => text.includes(word))) {
      const { done, value } = await reader.read()
      assert.ok(!done, `the stream ended before ${words}: ${text}`)
      text += value
    }
    return text
  }
  return { until, leave: () => controller.abort() }
}
