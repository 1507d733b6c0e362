import { createHash, type Hash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { type LastLine, lastLine, type Manifest, manifest, tableLine } from '../schema.ts'
import { ArchiveRefused } from './refusals.ts'
import { SEALED_BEGINS, seal, unseal } from './sealing.ts'

/** Lines go in; `checksum` is of everything so far. */
export type ArchiveWriter = { write: (text: string) => Promise<void>; checksum: () => string }

/**
 * Writes beside its place and moves there at the end: whoever sees the file sees all of it. Only its owner may read it, from the
 * first byte.
 */
export async function writeArchive(
  path: string,
  passphrase: string | undefined,
  fill: (archive: ArchiveWriter) => Promise<void>,
): Promise<void> {
  const partial = `${path}.partial`
  await rm(partial, { force: true })
  const plain = new PassThrough()
  const sum = createHash('sha256')
  const file = createWriteStream(partial, { mode: 0o600, flags: 'wx' })
  const written =
    passphrase === undefined
      ? pipeline(plain, createGzip(), file)
      : pipeline(plain, createGzip(), (source: AsyncIterable<Buffer>) => seal(source, passphrase), file)
  written.catch((error) => plain.destroy(error)) // whoever fills hears it
  try {
    await fill({
      write: async (text) => {
        sum.update(text)
        if (plain.errored) throw plain.errored
        if (!plain.write(text)) await onceDrained(plain)
      },
      checksum: () => (sum.copy() as Hash).digest('hex'),
    })
    plain.end()
    await written
    await settle(partial)
    await rename(partial, path)
  } catch (error) {
    plain.destroy()
    await written.catch(() => {})
    await rm(partial, { force: true })
    throw error
  }
}

const onceDrained = (stream: PassThrough): Promise<void> =>
  new Promise((resolve, reject) => {
    const settled = (error?: Error) => {
      stream.off('drain', settled).off('error', settled).off('close', settled)
      if (error) reject(error)
      else if (stream.destroyed) reject(new Error('the file could not be written'))
      else resolve()
    }
    stream.on('drain', settled).on('error', settled).on('close', settled)
  })

/** A backup that is still in the memory of the machine is none. */
async function settle(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

export type ArchivePart =
  | { kind: 'manifest'; manifest: Manifest }
  | { kind: 'table'; table: string; columns: string[] }
  | { kind: 'row'; table: string; text: string }
  | { kind: 'end'; end: LastLine }

/** What stands around a row. The row itself goes to the database as it is: numbers keep all their digits. */
const ROW = '{"row":'
export const rowLine = (json: string): string => `${ROW}${json}}\n`

/** Every line in its order, with all that can be said about the file by itself checked on the way. */
export async function* readArchive(path: string, passphrase: string | undefined): AsyncGenerator<ArchivePart> {
  const sum = createHash('sha256')
  const counted: Record<string, number> = {}
  let table: string | undefined
  let before: LastLine | undefined
  let number = 0
  for await (const line of linesOf(path, passphrase)) {
    number++
    if (before) throw new ArchiveRefused('The backup is damaged: something follows its end.')
    if (number === 1) yield { kind: 'manifest', manifest: parse(line, number, manifest) }
    else if (line.startsWith('{"table":')) {
      const { table: name, columns } = parse(line, number, tableLine)
      if (name in counted) throw new ArchiveRefused(`The backup is damaged: the table ${name} comes twice.`)
      table = name
      counted[name] = 0
      yield { kind: 'table', table, columns }
    } else if (line.startsWith('{"end":')) {
      const { end } = parse(line, number, lastLine)
      if (end.sha256 !== sum.digest('hex')) throw new ArchiveRefused('The backup is damaged: its checksum does not agree.')
      before = end
      yield { kind: 'end', end }
      continue
    } else if (table !== undefined && line.startsWith(ROW)) {
      counted[table]!++
      yield { kind: 'row', table, text: line.slice(ROW.length, -1) }
    } else throw new ArchiveRefused(`The backup is damaged: line ${number} cannot be read.`)
    sum.update(`${line}\n`)
  }
  if (!before) throw new ArchiveRefused('The backup is damaged: its end is missing.')
  for (const [name, rows] of Object.entries({ ...counted, ...before.rows }))
    if (counted[name] !== rows) throw new ArchiveRefused(`The backup is damaged: ${name} should have ${rows} rows.`)
}

function parse<T>(line: string, number: number, schema: { safeParse: (value: unknown) => { success: boolean; data?: T } }): T {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    // told below
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data as T
  throw new ArchiveRefused(
    number === 1
      ? 'This file is no backup of Turnout, or of a version that is not known here.'
      : `The backup is damaged: line ${number} cannot be read.`,
  )
}

async function* linesOf(path: string, passphrase: string | undefined): AsyncGenerator<string> {
  const source = await openSource(path, passphrase)
  let held: Buffer[] = []
  try {
    for await (const bytes of source) {
      let from = 0
      for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, from)) {
        held.push(bytes.subarray(from, at))
        yield (held.length === 1 ? held[0]! : Buffer.concat(held)).toString('utf8')
        held = []
        from = at + 1
      }
      if (from < bytes.length) held.push(bytes.subarray(from))
    }
  } catch (error) {
    const { code } = error as { code?: string }
    if (code?.startsWith('Z_')) throw new ArchiveRefused('The backup is damaged: it was cut or changed.', { cause: error })
    throw error
  }
  if (held.length) throw new ArchiveRefused('The backup is damaged: its end is missing.')
}

async function openSource(path: string, passphrase: string | undefined): Promise<AsyncIterable<Buffer>> {
  const begins = await beginningOf(path)
  const isSealed = begins.equals(SEALED_BEGINS)
  if (!isSealed && (begins[0] !== 0x1f || begins[1] !== 0x8b)) {
    throw new ArchiveRefused('This file is no backup of Turnout, or of a version that is not known here.')
  }
  const file = createReadStream(path)
  const gunzip = createGunzip()
  const source = isSealed ? Readable.from(unseal(file, passphrase)) : file
  source.on('error', (error: Error) => gunzip.destroy(error))
  file.on('error', (error) => gunzip.destroy(error))
  return source.pipe(gunzip)
}

async function beginningOf(path: string): Promise<Buffer> {
  const file = await open(path, 'r').catch((cause: { code?: string }) => {
    if (cause.code === 'ENOENT') throw new ArchiveRefused(`There is no file ${path}.`, { cause })
    throw cause
  })
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SEALED_BEGINS.length))
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
