import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

type StoredBackup = { path: string; madeAt: Date; bytes: number }

const FILE_NAME = /^turnout-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z\.backup$/

/** In UTC, so that names sort by time. */
export const backupFileName = (time: Date): string => `turnout-${time.toISOString().replaceAll(/[-:]|\.\d+/g, '')}.backup`

/** Newest first. Other files in the folder are ignored. */
export async function findNightlyBackups(folder: string): Promise<StoredBackup[]> {
  const names = await readdir(folder).catch((error: { code?: string }) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const found = names.flatMap((name) => {
    const [, year, month, day, hour, minute, second] = FILE_NAME.exec(name) ?? []
    return year ? [{ name, madeAt: new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) }] : []
  })
  const stored = found.map(async ({ name, madeAt }) => {
    const path = join(folder, name)
    return { path, madeAt, bytes: (await stat(path)).size }
  })
  return (await Promise.all(stored)).sort((a, b) => b.madeAt.getTime() - a.madeAt.getTime())
}

/** The time of the newest one. */
export const getLastBackup = async (folder: string): Promise<Date | undefined> => (await findNightlyBackups(folder))[0]?.madeAt
