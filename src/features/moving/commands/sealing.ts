import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto'
import { ArchiveRefused } from './refusals.ts'

/**
 * A file sealed with a passphrase: one line of JSON in the clear, then chunks, each as its length in four bytes, the encrypted
 * bytes and their tag. The first bit of the length marks the last chunk, and all four bytes are part of what the tag vouches
 * for, so a file that was cut, changed or put together anew is noticed.
 */
const HEADER = { turnout: 'sealed backup', version: 1, cipher: 'aes-256-gcm', kdf: 'scrypt' } as const
const COST = { N: 2 ** 17, r: 8, p: 1 }
const CHUNK = 256 * 1024
const TAG = 16
const LAST = 0x80000000

export const SEALED_BEGINS = Buffer.from('{"turnout":"sealed backup"')

const deriveKey = (passphrase: string, salt: Buffer, { N, r, p }: typeof COST): Buffer =>
  scryptSync(passphrase.normalize('NFC'), salt, 32, { N, r, p, maxmem: 256 * N * r })

/** The salt is new for each file, so a number is nonce enough. */
function nonceOf(chunk: number): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(chunk, 6, 6)
  return nonce
}

export async function* seal(source: AsyncIterable<Buffer>, passphrase: string): AsyncGenerator<Buffer> {
  const salt = randomBytes(16)
  const header = Buffer.from(`${JSON.stringify({ ...HEADER, ...COST, salt: salt.toString('base64') })}\n`)
  const key = deriveKey(passphrase, salt, COST)
  yield header
  let chunk = 0
  const sealChunk = (bytes: Buffer, isLast: boolean): Buffer => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE((isLast ? LAST : 0) + bytes.length)
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(chunk++))
    cipher.setAAD(Buffer.concat([header, length]))
    return Buffer.concat([length, cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
  }
  let rest: Buffer = Buffer.alloc(0)
  for await (const bytes of source) {
    rest = Buffer.concat([rest, bytes])
    while (rest.length > CHUNK) {
      yield sealChunk(rest.subarray(0, CHUNK), false)
      rest = rest.subarray(CHUNK)
    }
  }
  yield sealChunk(rest, true)
}

export async function* unseal(source: AsyncIterable<Buffer>, passphrase: string | undefined): AsyncGenerator<Buffer> {
  if (passphrase === undefined) throw new ArchiveRefused('This backup is sealed: it needs the passphrase it was made with.')
  const take = reader(source)
  const header = await take.line()
  const key = keyFrom(header, passphrase)
  for (let chunk = 0, isLast = false; !isLast; chunk++) {
    const length = await take.bytes(4)
    const value = length.readUInt32BE()
    isLast = value >= LAST
    const size = isLast ? value - LAST : value
    if (size > CHUNK) throw damaged()
    const body = await take.bytes(size)
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(chunk), { authTagLength: TAG })
    decipher.setAAD(Buffer.concat([header, length]))
    decipher.setAuthTag(await take.bytes(TAG))
    try {
      yield Buffer.concat([decipher.update(body), decipher.final()])
    } catch (cause) {
      if (chunk) throw damaged(cause)
      throw new ArchiveRefused('The passphrase is not the one of this backup, or the file is damaged.', { cause })
    }
  }
  if (!(await take.isAtEnd())) throw damaged()
}

function keyFrom(header: Buffer, passphrase: string): Buffer {
  try {
    const { salt, N, r, p, ...rest } = JSON.parse(header.toString('utf8'))
    const isOurs = Object.entries(HEADER).every(([name, value]) => rest[name] === value)
    // Beyond these bounds the header was not written by us, and working it out would take all memory.
    if (isOurs && N <= 2 ** 20 && r <= 16 && p <= 4) return deriveKey(passphrase, Buffer.from(salt, 'base64'), { N, r, p })
  } catch {
    // told below
  }
  throw damaged()
}

const damaged = (cause?: unknown) => new ArchiveRefused('The backup is damaged: it was cut or changed.', { cause })

function reader(source: AsyncIterable<Buffer>) {
  const iterator = source[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)
  const more = async (): Promise<boolean> => {
    const { value, done } = await iterator.next()
    if (!done) held = held.length ? Buffer.concat([held, value]) : value
    return !done
  }
  const bytes = async (size: number): Promise<Buffer> => {
    while (held.length < size) if (!(await more())) throw damaged()
    const taken = held.subarray(0, size)
    held = held.subarray(size)
    return taken
  }
  return {
    bytes,
    line: async () => {
      while (!held.includes(10)) if (held.length > 4096 || !(await more())) throw damaged()
      return bytes(held.indexOf(10) + 1)
    },
    isAtEnd: async () => held.length === 0 && !(await more()),
  }
}
