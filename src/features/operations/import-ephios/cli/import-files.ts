import { systemClock } from '#platform/clock.ts'
import { type Command, UsageError } from '#platform/command-line/command.ts'
import { requireDatabase } from '#platform/command-line/data-directory.ts'
import type { Terminal } from '#platform/command-line/terminal.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db/pool.ts'
import { openFileStore } from '#platform/files/open-store.ts'
import { importFiles } from '../commands/import-files.ts'

export const importFilesCommand: Command = {
  options: {
    media: { type: 'string', hint: 'DIR', help: 'Folder in which ephios keeps uploaded files (its MEDIA_ROOT), or a copy' },
  },
  run: async ({ config, values, terminal, withDatabase }) => {
    if (!values.media) throw new UsageError('--media DIR is needed: the folder in which ephios keeps uploaded files')
    requireDatabase(config)
    return withDatabase(config, async ({ db }) => importMedia({ config, db, folder: String(values.media), terminal }))
  },
}

/** Also the last step of `import --media`. The exit code is 1 if some files are missing. */
export async function importMedia({
  config,
  db,
  folder,
  terminal,
}: {
  config: Config
  db: Database
  folder: string
  terminal: Terminal
}): Promise<number> {
  const { imported, open } = await importFiles(db.write, { folder, files: openFileStore(config), now: systemClock.now() })
  for (const { title, path, reason } of open) terminal.print(`missing: ${title} (${path || 'no path'}) ${reason}`)
  const rest = open.length ? `, ${open.length} ${open.length === 1 ? 'is' : 'are'} missing` : ''
  terminal.print(`${imported} ${imported === 1 ? 'file' : 'files'} of events imported${rest}.`)
  return open.length ? 1 : 0
}
