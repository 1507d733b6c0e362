import { once } from 'node:events'
import { connect } from 'node:net'
import type { Call } from './measure.ts'

const CONNECTIONS = 50
const HEAD_END = '\r\n\r\n'

/**
 * Requests per second, by a client that reads only the head of each response. Where servers use all cores, a client that parses bodies
 * of 100 kB would take as much of the processor as a server.
 */
export async function lightThroughput({ url, token }: Call, seconds: number): Promise<number> {
  const { hostname, port, pathname, search } = new URL(url)
  const authorization = token ? `Authorization: Bearer ${token}\r\n` : ''
  const request = Buffer.from(`GET ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n${authorization}\r\n`)
  let responses = 0
  let failure: Error | undefined
  const open = async () => {
    /** Bytes of the current response that are missing; 0 before its head. */
    let missing = 0
    const read = (length: number, buffer: Uint8Array): boolean => {
      let start = 0
      while (start < length) {
        if (!missing) {
          const head = Buffer.from(buffer.buffer, buffer.byteOffset + start, length - start)
          const end = head.indexOf(HEAD_END)
          const text = head.toString('latin1', 0, end)
          const body = /\r\ncontent-length: (\d+)/i.exec(text)
          if (end < 0 || !body || !text.startsWith('HTTP/1.1 200 ')) {
            failure ??= new Error(`${url} answered ${text.slice(0, 60)}`)
            return false
          }
          missing = end + HEAD_END.length + Number(body[1])
        }
        const taken = Math.min(missing, length - start)
        missing -= taken
        start += taken
        if (!missing) {
          responses++
          socket.write(request)
        }
      }
      return true
    }
    const socket = connect({ host: hostname, port: Number(port), onread: { buffer: Buffer.alloc(256 * 1024), callback: read } })
    await once(socket, 'connect')
    socket.on('error', (error) => {
      failure ??= error
    })
    socket.write(request)
    return socket
  }
  const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, open))
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  await wait((seconds * 1000) / 3)
  const before = responses
  const started = performance.now()
  await wait(seconds * 1000)
  const rate = (responses - before) / ((performance.now() - started) / 1000)
  for (const socket of sockets) socket.destroy()
  if (failure) throw failure
  return rate
}
