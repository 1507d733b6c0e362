import { type Kysely, sql } from 'kysely'
import { dayOf } from '#features/accounts/users/rules.ts'
import { findHoursOfPeople } from '#features/on-the-day/hours/queries.ts'
import type { CardPerson } from '#features/staffing/disposition/rules/cards.ts'
import { STATE } from '#features/staffing/staffing/rules/model.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { addDays, startOfDay } from '#platform/i18n/days.ts'
import type { Span } from '#platform/time-span.ts'
import { addTimes, DEFAULT_WEIGHTS, EMPTY_LEDGER, hoursOf, type Ledger, type Weights } from '../rules/ledger.ts'

const HISTORY_DAYS = 365

/** What people did in the last twelve months and promised for the future. Guests and visitors begin with nothing. */
export async function loadLedgers(context: RequestContext, people: readonly CardPerson[]): Promise<(who: CardPerson) => Ledger> {
  const { db, now, site } = context
  const ids = people.flatMap((who) => ('kind' in who && who.kind === 'local' ? [who.id] : []))
  const from = addDays(dayOf(now, site.timeZone), -HISTORY_DAYS)
  const [done, others] = await Promise.all([
    findHoursOfPeople(context, ids, from),
    rowsOf(db).all<{ userId: number; state: number; start: Date; end: Date }>(sql`
      select p.user_id as "userId", p.state, p.start_time as start, p.end_time as end
      from participation p join event e on e.id = p.event_id
      where p.user_id = any (${ids}::bigint[]) and e.listed
        and (p.state = ${STATE.confirmed} and p.end_time > ${now}
          or p.state = ${STATE.rejectedByResponsible} and p.start_time >= ${startOfDay(from, site.timeZone)})`),
  ])
  const ledgers = new Map<number, Ledger>()
  const change = (userId: number, how: (ledger: Ledger) => Ledger) =>
    ledgers.set(userId, how(ledgers.get(userId) ?? EMPTY_LEDGER))
  const withTimes = (ledger: Ledger, span: Span | undefined) => (span ? addTimes(ledger, span, site.timeZone) : ledger)
  for (const { userId, hours, span } of done)
    change(userId, (ledger) => withTimes({ ...ledger, doneHours: ledger.doneHours + hours }, span))
  for (const { userId, state, ...span } of others)
    change(userId, (ledger) =>
      state === STATE.confirmed
        ? withTimes({ ...ledger, promisedHours: ledger.promisedHours + hoursOf(span) }, span)
        : { ...ledger, refusals: ledger.refusals + 1 },
    )
  return (who) => ('kind' in who && who.kind === 'local' && ledgers.get(who.id)) || EMPTY_LEDGER
}

export async function getWeights(db: Kysely<DB>): Promise<Weights> {
  const { rows } = await sql<{ name: keyof Weights; value: number }>`select w.name, w.value from fill_weight w`.execute(db)
  return { ...DEFAULT_WEIGHTS, ...Object.fromEntries(rows.map(({ name, value }) => [name, value])) }
}
