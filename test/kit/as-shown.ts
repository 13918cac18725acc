/**
 * Whether an answer is as a page shows it: "…" stands for any text, number or list, and a member of that name
 * for more members. A text that ends in it shows how the real one begins.
 */
export function isAsShown(shown: unknown, real: unknown): boolean {
  if (shown === '…') return real !== '' && real !== undefined
  if (typeof shown === 'string' && shown.endsWith('…')) return String(real).startsWith(shown.slice(0, -1))
  if (typeof shown !== 'object' || shown === null) return shown === real
  const { '…': more, ...members } = Object(shown)
  const names = Object.keys(members)
  const isWhole = more !== undefined || names.length === Object.keys(Object(real)).length
  return isWhole && names.every((name) => isAsShown(members[name], Object(real)[name]))
}

/** Whether a program's output is as a page shows it: "…" stands for any text within a line. */
export function isPrintedAsShown(shown: string, real: string): boolean {
  const [lines, printed] = [shown, real].map((text) => text.trim().split(/\r?\n/))
  if (!lines || !printed || lines.length !== printed.length) return false
  return lines.every((line, at) => {
    const parts = line.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    return new RegExp(`^${parts.join('.*')}$`).test(printed[at] ?? '')
  })
}

/** Whether something in an answer is as a page shows it. */
export const isShownIn = (shown: unknown, real: unknown): boolean =>
  isAsShown(shown, real) ||
  (typeof real === 'object' && real !== null && Object.values(real).some((one) => isShownIn(shown, one)))
