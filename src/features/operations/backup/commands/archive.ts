import { createHash, type Hash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { type ArchiveEnd, endLine, fileLine, type Manifest, manifest, tableLine } from '../schema.ts'
import { decrypt, ENCRYPTED_PREFIX, encrypt } from './encryption.ts'
import { TransferError } from './transfer-error.ts'

const NOT_A_BACKUP = 'This file is not a Turnout backup, or it was made by a newer version.'

/** `checksum`: SHA-256 of everything written so far. */
export type ArchiveWriter = { write: (text: string) => Promise<void>; checksum: () => string }

/** Writes to `<path>.partial`, readable by the owner only, and renames it at the end, so `path` is always a complete file. */
export async function writeArchive(
  path: string,
  passphrase: string | undefined,
  fill: (archive: ArchiveWriter) => Promise<void>,
): Promise<void> {
  const partial = `${path}.partial`
  await rm(partial, { force: true })
  const plain = new PassThrough()
  const hash = createHash('sha256')
  // Before anything is read: a folder that does not exist is the only message then.
  const file = (await open(partial, 'wx', 0o600)).createWriteStream()
  const written =
    passphrase === undefined
      ? pipeline(plain, createGzip(), file)
      : pipeline(plain, createGzip(), (source: AsyncIterable<Buffer>) => encrypt(source, passphrase), file)
  // Makes `write` fail, too.
  written.catch((error) => plain.destroy(error))
  try {
    await fill({
      write: async (text) => {
        hash.update(text)
        if (plain.errored) throw plain.errored
        // Fails with the stream.
        if (!plain.write(text)) await once(plain, 'drain')
      },
      checksum: () => (hash.copy() as Hash).digest('hex'),
    })
    plain.end()
    await written
    await syncToDisk(partial)
    await rename(partial, path)
  } catch (error) {
    plain.destroy()
    await written.catch(() => {})
    await rm(partial, { force: true })
    throw error
  }
}

async function syncToDisk(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

type ArchivePart =
  | { kind: 'manifest'; manifest: Manifest }
  | { kind: 'table'; table: string; columns: string[] }
  | { kind: 'row'; table: string; text: string }
  | { kind: 'file'; id: string; data: Buffer }
  | { kind: 'end'; end: ArchiveEnd }

/** Rows are not parsed but passed on as text, so that numbers keep all their digits. */
const ROW_PREFIX = '{"row":'
export const rowLine = (json: string): string => `${ROW_PREFIX}${json}}\n`

/** Yields the parts of the file in order, and verifies format, checksum and row counts. */
export async function* readArchive(path: string, passphrase: string | undefined): AsyncGenerator<ArchivePart> {
  const hash = createHash('sha256')
  const counted: Record<string, number> = {}
  let table: string | undefined
  let end: ArchiveEnd | undefined
  const files = new Set<string>()
  let number = 0
  for await (const line of readLines(path, passphrase)) {
    number++
    if (end) throw new TransferError('The backup is damaged: there is data after its end.')
    if (number === 1) yield { kind: 'manifest', manifest: parse(line, number, manifest) }
    else if (line.startsWith('{"table":')) {
      const { table: name, columns } = parse(line, number, tableLine)
      if (name in counted) throw new TransferError(`The backup is damaged: the table ${name} is in it twice.`)
      table = name
      counted[name] = 0
      yield { kind: 'table', table, columns }
    } else if (line.startsWith('{"file":')) {
      const { id, data } = parse(line, number, fileLine).file
      files.add(id)
      yield { kind: 'file', id, data: Buffer.from(data, 'base64') }
    } else if (line.startsWith('{"end":')) {
      end = parse(line, number, endLine).end
      if (end.sha256 !== hash.digest('hex')) throw new TransferError('The backup is damaged: the checksum does not match.')
      yield { kind: 'end', end }
      continue
    } else if (table !== undefined && line.startsWith(ROW_PREFIX)) {
      counted[table]!++
      yield { kind: 'row', table, text: line.slice(ROW_PREFIX.length, -1) }
    } else throw new TransferError(`The backup is damaged: line ${number} cannot be read.`)
    hash.update(`${line}\n`)
  }
  if (!end) throw new TransferError('The backup is damaged: its end is missing.')
  if (files.size !== end.files) throw new TransferError(`The backup is damaged: it should have ${end.files} files.`)
  for (const [name, rows] of Object.entries({ ...counted, ...end.rows }))
    if (counted[name] !== rows) throw new TransferError(`The backup is damaged: the table ${name} should have ${rows} rows.`)
}

function parse<T>(line: string, number: number, schema: { safeParse: (value: unknown) => { success: boolean; data?: T } }): T {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    // `safeParse` below rejects undefined.
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data as T
  throw new TransferError(number === 1 ? NOT_A_BACKUP : `The backup is damaged: line ${number} cannot be read.`)
}

async function* readLines(path: string, passphrase: string | undefined): AsyncGenerator<string> {
  const source = await openSource(path, passphrase)
  let buffered: Buffer[] = []
  try {
    for await (const bytes of source) {
      let from = 0
      for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, from)) {
        buffered.push(bytes.subarray(from, at))
        yield (buffered.length === 1 ? buffered[0]! : Buffer.concat(buffered)).toString('utf8')
        buffered = []
        from = at + 1
      }
      if (from < bytes.length) buffered.push(bytes.subarray(from))
    }
  } catch (error) {
    const { code } = error as { code?: string }
    if (code?.startsWith('Z_'))
      throw new TransferError('The backup is damaged: the file was truncated or changed.', { cause: error })
    throw error
  }
  if (buffered.length) throw new TransferError('The backup is damaged: its end is missing.')
}

/** With a passphrase, a plain file may be one that an attacker put in the place of the backup: nothing proves its origin. */
export async function requireEncryption(path: string): Promise<void> {
  if ((await readStart(path)).equals(ENCRYPTED_PREFIX)) return
  throw new TransferError(
    'BACKUP_PASSPHRASE is set, but this backup is not encrypted, so nothing proves that it was not changed. Use --accept-unencrypted to restore it anyway.',
  )
}

async function openSource(path: string, passphrase: string | undefined): Promise<AsyncIterable<Buffer>> {
  const start = await readStart(path)
  const isEncrypted = start.equals(ENCRYPTED_PREFIX)
  const isGzip = start[0] === 0x1f && start[1] === 0x8b
  if (!isEncrypted && !isGzip) {
    throw new TransferError(NOT_A_BACKUP)
  }
  const file = createReadStream(path)
  const gunzip = createGunzip()
  const source = isEncrypted ? Readable.from(decrypt(file, passphrase)) : file
  source.on('error', (error: Error) => gunzip.destroy(error))
  file.on('error', (error) => gunzip.destroy(error))
  return source.pipe(gunzip)
}

async function readStart(path: string): Promise<Buffer> {
  const file = await open(path, 'r').catch((cause: { code?: string }) => {
    if (cause.code === 'ENOENT') throw new TransferError(`File not found: ${path}`, { cause })
    throw cause
  })
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(ENCRYPTED_PREFIX.length))
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
