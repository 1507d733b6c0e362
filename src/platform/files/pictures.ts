import { spawn } from 'node:child_process'
import { extname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { limitConcurrency } from '#platform/concurrency.ts'
import { MAX_PICTURE_BYTES, PICTURE_TYPES } from './file-types.ts'
import { EXIT_CODES, type PictureFault } from './picture-exits.ts'
import type { FileStore } from './store.ts'
import { type ReceivedFile, receiveFile } from './upload.ts'

export type PictureLimits = {
  /** Longer sides are shrunk to this, in pixels. */
  maxSide: number
  /** What is larger becomes WebP. */
  maxBytes?: number
}

/** A photographed page stays readable, and a plan can be enlarged. */
const DEFAULT_LIMITS: PictureLimits = { maxSide: 4000 }

const PROGRAM = fileURLToPath(new URL(`./picture-process${extname(import.meta.filename)}`, import.meta.url))
const TIMEOUT_MS = 60_000
/** Decoding takes up to some hundred megabytes. */
const inTurn = limitConcurrency(1)

const isPicture = ({ id, type }: ReceivedFile): boolean =>
  id !== undefined && (PICTURE_TYPES as readonly unknown[]).includes(type)

/**
 * Replaces a picture in the store by one that is upright, not larger than necessary and without metadata, such as the place where it was
 * taken. A picture that cannot be read gets a `fault`; nothing of it stays in the store. Other files stay as they are.
 */
export async function preparePicture(store: FileStore, file: ReceivedFile, limits = DEFAULT_LIMITS): Promise<ReceivedFile> {
  if (!isPicture(file)) return file
  try {
    return await inTurn(() => rewrite(store, file, limits))
  } finally {
    await store.delete(file.id!)
  }
}

async function rewrite(store: FileStore, file: ReceivedFile, { maxSide, maxBytes }: PictureLimits): Promise<ReceivedFile> {
  const source = await store.get(file.id!)
  if (!source) throw new Error('the uploaded picture is not in the store')
  const child = spawn(process.execPath, [PROGRAM, `--side=${maxSide}`, `--bytes=${maxBytes ?? MAX_PICTURE_BYTES}`], {
    // The decoder gets none of the secrets that the environment contains.
    env: {},
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(0, 2000)
  })
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
  try {
    const [code, written] = await Promise.all([
      ended,
      receiveFile(store, file.name, child.stdout, () => false),
      // The process may end before it has read everything.
      pipeline(source, child.stdin).catch(() => undefined),
    ])
    if (code === 0) return written
    if (written.id !== undefined) await store.delete(written.id)
    return { ...file, id: undefined, fault: readFault(code, errors) }
  } finally {
    child.kill('SIGKILL')
  }
}

/** Without a code a signal ended the process: the picture took too long, or harmed it. */
function readFault(code: number | null, errors: string): PictureFault {
  if (code === null || code === EXIT_CODES.unreadable) return 'unreadable'
  if (code === EXIT_CODES.pixels) return 'pixels'
  throw new Error(`the process that reads pictures ended with ${code}: ${errors}`)
}
