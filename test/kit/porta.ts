import { connect, createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

/** A TCP door before a real PostgreSQL. */
export type Porta = {
  /** The database's address through the door. */
  databaseUrl: string
  /** Breaks all connections and refuses new ones, as a server that is down does. */
  fechar: () => Promise<void>
  /** Lets connections in again. */
  abrir: () => Promise<void>
  /** Lets nothing through any more, in no direction, and tells nobody: a black hole. */
  engolir: () => void
  /** Goes on with what comes now; connections that were in the hole stay silent. */
  devolver: () => void
}

/** Opens a door before the database at `databaseUrl`. It is closed with the test. */
export async function openPorta(t: Pick<TestContext, 'after'>, databaseUrl: string): Promise<Porta> {
  const target = Number(new URL(databaseUrl).port)
  const open = new Set<Socket>()
  let hole = false
  const server = createServer({ allowHalfOpen: true }, (near) => {
    open.add(near)
    near.on('error', () => {}).on('close', () => open.delete(near))
    // In the hole not even a connection is made: its first packet is never answered.
    if (hole) return near.pause()
    const far = connect(target, '127.0.0.1')
    open.add(far)
    far.on('error', () => {}).on('close', () => open.delete(far))
    const carry = (from: Socket, to: Socket) => {
      from.on('data', (bytes) => !silent.has(near) && to.write(bytes))
      from.on('close', () => !silent.has(near) && to.destroy())
      from.on('end', () => !silent.has(near) && to.end())
    }
    carry(near, far)
    carry(far, near)
  })
  const silent = new Set<Socket>()
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const fechar = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of open) socket.destroy()
    await closed
  }
  t.after(() => (server.listening ? fechar() : undefined))
  const through = new URL(databaseUrl)
  through.port = String(port)
  return {
    databaseUrl: through.href,
    fechar,
    abrir: () => listen(port),
    engolir: () => {
      hole = true
      for (const socket of open) silent.add(socket)
    },
    devolver: () => {
      hole = false
    },
  }
}
