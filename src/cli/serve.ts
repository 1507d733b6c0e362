import { makeFirstAdministratorLink } from '#features/sign-in/commands/administrators.ts'
import type { Database } from '#platform/db/pool.ts'
import { makeLog } from '#platform/log.ts'
import { type Command, UsageMistake } from './command.ts'
import { keyringOf, startInstance, stopOnSignal } from './instance.ts'
import { operator } from './operator.ts'

async function refuseDemoAccounts(db: Database): Promise<void> {
  const { count } = await db.read
    .selectFrom('user_profile')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('is_active', '=', true)
    .where('email', 'ilike', '%@demo.example')
    .executeTakeFirstOrThrow()
  if (count)
    throw new UsageMistake(
      `${count} accounts of the demo world (@demo.example) are active: everybody could know their passwords. Use a new DATA_DIR or DATABASE_URL, or deactivate them.`,
    )
}

export const serve: Command = {
  name: 'serve',
  summary: 'Run the server for real: needs SITE_URL and SECRET_KEY',
  mode: 'serve',
  options: {},
  run: async ({ config, terminal }) => {
    const log = makeLog(config.logLevel)
    const instance = await startInstance({ config, log, tell: terminal.tell, prepare: refuseDemoAccounts })
    stopOnSignal(instance.stop, terminal.tell)
    terminal.tell(`Turnout listens on ${instance.url} and is reached at ${config.siteUrl}`)
    const link = await makeFirstAdministratorLink(operator(config, instance.db, keyringOf(config)))
    if (link) {
      terminal.tell('There is no administrator yet. Open this link once, within 24 hours, to create the first one:')
      terminal.tell(`  ${config.siteUrl}/accounts/first-administrator/${link.token}/`)
    }
    return undefined
  },
}
