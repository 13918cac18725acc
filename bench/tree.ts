import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The folder of the tree that is measured: the one that TREE names, else this one. */
export const TREE = resolve(process.env.TREE ?? join(import.meta.dirname, '..'))

/** A module of that tree, typed as this tree's: what a bench takes of it must be in both. */
export const fromTree = <M>(path: string): Promise<M> => import(pathToFileURL(join(TREE, path)).href)
