import { createFirstAdministratorLink } from '#features/access/sign-in/commands/administrators.ts'
import { type Command, UsageError } from '#platform/command-line/command.ts'
import { keyringOf } from '#platform/command-line/data-directory.ts'
import { stopOnSignal } from '#platform/command-line/signals.ts'
import { migrationProgress } from '#platform/command-line/terminal.ts'
import type { Database } from '#platform/db/pool.ts'
import { makeLog } from '#platform/log.ts'
import { startInstance } from './instance.ts'
import { makeOperatorContext } from './operator-context.ts'

async function refuseDemoAccounts(db: Database): Promise<void> {
  const { count } = await db.read
    .selectFrom('user_profile')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('is_active', '=', true)
    .where('email', 'ilike', '%@demo.example')
    .executeTakeFirstOrThrow()
  if (count)
    throw new UsageError(
      `${count} demo accounts (@demo.example) are active, whose passwords may be known. Use another DATA_DIR or DATABASE_URL, or deactivate them.`,
    )
}

export const serve: Command = {
  mode: 'serve',
  options: {},
  run: async ({ config, terminal }) => {
    const log = makeLog(config.logLevel)
    const progress = migrationProgress(terminal)
    const instance = await startInstance({ config, log, print: terminal.report, progress, prepare: refuseDemoAccounts })
    stopOnSignal(instance.stop, terminal.report)
    terminal.report(`Turnout listens on ${instance.url} for ${config.siteUrl}`)
    const link = await createFirstAdministratorLink(
      makeOperatorContext(instance.app.site.added, config, instance.db, keyringOf(config)),
    )
    if (link) {
      terminal.report('There is no administrator yet. Open this link within 24 hours to create the first one:')
      terminal.report(`  ${config.siteUrl}/accounts/first-administrator/${link.token}/`)
    }
    return undefined
  },
}
