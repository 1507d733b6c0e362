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
