import { statfsSync } from 'node:fs'
import { OperatorError } from '#platform/operator-error.ts'

const MB = 1024 * 1024
/** What a new database takes, with its log of changes. */
const NEEDED_MB = 150

const firstLine = (text: string): string => /.*/.exec(text.trim())![0]

/** One line for a start that failed on a full disk: the programs of the database report it in many ways, some of them long. */
export function explainFullDisk(error: unknown, { dataDir, freeBytes }: { dataDir: string; freeBytes: number }): unknown {
  if (error instanceof OperatorError || freeBytes >= NEEDED_MB * MB) return error
  const reason = firstLine(error instanceof Error ? error.message : String(error))
  const free = Math.floor(freeBytes / MB)
  return new OperatorError(
    `the database cannot start: ${free} MB are free on the disk of ${dataDir}, and it needs ${NEEDED_MB} MB. Make room, or set DATA_DIR to another disk. (${reason})`,
    { cause: error },
  )
}

/** Free for this user; unlimited if it cannot be found out. */
export function freeBytesOf(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
