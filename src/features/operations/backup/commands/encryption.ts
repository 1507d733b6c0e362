import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto'
import { TransferError } from './transfer-error.ts'

/**
 * A file encrypted with a passphrase: one line of JSON in plain text, then chunks of length (four bytes), encrypted bytes and tag.
 * The first bit of the length marks the last chunk. Header and length are authenticated data, so truncated, changed and reordered
 * files are detected.
 */
const HEADER = { turnout: 'sealed backup', version: 1, cipher: 'aes-256-gcm', kdf: 'scrypt' } as const
const SCRYPT_COST = { N: 2 ** 17, r: 8, p: 1 }
const CHUNK_BYTES = 256 * 1024
const TAG_BYTES = 16
const LAST_CHUNK_FLAG = 0x80000000

export const ENCRYPTED_PREFIX = Buffer.from('{"turnout":"sealed backup"')

const deriveKey = (passphrase: string, salt: Buffer, { N, r, p }: typeof SCRYPT_COST): Buffer =>
  scryptSync(passphrase.normalize('NFC'), salt, 32, { N, r, p, maxmem: 256 * N * r })

/** The key is unique per file by its salt, so the chunk number is a safe nonce. */
function makeNonce(chunk: number): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(chunk, 6, 6)
  return nonce
}

export async function* encrypt(source: AsyncIterable<Buffer>, passphrase: string): AsyncGenerator<Buffer> {
  const salt = randomBytes(16)
  const header = Buffer.from(`${JSON.stringify({ ...HEADER, ...SCRYPT_COST, salt: salt.toString('base64') })}\n`)
  const key = deriveKey(passphrase, salt, SCRYPT_COST)
  yield header
  let chunk = 0
  const encryptChunk = (bytes: Buffer, isLast: boolean): Buffer => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE((isLast ? LAST_CHUNK_FLAG : 0) + bytes.length)
    const cipher = createCipheriv('aes-256-gcm', key, makeNonce(chunk++))
    cipher.setAAD(Buffer.concat([header, length]))
    return Buffer.concat([length, cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
  }
  let rest: Buffer = Buffer.alloc(0)
  for await (const bytes of source) {
    rest = Buffer.concat([rest, bytes])
    while (rest.length > CHUNK_BYTES) {
      yield encryptChunk(rest.subarray(0, CHUNK_BYTES), false)
      rest = rest.subarray(CHUNK_BYTES)
    }
  }
  yield encryptChunk(rest, true)
}

export async function* decrypt(source: AsyncIterable<Buffer>, passphrase: string | undefined): AsyncGenerator<Buffer> {
  if (passphrase === undefined)
    throw new TransferError('This backup is encrypted. Set BACKUP_PASSPHRASE to the passphrase it was made with.')
  const input = makeReader(source)
  const header = await input.line()
  const key = readKey(header, passphrase)
  for (let chunk = 0, isLast = false; !isLast; chunk++) {
    const length = await input.bytes(4)
    const value = length.readUInt32BE()
    isLast = value >= LAST_CHUNK_FLAG
    const size = isLast ? value - LAST_CHUNK_FLAG : value
    if (size > CHUNK_BYTES) throw damaged()
    const body = await input.bytes(size)
    const decipher = createDecipheriv('aes-256-gcm', key, makeNonce(chunk), { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.concat([header, length]))
    decipher.setAuthTag(await input.bytes(TAG_BYTES))
    try {
      yield Buffer.concat([decipher.update(body), decipher.final()])
    } catch (cause) {
      if (chunk) throw damaged(cause)
      throw new TransferError('The passphrase is wrong, or the file is damaged.', { cause })
    }
  }
  if (!(await input.isAtEnd())) throw damaged()
}

function readKey(header: Buffer, passphrase: string): Buffer {
  try {
    const { salt, N, r, p, ...rest } = JSON.parse(header.toString('utf8'))
    const isSupported = Object.entries(HEADER).every(([name, value]) => rest[name] === value)
    // Limits the memory that a manipulated header can claim.
    if (isSupported && N <= 2 ** 20 && r <= 16 && p <= 4) return deriveKey(passphrase, Buffer.from(salt, 'base64'), { N, r, p })
  } catch {
    // Not a valid header.
  }
  throw damaged()
}

const damaged = (cause?: unknown) => new TransferError('The backup is damaged: the file was truncated or changed.', { cause })

function makeReader(source: AsyncIterable<Buffer>) {
  const iterator = source[Symbol.asyncIterator]()
  let buffered: Buffer = Buffer.alloc(0)
  const more = async (): Promise<boolean> => {
    const { value, done } = await iterator.next()
    if (!done) buffered = buffered.length ? Buffer.concat([buffered, value]) : value
    return !done
  }
  const bytes = async (size: number): Promise<Buffer> => {
    while (buffered.length < size) if (!(await more())) throw damaged()
    const taken = buffered.subarray(0, size)
    buffered = buffered.subarray(size)
    return taken
  }
  return {
    bytes,
    line: async () => {
      while (!buffered.includes(10)) if (buffered.length > 4096 || !(await more())) throw damaged()
      return bytes(buffered.indexOf(10) + 1)
    },
    isAtEnd: async () => buffered.length === 0 && !(await more()),
  }
}
