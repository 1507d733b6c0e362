import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest()
const FLAGS = { present: 0x01, verified: 0x04, synced: 0x08, backedUp: 0x10, hasKey: 0x40 }

type Options = { challenge: string; rp?: { id: string }; rpId?: string; user?: { id: string } }
/** What an attacker could change. */
type Lies = { origin?: string; rpId?: string; challenge?: string; counter?: number; isVerified?: boolean; type?: string }

/** Answers challenges as an authenticator and a browser do (WebAuthn level 3), with one ES256 key. */
export class Authenticator {
  readonly origin: string
  readonly id = randomBytes(32)
  readonly #key: KeyObject
  readonly #publicKey: Buffer
  counter = 0
  userHandle = ''
  readonly #countsUp: boolean

  /** Synced passkeys always tell zero. */
  constructor(origin: string, { countsUp = true } = {}) {
    this.origin = origin
    this.#countsUp = countsUp
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.#key = privateKey
    const { x, y } = publicKey.export({ format: 'jwk' })
    const point = (text: string | undefined) => Buffer.concat([Buffer.from([0x58, 0x20]), Buffer.from(text!, 'base64url')])
    // COSE_Key: kty EC2, alg ES256, crv P-256, x, y.
    const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01])
    this.#publicKey = Buffer.concat([head, Buffer.from([0x21]), point(x), Buffer.from([0x22]), point(y)])
  }

  #clientData(type: string, challenge: string, { origin = this.origin }: Lies): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  }

  #authenticatorData(rpId: string, flags: number, counter: number, more: Buffer = Buffer.alloc(0)): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, more])
  }

  #flags({ isVerified = true }: Lies): number {
    return FLAGS.present | (isVerified ? FLAGS.verified : 0) | (this.#countsUp ? 0 : FLAGS.synced | FLAGS.backedUp)
  }

  create(options: Options, lies: Lies = {}): string {
    const rpId = lies.rpId ?? options.rp!.id
    this.userHandle = options.user!.id
    const length = Buffer.alloc(2)
    length.writeUInt16BE(this.id.length)
    const credential = Buffer.concat([Buffer.alloc(16), length, this.id, this.#publicKey])
    const data = this.#authenticatorData(rpId, this.#flags(lies) | FLAGS.hasKey, this.counter, credential)
    const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])
    const size = Buffer.from([0x59, data.length >> 8, data.length & 0xff])
    const attestation = Buffer.concat([
      Buffer.from([0xa3]),
      ...[text('fmt'), text('none'), text('attStmt'), Buffer.from([0xa0]), text('authData'), size, data],
    ])
    return this.#answer({
      clientDataJSON: this.#clientData(lies.type ?? 'webauthn.create', lies.challenge ?? options.challenge, lies),
      attestationObject: attestation,
    })
  }

  get(options: Options, lies: Lies = {}): string {
    if (this.#countsUp) this.counter++
    const clientData = this.#clientData(lies.type ?? 'webauthn.get', lies.challenge ?? options.challenge, lies)
    const data = this.#authenticatorData(lies.rpId ?? options.rpId!, this.#flags(lies), lies.counter ?? this.counter)
    return this.#answer({
      clientDataJSON: clientData,
      authenticatorData: data,
      signature: sign('sha256', Buffer.concat([data, sha256(clientData)]), this.#key),
      userHandle: Buffer.from(this.userHandle, 'base64url'),
    })
  }

  #answer(parts: Record<string, Buffer>): string {
    const id = this.id.toString('base64url')
    const response = Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, part.toString('base64url')]))
    return JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response })
  }
}
