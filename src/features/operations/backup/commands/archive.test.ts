import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { readArchive, requireEncryption, writeArchive } from './archive.ts'
import { ENCRYPTED_PREFIX } from './encryption.ts'
import { TransferError } from './transfer-error.ts'

const folder = mkdtempSync(join(tmpdir(), 'archive-test-'))
after(() => rmSync(folder, { recursive: true }))

async function read(path: string): Promise<unknown[]> {
  const parts = []
  for await (const part of readArchive(path, undefined)) parts.push(part)
  return parts
}
const refused = (message: RegExp) => (error: Error) => error instanceof TransferError && message.test(error.message)

test('a backup that cannot be written ends while rows are read, with the reason, and leaves no file', async () => {
  const path = join(folder, 'failing.backup')
  let written = 0
  const making = writeArchive(path, Symbol('no passphrase') as never, async (archive) => {
    for (;;) {
      await archive.write('x')
      written++
      await new Promise(setImmediate)
    }
  })
  await assert.rejects(making, TypeError)
  assert.ok(written > 0)
  assert.deepEqual([existsSync(path), existsSync(`${path}.partial`)], [false, false])
})

test('a writer that waits for room is told when there is none', async () => {
  const path = join(folder, 'full.backup')
  const large = 'x'.repeat(1_000_000)
  const making = writeArchive(path, Symbol('no passphrase') as never, async (archive) => {
    // The second one waits for a stream that has failed meanwhile.
    await Promise.all([archive.write(large), archive.write(large)])
    assert.fail('nothing was written')
  })
  await assert.rejects(making, TypeError)
})

test('a backup into a folder that does not exist says so before anything is read', async () => {
  const making = writeArchive(join(folder, 'missing', 'a.backup'), undefined, async () => assert.fail('it reads'))
  await assert.rejects(making, { code: 'ENOENT' })
})

test('a backup has to be encrypted if there is a passphrase', async () => {
  const [sealed, plain] = [join(folder, 'sealed'), join(folder, 'plain')]
  writeFileSync(sealed, Buffer.concat([ENCRYPTED_PREFIX, Buffer.from(',…')]))
  writeFileSync(plain, gzipSync('{}\n'))
  await requireEncryption(sealed)
  await assert.rejects(requireEncryption(plain), refused(/not encrypted.*--accept-unencrypted/))
  await assert.rejects(requireEncryption(join(folder, 'nothing')), refused(/^File not found: .*nothing$/))
  // Another reason than a missing file is told as it is.
  await assert.rejects(requireEncryption(folder), { code: 'EISDIR' })
  await assert.rejects(requireEncryption(join(plain, 'below')), { code: 'ENOTDIR' })
})

test('a file that neither is compressed nor encrypted is no backup, also if one of the first bytes fits', async () => {
  const path = join(folder, 'other')
  for (const start of [
    [0x1f, 0x8c],
    [0x1e, 0x8b],
  ]) {
    writeFileSync(path, Buffer.from([...start, 8, 0]))
    await assert.rejects(read(path), refused(/is not a Turnout backup/))
  }
})

const MANIFEST = JSON.stringify({
  format: 'turnout-backup',
  version: 1,
  turnout: '0.1.0',
  made_at: '2031-05-01T10:00:00.000Z',
  site_url: 'https://a.example',
  time_zone: 'Europe/Berlin',
  language: 'en',
  migrations: [{ name: '0001_first', checksum: 'x' }],
  extensions: [],
  key_id: 'k',
})
for (const [what, lines, message] of [
  ['without a line break at its end', `${MANIFEST}\n{"table":`, /its end is missing/],
  ['without a last line', `${MANIFEST}\n{"table":"event","columns":["id"]}\n`, /its end is missing/],
  [
    'with a table that is in it twice',
    `${MANIFEST}\n${'{"table":"event","columns":["id"]}\n'.repeat(2)}`,
    /the table event is in it twice/,
  ],
  ['with a row before its table', `${MANIFEST}\n{"row":{"id":1}}\n`, /line 2 cannot be read/],
  ['with another line', `${MANIFEST}\n{"table":"event","columns":["id"]}\n{"column":1}\n`, /line 3 cannot be read/],
  ['with a line that is no JSON', `${MANIFEST}\n{"table":\n`, /line 2 cannot be read/],
  ['with a first line of another kind', '{"format":"other"}\n', /is not a Turnout backup/],
] as const)
  test(`a backup ${what} is refused`, async () => {
    const path = join(folder, 'damaged')
    writeFileSync(path, gzipSync(lines))
    await assert.rejects(read(path), refused(message))
  })
