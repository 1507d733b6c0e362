import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import { SpreadsheetError } from './sheet.ts'

const inflate = promisify(inflateRaw)

const END_OF_DIRECTORY = 0x06054b50
const DIRECTORY_ENTRY = 0x02014b50
const LOCAL_FILE = 0x04034b50
const END_SIZE = 22
const ENTRY_SIZE = 46
const LOCAL_SIZE = 30
const LONGEST_COMMENT = 0xffff
const STORED = 0
const DEFLATED = 8
const ENCRYPTED = 1
const WIDE_NUMBERS = 1
const IS_WIDE = 0xffffffff

export type ZipLimits = {
  maxEntries: number
  /** Of all entries that are read from one archive. */
  maxUnpackedBytes: number
  /** How many times larger than its packed form an entry may be, if it is larger than a small file. */
  maxRatio: number
}

/** A sheet with 50,000 rows has about 30 MB; XML of Office programs shrinks to about a tenth, of repeated cells to a fiftieth. */
export const ZIP_LIMITS: ZipLimits = { maxEntries: 2000, maxUnpackedBytes: 150_000_000, maxRatio: 200 }
const RATIO_APPLIES_FROM_BYTES = 1_000_000

type Entry = { method: number; flags: number; packedBytes: number; bytes: number; offset: number }

export type ZipArchive = {
  /** As often as the directory has them. */
  names: readonly string[]
  has: (name: string) => boolean
  /** Undefined if there is no such entry. */
  read: (name: string) => Promise<Buffer | undefined>
}

/** Reads the directory of an archive. Entries are unpacked on demand, and never beyond the limits, whatever sizes the archive claims. */
export function openZip(archive: Buffer, limits: ZipLimits = ZIP_LIMITS): ZipArchive {
  const { entries, names } = readDirectory(archive, limits)
  let unpacked = 0
  return {
    names,
    has: (name) => entries.has(name),
    read: async (name) => {
      const entry = entries.get(name)
      if (!entry) return undefined
      assertReasonable(entry, limits, limits.maxUnpackedBytes - unpacked)
      const content = await unpack(archive, entry, limits.maxUnpackedBytes - unpacked)
      unpacked += content.length
      // The archive may claim a smaller size than it has.
      assertReasonable({ ...entry, bytes: content.length }, limits, limits.maxUnpackedBytes)
      return content
    },
  }
}

function assertReasonable({ bytes, packedBytes }: Entry, { maxRatio }: ZipLimits, left: number): void {
  const isDense = bytes > RATIO_APPLIES_FROM_BYTES && bytes > packedBytes * maxRatio
  if (bytes > left || isDense) throw new SpreadsheetError('too_large')
}

function readDirectory(archive: Buffer, { maxEntries }: ZipLimits): { entries: Map<string, Entry>; names: string[] } {
  const end = findEnd(archive)
  const count = archive.readUInt16LE(end + 10)
  if (count > maxEntries) throw new SpreadsheetError('too_large')
  const entries = new Map<string, Entry>()
  const names: string[] = []
  let at = archive.readUInt32LE(end + 16)
  for (let index = 0; index < count; index++) {
    if (at + ENTRY_SIZE > archive.length || archive.readUInt32LE(at) !== DIRECTORY_ENTRY) throw new SpreadsheetError('damaged')
    const nameLength = archive.readUInt16LE(at + 28)
    const name = archive.toString('utf8', at + ENTRY_SIZE, at + ENTRY_SIZE + nameLength).replaceAll('\\', '/')
    names.push(name)
    const extra = archive.subarray(at + ENTRY_SIZE + nameLength, at + ENTRY_SIZE + nameLength + archive.readUInt16LE(at + 30))
    const [bytes, packedBytes, offset] = widen(
      [24, 20, 42].map((field) => archive.readUInt32LE(at + field)),
      extra,
    )
    entries.set(name, {
      flags: archive.readUInt16LE(at + 8),
      method: archive.readUInt16LE(at + 10),
      packedBytes: packedBytes!,
      bytes: bytes!,
      offset: offset!,
    })
    at += ENTRY_SIZE + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
  }
  return { entries, names }
}

/** Some programs write all numbers as wide ones, which stand in an extra field in this order, whatever their size is. */
function widen(numbers: number[], extra: Buffer): number[] {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== WIDE_NUMBERS) continue
    let next = at + 4
    return numbers.map((number) => {
      if (number !== IS_WIDE || next + 8 > extra.length) return number
      next += 8
      return Number(extra.readBigUInt64LE(next - 8))
    })
  }
  return numbers
}

function findEnd(archive: Buffer): number {
  const lowest = Math.max(0, archive.length - END_SIZE - LONGEST_COMMENT)
  for (let at = archive.length - END_SIZE; at >= lowest; at--) if (archive.readUInt32LE(at) === END_OF_DIRECTORY) return at
  throw new SpreadsheetError('damaged')
}

async function unpack(archive: Buffer, { flags, method, offset, packedBytes }: Entry, maxBytes: number): Promise<Buffer> {
  if (flags & ENCRYPTED) throw new SpreadsheetError('old_excel')
  if (offset + LOCAL_SIZE > archive.length || archive.readUInt32LE(offset) !== LOCAL_FILE) throw new SpreadsheetError('damaged')
  const start = offset + LOCAL_SIZE + archive.readUInt16LE(offset + 26) + archive.readUInt16LE(offset + 28)
  const packed = archive.subarray(start, start + packedBytes)
  if (packed.length !== packedBytes) throw new SpreadsheetError('damaged')
  if (method === STORED) return packed
  if (method !== DEFLATED) throw new SpreadsheetError('damaged')
  try {
    return await inflate(packed, { maxOutputLength: Math.max(maxBytes, 1) })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new SpreadsheetError(code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : 'damaged', { cause: error })
  }
}
