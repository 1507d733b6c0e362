import { sql } from 'kysely'
import type { Keyring } from '#platform/auth/secrets.ts'
import type { Database } from '#platform/db/pool.ts'
import { loadSampleData } from '#platform/features/sample-data.ts'
import type { FileStore } from '#platform/files/store.ts'
import type { SourceLanguage } from '#platform/i18n/languages.ts'
import { makeCalendar } from '#platform/sample-data/calendar.ts'
import { inLanguage } from '#platform/sample-data/language.ts'
import { makeRandom } from '#platform/sample-data/random.ts'
import { FEATURES } from '../features.ts'
import { loadBase, requireEmpty } from './base.ts'
import { loadEvents } from './events.ts'
import { loadPartner } from './partners.ts'
import type { Passwords } from './people.ts'
import { LATER } from './plan-later.ts'
import { PAST } from './plan-past.ts'
import { SOON } from './plan-soon.ts'
import { planToday } from './plan-today.ts'

export type DemoOptions = {
  db: Pick<Database, 'write'>
  /** Of people, events and all texts. Both languages have the same structure. */
  language: SourceLanguage
  now: Date
  /** Rows follow from seed and `now`, except for secrets. */
  seed: number | string
  timeZone: string
  keyring: Keyring
  /** Passwords of the accounts for signing in. */
  passwords: Passwords
  /** Without a store, events have no files. */
  files?: FileStore
  log?: (line: string) => void
}

type DemoCounts = {
  people: number
  events: number
  shifts: number
  participations: number
  comments: number
}

const ORGANISATION = { en: 'Saltmouth Fire and Rescue', de: 'Feuerwehr Ahrensmünde' }

/** Fire brigade and first-aid service of a small town: three months of past events, four of future ones. One transaction. */
export async function loadDemoWorld({
  db,
  language,
  now,
  seed,
  timeZone,
  keyring,
  passwords,
  files,
  log = () => {},
}: DemoOptions): Promise<DemoCounts> {
  const random = makeRandom(seed)
  const calendar = makeCalendar(now, timeZone)
  const counts = await db.write.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    await requireEmpty(tx)
    await tx
      .insertInto('setting')
      .values({ name: 'organization_name', value: JSON.stringify(ORGANISATION[language]) })
      .execute()
    const base = await loadBase(tx, { language, now, random, calendar, passwords })
    log(`${base.people.length} people`)
    const partner = await loadPartner({ language, tx, now, calendar, keyring }, base.qualifications)
    const loading = { language, tx, now, random, calendar, keyring, base, partner }
    const plans = [...PAST, ...SOON, ...LATER, planToday(calendar.weekday)]
    const events = await loadEvents(loading, inLanguage(plans, language))
    log(`${events.events} events, ${events.shifts} shifts, ${events.participations} participations`)
    const { people, groups } = base
    await loadSampleData(FEATURES, { language, tx, now, timeZone, calendar, random, keyring, files, people, groups })
    // The worker finds out who is qualified for their place, so that a lost qualification is noticed later.
    await sql`update shift set stats_stale = true where end_time > ${now} and confirmed_count > 0`.execute(tx)
    return { people: people.length, ...events }
  })
  // Without the limit of requests: a busy machine must not fail its first start here.
  await db.write.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`analyze`.execute(tx)
  })
  return counts
}
