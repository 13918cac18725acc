/**
 * Takes every step of a closing, one after the other. A step that fails hinders none after it; the first
 * failure is thrown at the end.
 */
export async function closeInTurn(steps: readonly (() => unknown)[]): Promise<void> {
  const failures: unknown[] = []
  for (const step of steps) {
    try {
      await step()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}
