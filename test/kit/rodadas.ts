import { der, inteiro } from '../../simulator/platform/icp/der.ts'
import { type Der, integerOf, readDer } from '../../src/platform/wire/der.ts'
import { wholeDer } from './der-inteiro.ts'

/** The same A1 file with `change` applied to each of its counts. Strings that hold DER are searched too. */
export function withCounts(pfx: Buffer, change: (count: number) => number, keepMac: boolean): Buffer {
  const rewrite = (node: Der): Buffer => {
    if (node.tag === 0x02 && integerOf(node) === 2048) return inteiro(change(2048))
    const inner = node.tag === 0x04 ? wholeDer(node.corpo) : undefined
    if (inner) return der(node.tag, rewrite(inner))
    return node.filhos.length > 0 ? der(node.tag, ...node.filhos.map(rewrite)) : node.inteiro
  }
  const { tag, filhos } = readDer(pfx)
  return der(tag, ...filhos.slice(0, keepMac ? 3 : 2).map(rewrite))
}
