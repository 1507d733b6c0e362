import { type RawBuilder, sql } from 'kysely'
import { Temporal } from 'temporal-polyfill'
import { dayOf } from '#features/accounts/users/rules.ts'
import { loadSharedFacts } from '#features/staffing/eligibility/queries/eligibility.ts'
import { findFreePeople } from '#features/staffing/eligibility/queries/free-people.ts'
import { findCoverage } from '#features/staffing/staffing/queries/coverage.ts'
import { dropIncluded } from '#features/staffing/staffing/rules/skills.ts'
import { type Actor, userIdOf } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { andAll, searchNames } from '#platform/db/conditions.ts'
import { startOfDay } from '#platform/i18n/days.ts'
import { type RankedPerson, rankPeople } from '../rules/ranking.ts'

/** Most people judged for one shift. */
const MAX_JUDGED_PEOPLE = 300
const DAY_MS = 24 * 3_600_000
const RANKING_DAYS = 30

export type Candidate = RankedPerson & {
  /** Has to choose something, such as a team, so the answer takes a form. */
  needsForm: boolean
  lastAskedAt: Date | null
  /** Ids of qualifications, without those that others include. */
  skills: number[]
}

/**
 * A condition on `user_profile` as `u`: asks, does not want to be asked, was asked as often today as the organisation allows, or is asked
 * about this shift later without anybody doing anything.
 */
const isNotToBeAsked = (shiftId: number, { perDay, now, actor }: { perDay: number; now: Date; actor: Actor }) => sql<boolean>`(
  u.id = ${userIdOf(actor)}
  or exists (select from inquiry_person i join inquiry q on q.id = i.inquiry_id
    where i.user_id = u.id and i.asked_at is null and q.shift_id = ${shiftId} and q.next_wave_at is not null)
  or u.disabled_notifications @> '[["mail", "inquiry"]]'
    and (u.disabled_notifications @> '[["push", "inquiry"]]' or not exists (select from push_device d where d.user_id = u.id))
  or (select count(*) from inquiry_person i where i.user_id = u.id and i.asked_at > ${new Date(now.getTime() - DAY_MS)}) >= ${perDay}
)`

const wasAskedSince = (since: Date) =>
  sql<boolean>`exists (select from inquiry_person i where i.user_id = u.id and i.asked_at > ${since})`

/** `terms`: parts of the name. `ids`: only these people. */
type CandidateSearch = { perDay: number; terms?: readonly string[]; ids?: readonly number[] | undefined }

/** People who can sign up for the shift now, in the order in which they should be asked. The caller plans the shift. */
export async function findCandidates(
  context: Pick<RequestContext, 'db' | 'now' | 'site' | 'actor'>,
  shiftId: number,
  { perDay, terms = [], ids }: CandidateSearch,
): Promise<{ people: Candidate[]; isCut: boolean }> {
  const { db, now, site, actor } = context
  const shared = await loadSharedFacts(db, [shiftId], now)
  const shift = shared.shifts.get(shiftId)
  if (!shift) return { people: [], isCut: false }
  const coverage = await findCoverage(db, [shiftId], { qualifications: shared.inclusions, blocks: shared.blocks })
  const lacking = (coverage.get(shiftId)?.shortages ?? []).flatMap(({ needs }) => needs)
  const wanted = [{ id: shiftId, ways: lacking.length ? lacking : [[]] }]
  const since = new Date(now.getTime() - RANKING_DAYS * DAY_MS)
  const only = ids ? [sql`u.id = any (${ids}::bigint[])`] : []
  const chosen = sql`true${andAll([...only, ...searchNames(terms, [sql`u.display_name`])])}`
  const find = async (isLeftOut: RawBuilder<boolean>) => {
    const choice = { mostPerShift: MAX_JUDGED_PEOPLE, isLeftOut: sql<boolean>`(${isLeftOut} or not (${chosen}))` }
    return (await findFreePeople(context, shared, wanted, choice)).get(shiftId)!
  }
  const isNot = isNotToBeAsked(shiftId, { perDay, now, actor })
  const { people: first, isCut } = await find(isNot)
  // Among many people, those whom nobody has asked for a while could be missing.
  const rested = isCut ? (await find(sql`(${isNot} or ${wasAskedSince(since)})`)).people : []
  const people = [...new Map([...first, ...rested].map((person) => [person.id, person])).values()]
  const able = people.filter(({ candidacy }) => candidacy.canSignUp)
  const month = Temporal.PlainDate.from(dayOf(shift.start, site.timeZone)).with({ day: 1 })
  const { rows } = await sql<{ id: number; asked: number; lastAskedAt: Date | null; hours: number }>`
    select u.id, (select count(*) from inquiry_person i where i.user_id = u.id and i.asked_at > ${since})::int as asked,
      (select max(i.asked_at) from inquiry_person i where i.user_id = u.id) as "lastAskedAt",
      coalesce((select sum(extract(epoch from p.end_time - p.start_time)) / 3600 from participation p join event e on e.id = p.event_id
        where p.user_id = u.id and p.state = 1 and e.listed
          and p.start_time >= ${startOfDay(month.toString(), site.timeZone)}
          and p.start_time < ${startOfDay(month.add({ months: 1 }).toString(), site.timeZone)}), 0)::float8 as hours
    from user_profile u where u.id = any (${able.map(({ id }) => id)}::bigint[])`.execute(db)
  const facts = new Map(rows.map((row) => [row.id, row]))
  const ranked = able.map(({ id, name, candidacy }) => ({
    id,
    name,
    needsForm: candidacy.needsForm,
    lastAskedAt: facts.get(id)?.lastAskedAt ?? null,
    skills: dropIncluded(candidacy.applicant.skills, shared.inclusions),
    asked: facts.get(id)?.asked ?? 0,
    hours: Math.round((facts.get(id)?.hours ?? 0) * 10) / 10,
  }))
  return { people: rankPeople(ranked, shiftId), isCut }
}
