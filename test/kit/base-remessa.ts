import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateDump } from '../../simulator/dados-abertos/dump.ts'
import type { Servidor } from './base-webdav-server.ts'

/** Puts a small generated vintage in the share. Gives its zips by name. */
export async function publish(
  servidor: Servidor,
  pasta: string,
  versao: string,
): Promise<Map<string, Buffer>> {
  const destino = join(pasta, `publicada-${versao}`)
  await generateDump({ pasta: destino, estabelecimentos: 300, versao, nivel: 1 })
  const zips = new Map(readdirSync(destino).map((nome) => [nome, readFileSync(join(destino, nome))]))
  for (const [nome, conteudo] of zips) servidor.arquivos.set(`${versao}/${nome}`, conteudo)
  return zips
}
