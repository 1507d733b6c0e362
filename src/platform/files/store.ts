import { createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Keeps the bytes of files under random ids. The table `stored_file` says what they are; bytes without a row are deleted by a job. */
export type FileStore = {
  /** Resolves when all bytes are stored. Never stores a part of them. */
  put: (id: string, source: AsyncIterable<Uint8Array>) => Promise<void>
  /** Undefined if there is no such file. */
  get: (id: string) => Promise<Readable | undefined>
  /** Does nothing if there is no such file. */
  delete: (id: string) => Promise<void>
  list: () => AsyncIterable<{ id: string; storedAt: Date }>
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** Holds files that are not complete yet. */
export const INCOMING = 'incoming'

/** Stores files in a folder of this machine, readable by its owner only. */
export function makeFolderStore(folder: string): FileStore {
  const folderOf = (id: string) => join(folder, id.slice(0, 2))
  const pathOf = (id: string) => {
    // Ids become parts of paths.
    if (!ID.test(id)) throw new Error('not the id of a file')
    return join(folderOf(id), id)
  }
  return {
    put: async (id, source) => {
      const path = pathOf(id)
      const partial = join(folder, INCOMING, id)
      await mkdir(join(folder, INCOMING), { recursive: true, mode: 0o700 })
      try {
        await pipeline(source, createWriteStream(partial, { mode: 0o600, flush: true }))
        await mkdir(folderOf(id), { recursive: true, mode: 0o700 })
        await rename(partial, path)
      } catch (error) {
        await rm(partial, { force: true })
        throw error
      }
    },
    get: async (id) => (await openFile(pathOf(id)))?.createReadStream(),
    delete: (id) => rm(pathOf(id), { force: true }),
    list: async function* () {
      for (const part of await namesIn(folder)) {
        for (const name of await namesIn(join(folder, part))) {
          const found = ID.test(name) ? await stat(join(folder, part, name)).catch(ignoreMissing) : undefined
          if (found?.isFile()) yield { id: name, storedAt: found.mtime }
        }
      }
    },
  }
}

const openFile = (path: string) => open(path, 'r').catch(ignoreMissing)

const namesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch((error: NodeJS.ErrnoException) => (error.code === 'ENOTDIR' ? [] : ignoreMissing(error)))) ?? []

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
