import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './dockerfile.ts'

/** The headings of a page as a link names them: lower case, blanks as hyphens, no other signs. */
export const anchorsOf = (page: string): string[] =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
