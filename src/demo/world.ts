import { sql } from 'kysely'
import type { Keyring } from '#platform/auth/secrets.ts'
import type { Database } from '#platform/db/pool.ts'
import type { FileStore } from '#platform/files/store.ts'
import { loadAvailability } from './availability.ts'
import { loadBase, requireEmpty } from './base.ts'
import { makeCalendar } from './calendar.ts'
import { loadCheckIns, planToday } from './check-in.ts'
import { loadCompanions } from './companions.ts'
import { loadEvents } from './events.ts'
import { loadFamily } from './family.ts'
import { loadFiles } from './files.ts'
import { loadFailedAddress } from './mail.ts'
import { loadOffers } from './offers.ts'
import { loadPages } from './pages.ts'
import { loadHost, loadPartner } from './partners.ts'
import type { Passwords } from './people.ts'
import { LATER } from './plan-later.ts'
import { PAST } from './plan-past.ts'
import { SOON } from './plan-soon.ts'
import { loadProgramme } from './programme.ts'
import { loadPrograms } from './programs.ts'
import { loadQualificationRequests } from './qualification-requests.ts'
import { loadQuestions } from './questions.ts'
import { makeRandom } from './random.ts'
import { loadResources } from './resources.ts'
import { loadSeries } from './series.ts'
import { loadTemplate } from './template.ts'
import { loadWorkingHours } from './working-hours.ts'

export type DemoOptions = {
  db: Pick<Database, 'write'>
  now: Date
  /** The same seed and `now` give the same rows, except for secrets. */
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
  workingHours: number
}

/** Fire brigade and first-aid service of a small town: three months of past events, four of future ones. One transaction. */
export async function loadDemoWorld({
  db,
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
      .values({ name: 'organization_name', value: JSON.stringify('Feuerwehr Ahrensmünde') })
      .execute()
    const base = await loadBase(tx, { now, random, calendar, passwords })
    log(`${base.people.length} people`)
    const partner = await loadPartner({ tx, now, calendar, keyring }, base.qualifications)
    const loading = { tx, now, random, calendar, keyring, base, partner }
    const events = await loadEvents(loading, [...PAST, ...SOON, ...LATER, planToday(calendar.weekday)])
    log(`${events.events} events, ${events.shifts} shifts, ${events.participations} participations`)
    await loadCompanions(tx)
    await loadSeries(tx, { now, timeZone })
    await loadCheckIns(tx, now, keyring)
    await loadHost({ tx, now, calendar, keyring }, base.people)
    await loadFamily(tx, { now, calendar, groups: base.groups, people: base.people })
    await loadAvailability(tx, { now, calendar, people: base.people })
    await loadPages(tx)
    await loadResources(tx, now)
    if (files) await loadFiles(tx, files, now)
    await loadQualificationRequests(tx, base.people, calendar)
    await loadQuestions(tx, now)
    await loadOffers(tx, now)
    await loadFailedAddress(tx, now)
    await loadTemplate(tx, { now, timeZone })
    await loadProgramme(tx, now)
    await loadPrograms({ tx, now, keyring, groups: base.groups, people: base.people })
    const workingHours = await loadWorkingHours(tx, base.people, random.fork('hours'), calendar)
    // The worker finds out who is qualified for their place, so that a lost qualification is noticed later.
    await sql`update shift set stats_stale = true where end_time > ${now} and confirmed_count > 0`.execute(tx)
    return { people: base.people.length, ...events, workingHours }
  })
  // Without the limit of requests: a busy machine must not fail its first start here.
  await db.write.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`analyze`.execute(tx)
  })
  return counts
}
