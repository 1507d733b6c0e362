import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decrypt, encrypt } from './encryption.ts'

const KIB = 1024
const PASSPHRASE = 'four green umbrellas'

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
async function join(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all)
}

/** Lengths of the chunks as the file states them; the last one is negative. */
function lengthsIn(file: Buffer): number[] {
  const found: number[] = []
  for (let at = file.indexOf(10) + 1; at < file.length; ) {
    const value = file.readUInt32BE(at)
    const length = value & 0x7fffffff
    found.push(value === length ? length : -length)
    at += 4 + length + 16
  }
  return found
}

// Backups of earlier versions consist of chunks of this size: it can never become smaller.
for (const [size, lengths] of [
  [0, [-0]],
  [256 * KIB, [-256 * KIB]],
  [512 * KIB + 1, [256 * KIB, 256 * KIB, -1]],
] as const)
  test(`${size} bytes are encrypted in chunks of ${lengths.map(Math.abs).join(', ')} bytes, and decrypted`, async () => {
    const bytes = Buffer.alloc(size, 'harbour')
    const file = await join(encrypt(inPieces(bytes, 100 * KIB), PASSPHRASE))
    assert.deepEqual(lengthsIn(file).map(String), lengths.map(String))
    assert.ok((await join(decrypt(inPieces(file, 7 * KIB + 1), PASSPHRASE))).equals(bytes))
  })

test('a chunk that claims to be larger is refused before it is read', async () => {
  const file = await join(encrypt(inPieces(Buffer.alloc(10), 10), PASSPHRASE))
  file.writeUInt32BE(0x80000000 + 256 * KIB + 1, file.indexOf(10) + 1)
  await assert.rejects(join(decrypt(inPieces(file, 50), PASSPHRASE)), /damaged/)
  await assert.rejects(join(decrypt(inPieces(file, 50), undefined)), /Set BACKUP_PASSPHRASE/)
})

const WRONG_PASSPHRASE = /^The passphrase is wrong/
const DAMAGED = /^The backup is damaged/
// A header that somebody changed must not claim more memory or time than these.
for (const [change, message] of [
  [{}, WRONG_PASSPHRASE],
  [{ turnout: 'another file' }, DAMAGED],
  [{ version: 2 }, DAMAGED],
  [{ cipher: 'aes-128-gcm' }, DAMAGED],
  [{ kdf: 'argon2' }, DAMAGED],
  [{ N: 2 ** 20 }, WRONG_PASSPHRASE],
  [{ N: 2 ** 21 }, DAMAGED],
  [{ r: 16 }, WRONG_PASSPHRASE],
  [{ r: 17 }, DAMAGED],
  [{ p: 4 }, WRONG_PASSPHRASE],
  [{ p: 5 }, DAMAGED],
  [{ salt: undefined }, DAMAGED],
] as const)
  test(`a header with ${JSON.stringify(change)} is ${message === DAMAGED ? 'refused' : 'tried'}`, async () => {
    const header = {
      turnout: 'sealed backup',
      version: 1,
      cipher: 'aes-256-gcm',
      kdf: 'scrypt',
      N: 1024,
      r: 2,
      p: 1,
      salt: 'AAAA',
      ...change,
    }
    const length = Buffer.from([0x80, 0, 0, 1])
    const file = Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), length, Buffer.alloc(1 + 16)])
    await assert.rejects(join(decrypt(inPieces(file, 50), PASSPHRASE)), { message })
  })
