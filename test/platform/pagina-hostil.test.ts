import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { estados } from '../../src/estados/estados.ts'
import { SourceError } from '../../src/platform/wire/fonte.ts'
import { openPortal, type PortalAuthority } from '../kit/authority.ts'

/** One route of each way to read a page: HTML, pieces of HTML in XML, JSON that holds HTML. */
const rotas = ['GO', 'RO', 'RJ', 'AL', 'SP', 'ES', 'PI', 'PE', 'SE'] as const

let authority: PortalAuthority
before(async () => {
  const urls = [...estados.values()].flatMap(({ ie, cnd }) => [...ie, ...cnd].map(({ url }) => url))
  authority = await openPortal(...new Set(urls.map((url) => new URL(url).host)))
})
after(() => authority.close())

const MIB = 1024 * 1024
const fill = (piece: string, characters: number): string =>
  piece.repeat(Math.floor(characters / piece.length))

const paginas: [name: string, html: string][] = [
  ['2 MiB less a little of <', fill('<', 2 * MIB - 1000)],
  ['almost 1 MiB of <', fill('<', MIB - 1000)],
  [
    '150,000 attributes on one element',
    `<a ${Array.from({ length: 150_000 }, (_, n) => `b${n}=1`).join(' ')}>`,
  ],
  ['30,001 attributes on many elements', `<div>${'<i a b c d e f g h i j></i>'.repeat(3_001)}</div>`],
  ['100,000 elements', fill('<b></b>', 700_000)],
  ['5,000 elements in one', `<form>${'<input name="a">'.repeat(5_000)}</form>`],
  ['elements 513 deep', '<div>'.repeat(513)],
  ['40,000 comments', fill('<!-- -->', 320_000)],
  ['100,000 entities', fill('&amp;', 500_000)],
  ['200,000 characters of text', `<p>${fill('a b ', 200_000)}</p>`],
  [
    'a field of 200,000 characters',
    `<form><input type="text" name="a" value="${'a'.repeat(200_000)}"></form>`,
  ],
]

describe('a page that is more than a page is refused before it costs time or memory', () => {
  for (const [name, html] of paginas)
    test(name, async () => {
      for (const uf of rotas)
        for (const rota of [...(estados.get(uf)?.ie ?? []), ...(estados.get(uf)?.cnd ?? [])]) {
          if (rota.familia === 'cadastro' || rota.certeza === 'desconhecido') continue
          authority.answers(html)
          const pergunta = { tipo: 'cnpj', documento: '11222333000181', inscricoes: undefined } as const
          await assert.rejects(
            async () => rota.ask(pergunta, authority.meios),
            (error) =>
              error instanceof SourceError &&
              error.kind === 'parse' &&
              / demais\.$|maior que/.test(error.message),
            `${rota.source.id} (${rota.familia})`,
          )
        }
    })
})
