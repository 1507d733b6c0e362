import type { Command } from '#platform/command-line/command.ts'
import { migrationProgress } from '#platform/command-line/terminal.ts'
import { migrate } from '#platform/db/migrate.ts'
import { directUrlOf, withDatabase } from './database.ts'

export const migrateCommand: Command = {
  options: {},
  run: async ({ config, terminal }) => {
    if (config.databaseUrl) {
      const url = await directUrlOf(config, config.databaseUrl)
      const { applied } = await migrate({ url, log: terminal.print, progress: migrationProgress(terminal) })
      terminal.print(applied.length ? `Applied ${applied.length} migrations` : 'The database is up to date')
    } else {
      await withDatabase(config, async () => terminal.print('The database is up to date'))
    }
    return 0
  },
}
