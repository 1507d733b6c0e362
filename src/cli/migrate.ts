import { migrate } from '#platform/db/migrate.ts'
import type { Command } from './command.ts'
import { withDatabase } from './instance.ts'

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'Bring the database up to date (serve does this by itself)',
  options: {},
  run: async ({ config, terminal }) => {
    if (config.databaseUrl) {
      const { applied } = await migrate({ url: config.databaseUrl, log: terminal.print })
      terminal.print(applied.length ? `applied ${applied.length} migrations` : 'nothing to do: the database is up to date')
    } else {
      await withDatabase(config, async () => terminal.print('the database is up to date'))
    }
    return 0
  },
}
