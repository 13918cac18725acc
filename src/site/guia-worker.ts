import { json } from 'node:stream/consumers'
import type { PedidoDeLeitura } from './guia-capitulos.ts'
import { lerMarkdown } from './guia-marcado.ts'
import { abrirRealce } from './guia-realce.ts'

// The program that reads the guide: the request comes in at one end, and the blocks go out at the other.
const { textos }: PedidoDeLeitura = Object(await json(process.stdin))
const colorir = await abrirRealce()
process.stdout.write(JSON.stringify(textos.map((texto) => lerMarkdown(texto, colorir))))
