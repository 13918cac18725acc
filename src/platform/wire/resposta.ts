import { type CodigoDoStatus, codigosDoStatus } from './source-status.ts'

/** A body and its members, among which are its sections, as those of the profile. */
export const sectionsOf = (body: object): readonly unknown[] => [body, ...Object.values(body)]

/** The entries of a section, one a state; none where it has no `results`. */
export const resultsOf = (section: unknown): readonly unknown[] =>
  typeof section === 'object' && section !== null && 'results' in section && Array.isArray(section.results)
    ? section.results
    : []

/** How many sources failed by the `source_status` of an answer, and the first code; 0 and empty if none. */
export type SourceFailures = { source_failures: number; source_code: CodigoDoStatus | '' }

export const noFailures: SourceFailures = { source_failures: 0, source_code: '' }

/** Reads them off a body: of itself, of its sections, and of the states in `results`. */
export function sourceFailuresIn(body: object): SourceFailures {
  const failed = sectionsOf(body)
    .flatMap((section) => [section, ...resultsOf(section)])
    .flatMap(failureOf)
  return { source_failures: failed.length, source_code: failed[0] ?? '' }
}

/** The code of a part that failed. None of one that did not, nor of one that has no status. */
function failureOf(part: unknown): readonly SourceFailures['source_code'][] {
  const { source_status } = Object(part)
  const { status = 'success', error_code } = Object(source_status)
  return status === 'success' ? [] : [codigosDoStatus.find((code) => code === error_code) ?? '']
}
