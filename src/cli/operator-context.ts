import { ANONYMOUS } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { Keyring } from '#platform/auth/secrets.ts'
import { systemClock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db/pool.ts'

/** Whoever has the command line has the database anyway: commands run for nobody in particular. */
export function makeOperatorContext(config: Config, db: Database, keyring: Keyring): CommandContext {
  const site = { url: config.siteUrl, timeZone: config.timeZone, keyring, tokenMaxDays: config.tokenMaxDays }
  return { db: db.write, actor: ANONYMOUS, now: systemClock.now(), site, requestId: null }
}
