import { json } from 'node:stream/consumers'
import { lerMarkdown } from './guia-marcado.ts'
import { abrirRealce } from './guia-realce.ts'
import type { PedidoDeLeitura } from './ler.ts'

// The program that reads the guide: the request comes in at one end, and the blocks go out at the other.
const { textos }: PedidoDeLeitura = Object(await json(process.stdin))
const colorir = await abrirRealce()
process.stdout.write(JSON.stringify(textos.map((texto) => lerMarkdown(texto, colorir))))
