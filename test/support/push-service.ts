import { createDecipheriv, createECDH, createPublicKey, createVerify, hkdfSync, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export type PushReceived = { path: string; ttl: string; claims: Record<string, unknown>; message: unknown }

/** A push service on loopback with browsers that decrypt what they get (RFC 8291) and check who sent it (RFC 8292). */
export async function startPushService() {
  const received: PushReceived[] = []
  const browsers = new Map<string, Browser>()
  /** Answers of single endpoints; the others accept. */
  const statuses = new Map<string, number>()
  const server = createServer(async (request, response) => {
    const path = request.url!
    const body = await buffer(request)
    const status = statuses.get(path) ?? 201
    if (status === 201) {
      const authorization = request.headers.authorization!
      const claims = readVapid(authorization)
      received.push({ path, ttl: String(request.headers.ttl), claims, message: browsers.get(path)!.decrypt(body) })
    }
    response.writeHead(status).end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    port,
    received,
    statuses,
    /** What a browser gives to the site. */
    subscribe: (name: string) => {
      const browser = new Browser()
      browsers.set(`/${name}`, browser)
      return { endpoint: `http://127.0.0.1:${port}/${name}`, ...browser.keys }
    },
    stop: () => new Promise<void>((done) => server.close(() => done())),
  }
}

class Browser {
  readonly #ecdh = createECDH('prime256v1')
  readonly #auth = randomBytes(16)
  readonly keys: { p256dh: string; auth: string }

  constructor() {
    this.#ecdh.generateKeys()
    this.keys = { p256dh: this.#ecdh.getPublicKey('base64url'), auth: this.#auth.toString('base64url') }
  }

  /** One record of the content coding aes128gcm (RFC 8188): salt, record size, key of the sender, ciphertext. */
  decrypt(body: Buffer): unknown {
    const salt = body.subarray(0, 16)
    const keyLength = body[20]!
    const senderKey = body.subarray(21, 21 + keyLength)
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.#ecdh.getPublicKey(), senderKey])
    const secret = Buffer.from(hkdfSync('sha256', this.#ecdh.computeSecret(senderKey), this.#auth, info, 32))
    const key = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: aes128gcm\0', 16))
    const nonce = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: nonce\0', 12))
    const text = body.subarray(21 + keyLength)
    const decipher = createDecipheriv('aes-128-gcm', key, nonce, { authTagLength: 16 })
    decipher.setAuthTag(text.subarray(-16))
    const padded = Buffer.concat([decipher.update(text.subarray(0, -16)), decipher.final()])
    // The last record ends with the byte 2, then padding.
    return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString())
  }
}

/** The claims of the token, if its signature is right. */
function readVapid(authorization: string): Record<string, unknown> {
  const [, token = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(authorization) ?? []
  const [header = '', payload = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const coordinate = (from: number) => point.subarray(from, from + 32).toString('base64url')
  const jwk = { kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33) }
  const isSigned = createVerify('sha256')
    .update(`${header}.${payload}`)
    .verify({ key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'))
  if (!isSigned) throw new Error('wrong signature')
  return { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), key }
}
