import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A line to a server on this machine that can be cut and mended. */
export type Line = {
  address: string
  /** Ends what goes over it, and takes nothing until it is mended. */
  cut: () => void
  mend: () => void
  close: () => Promise<void>
}

/** Lays a line to an address of this machine. */
export async function layLine(to: string): Promise<Line> {
  const port = Number(new URL(to).port)
  const open = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    if (isCut) return near.destroy()
    const far = connect(port, '127.0.0.1')
    for (const end of [near, far]) {
      open.add(end)
      end.on('error', () => end.destroy())
      end.on('close', () => {
        for (const other of [near, far]) other.destroy()
        open.delete(end)
      })
    }
    near.pipe(far).pipe(near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = (): void => {
    isCut = true
    for (const end of open) end.destroy()
  }
  const address: AddressInfo = Object(server.address())
  return {
    address: `http://127.0.0.1:${address.port}`,
    cut,
    mend: () => {
      isCut = false
    },
    close: async () => {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
