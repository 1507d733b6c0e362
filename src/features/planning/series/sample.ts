import { sql } from 'kysely'
import { makeFormVersion } from '#features/planning/planning/rules/form-version.ts'
import { makeActor, type UserActor } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { Tx } from '#platform/db/transaction.ts'
import type { SampleContext } from '#platform/features/sample-data.ts'
import { addMembers } from './commands/link.ts'
import { dayOf } from './rules/moving-dates.ts'
import { writeRrule } from './rules/rrule.ts'

const TRAINING = { en: 'Training', de: 'Übungsdienst' }

type Training = { id: number; shift: number; start: Date }

/** The training evenings to come, every second Tuesday. Each has its own topic in the title; everything else follows the series. */
export async function loadSeries({ language, tx, now, timeZone }: SampleContext): Promise<void> {
  const { rows: found } = await sql<Training>`
    select e.id, s.id as shift, s.start_time as start
    from event e join shift s on s.event_id = e.id
    where e.title like ${`${TRAINING[language]}:%`} and e.start_time > ${now} and e.deleted_at is null order by s.start_time`.execute(
    tx,
  )
  const rows = found.map(({ id, shift, start }) => ({ id, shift, date: dayOf(start, timeZone) }))
  const [first, last] = [rows[0], rows.at(-1)]
  if (!first || !last) return
  const rrule = writeRrule({ first: first.date, every: 'week', interval: 2, end: { until: last.date } })
  // The topics of these evenings are still open.
  const skipped = datesBetween(first.date, last.date).filter((date) => !rows.some((row) => row.date === date))
  const series = await sql<{ id: number }>`
    insert into event_series (start_date, rrule, exdates, created_at)
    values (${first.date}::date, ${rrule}, ${skipped}::date[], ${now}) returning id`.execute(tx)
  const members = rows.map(({ id, shift, date }) => ({ id, date, shifts: new Map([[first.shift, shift]]) }))
  await addMembers(tx, systemContext(tx, now, timeZone), series.rows[0]!.id, members)
  const title = makeFormVersion({ title: TRAINING[language] }).title!
  await sql`update event_series_member set generated = jsonb_set(generated, '{event,title}', to_jsonb(${title}::text))`.execute(
    tx,
  )
}

function datesBetween(first: string, last: string): string[] {
  const dates: string[] = []
  for (let at = Date.parse(first); at <= Date.parse(last); at += 14 * 86_400_000)
    dates.push(new Date(at).toISOString().slice(0, 10))
  return dates
}

/** Reads every event. */
function systemContext(tx: Tx, now: Date, timeZone: string): CommandContext {
  const actor = makeActor<UserActor>({
    kind: 'user',
    userId: 0,
    displayName: '',
    email: '',
    language: 'de',
    isStaff: false,
    isSuperuser: true,
    groupIds: [],
    permissions: new Set(),
    via: { kind: 'session', sessionHash: Buffer.alloc(0) },
  })
  return { db: tx, actor, now, site: { timeZone } as CommandContext['site'], requestId: null }
}
