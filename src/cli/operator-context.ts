import { ANONYMOUS } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { Keyring } from '#platform/auth/secrets.ts'
import { systemClock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db/pool.ts'
import type { Added } from '#platform/features/extension-points.ts'

/** Commands of the command line run without a user: the operator has full access to the database anyway. */
export function makeOperatorContext(added: Added, config: Config, db: Database, keyring: Keyring): CommandContext {
  const site = { url: config.siteUrl, timeZone: config.timeZone, keyring, tokenMaxDays: config.tokenMaxDays, added }
  return { db: db.write, actor: ANONYMOUS, now: systemClock.now(), site, requestId: null }
}
