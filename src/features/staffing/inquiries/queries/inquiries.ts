import { type Kysely, sql } from 'kysely'
import { readSignupRules } from '#features/staffing/staffing/flows/registry.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { isOn } from '#platform/features/modules.ts'
import type { EndReason, WaveState } from '../rules/waves.ts'

export type InquiryPerson = {
  userId: number
  name: string
  askedAt: Date | null
  withdrawnAt: Date | null
  /** Of the link, or of a sign-up by other ways. */
  answer: 'can' | 'cannot' | 'too_late' | null
  answeredAt: Date | null
  reason: string
}
export type Inquiry = {
  id: number
  createdAt: Date
  createdBy: string | null
  message: string
  wanted: number
  waveSize: number | null
  waveHours: number | null
  nextWaveAt: Date | null
  endedAt: Date | null
  endReason: EndReason | null
  people: InquiryPerson[]
}

type PersonRow = Omit<InquiryPerson, 'askedAt' | 'withdrawnAt' | 'answeredAt'> & {
  askedAt: string | null
  withdrawnAt: string | null
  answeredAt: string | null
}

/** What a person answered: by the link, or by signing up or declining elsewhere. */
const effectiveAnswer = sql`coalesce(i.answer, case when p.state in (0, 1) then 'can' when p.state = 2 then 'cannot' end)`

const toDate = (text: string | null): Date | null => (text === null ? null : new Date(text))

/** Who was asked for the shift, the latest inquiry first. The caller plans the shift. */
export async function findInquiries(db: Kysely<DB>, shiftId: number): Promise<Inquiry[]> {
  const { rows } = await sql<Omit<Inquiry, 'people'> & { people: PersonRow[] | null }>`
    select q.id, q.created_at as "createdAt", u.display_name as "createdBy", q.message, q.wanted, q.wave_size as "waveSize",
      q.wave_hours as "waveHours", q.next_wave_at as "nextWaveAt", q.ended_at as "endedAt", q.end_reason as "endReason",
      (select json_agg(json_build_object('userId', i.user_id, 'name', w.display_name, 'askedAt', i.asked_at,
        'withdrawnAt', i.withdrawn_at, 'answer', ${effectiveAnswer}, 'answeredAt', i.answered_at, 'reason', i.reason) order by i.position)
        from inquiry_person i join user_profile w on w.id = i.user_id
        left join participation p on p.shift_id = q.shift_id and p.kind = 'local' and p.user_id = i.user_id
        where i.inquiry_id = q.id) as people
    from inquiry q left join user_profile u on u.id = q.created_by_id where q.shift_id = ${shiftId} order by q.id desc limit 20`.execute(
    db,
  )
  return rows.map(({ people, ...inquiry }) => ({
    ...inquiry,
    people: (people ?? []).map((person) => ({
      ...person,
      askedAt: toDate(person.askedAt),
      withdrawnAt: toDate(person.withdrawnAt),
      answeredAt: toDate(person.answeredAt),
    })),
  }))
}

/** How many people were asked for these shifts and have not answered, and how many said that they cannot. */
export async function findInquiryCounts(
  { db, site }: Pick<RequestContext, 'db' | 'site'>,
  shiftIds: readonly number[],
): Promise<Map<number, { open: number; cannot: number }>> {
  if (!isOn(site, 'inquiries')) return new Map()
  const { rows } = await sql<{ id: number; open: number; cannot: number }>`
    select q.shift_id as id, count(*) filter (where ${effectiveAnswer} is null and i.withdrawn_at is null)::int as open,
      count(*) filter (where ${effectiveAnswer} = 'cannot')::int as cannot
    from inquiry q join inquiry_person i on i.inquiry_id = q.id and i.asked_at is not null
      left join participation p on p.shift_id = q.shift_id and p.kind = 'local' and p.user_id = i.user_id
    where q.shift_id = any (${shiftIds}::bigint[]) group by q.shift_id`.execute(db)
  return new Map(rows.map(({ id, ...counts }) => [id, counts]))
}

/** What decides whether further people are asked, and whether those who were asked are still needed. Undefined: the inquiry is gone. */
export async function getWaveState(
  db: Kysely<DB>,
  inquiryId: number,
  { now, timeZone }: { now: Date; timeZone: string },
): Promise<WaveState | undefined> {
  type Row = Omit<WaveState, 'closesAt'> & { flowSlug: string; flowConfiguration: unknown; start: Date; end: Date }
  const row = await rowsOf(db).first(sql<Row>`
    select e.listed and s.end_time > ${now} as "isListed", s.free, greatest(s.missing, s.shortfall) as lacking, q.was_short as "wasShort",
      q.wanted, s.signup_flow_slug as "flowSlug", s.signup_flow_configuration as "flowConfiguration", s.start_time as start, s.end_time as end,
      (select count(*) from inquiry_person i join participation p on p.shift_id = q.shift_id and p.kind = 'local' and p.user_id = i.user_id
        where i.inquiry_id = q.id and i.asked_at is not null and p.state in (0, 1))::int as accepted,
      (select count(*) from inquiry_person i where i.inquiry_id = q.id and i.asked_at is null)::int as waiting
    from inquiry q join shift s on s.id = q.shift_id join event e on e.id = s.event_id
    where q.id = ${inquiryId}`)
  if (!row) return undefined
  const { flowSlug, flowConfiguration, start, end, ...state } = row
  const rules = readSignupRules({ flowSlug, flowConfiguration, start, end }, timeZone)
  return { ...state, closesAt: rules && !rules.selfServiceRefusal ? rules.closesAt : undefined }
}

/** When sign-up for the shift closes; its start, if people cannot sign up themselves. */
export async function getClosingTime(db: Kysely<DB>, shiftId: number, timeZone: string): Promise<Date> {
  const shift = await rowsOf(db).one(sql<{ flowSlug: string; flowConfiguration: unknown; start: Date; end: Date }>`
    select signup_flow_slug as "flowSlug", signup_flow_configuration as "flowConfiguration", start_time as start, end_time as end
    from shift where id = ${shiftId}`)
  return readSignupRules(shift, timeZone)?.closesAt ?? shift.start
}
