import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

export type StoredBackup = { path: string; madeAt: Date; bytes: number }

const NAME = /^turnout-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z\.backup$/

/** Sorts by time as text, and says the same on every machine. */
export const nameOfBackup = (at: Date): string => `turnout-${at.toISOString().replaceAll(/[-:]|\.\d+/g, '')}.backup`

/** The nightly ones, the newest first; whatever else lies there is not ours. */
export async function findNightlyBackups(folder: string): Promise<StoredBackup[]> {
  const names = await readdir(folder).catch((error: { code?: string }) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const found = names.flatMap((name) => {
    const [, year, month, day, hour, minute, second] = NAME.exec(name) ?? []
    return year ? [{ name, madeAt: new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) }] : []
  })
  const stored = found.map(async ({ name, madeAt }) => {
    const path = join(folder, name)
    return { path, madeAt, bytes: (await stat(path)).size }
  })
  return (await Promise.all(stored)).sort((a, b) => b.madeAt.getTime() - a.madeAt.getTime())
}
