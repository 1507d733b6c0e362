import { sql } from 'kysely'
import { readSignupRules } from '#features/staffing/staffing/flows/registry.ts'
import type { UserActor } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { HomeAnswer } from '#platform/features/home.ts'
import { type AskedPerson, answerPath } from '../rules/links.ts'
import { makeAnswerToken } from './answers.ts'

type Row = {
  id: number
  shiftId: number
  expiresAt: Date
  label: string
  eventId: number
  eventTitle: string
  start: Date
  end: Date
  flowSlug: string
  flowConfiguration: unknown
  askedBy: string | null
  message: string
}
export type OpenQuestion = Row & { closesAt: Date }

const MAX_OPEN = 20

/** Questions to the person that nobody has answered or withdrawn, for shifts that they are not in yet and can still sign up for. */
export async function findOpenQuestions({
  db,
  now,
  site,
  userId,
}: Pick<RequestContext, 'db' | 'now' | 'site'> & { userId: number }): Promise<OpenQuestion[]> {
  // never null: expiresAt (people who have been asked)
  const { rows } = await sql<Row>`
    select i.id, q.shift_id as "shiftId", i.expires_at as "expiresAt", s.label, e.id as "eventId", e.title as "eventTitle",
      s.start_time as start, s.end_time as end, s.signup_flow_slug as "flowSlug", s.signup_flow_configuration as "flowConfiguration",
      a.display_name as "askedBy", q.message
    from inquiry_person i join inquiry q on q.id = i.inquiry_id join shift s on s.id = q.shift_id join event e on e.id = s.event_id
      left join user_profile a on a.id = q.created_by_id
    where i.user_id = ${userId} and i.asked_at is not null and i.answer is null and i.withdrawn_at is null
      and e.listed and s.start_time > ${now} and q.end_reason is distinct from 'enough'
      and not exists (select from participation p where p.shift_id = s.id and p.user_id = ${userId} and p.state in (0, 1))
    order by s.start_time, i.id`.execute(db)
  // The shift or the end of sign-up may have moved since the question.
  const open = rows.map((row) => ({ ...row, closesAt: readSignupRules(row, site.timeZone)?.closesAt ?? row.start }))
  return open.filter(({ closesAt }) => closesAt >= now).slice(0, MAX_OPEN)
}

export async function findOpenInquiries(context: RequestContext<UserActor>): Promise<readonly HomeAnswer[]> {
  const { words, site } = context
  const { userId } = context.actor
  const open = await findOpenQuestions({ ...context, userId })
  return open.map(({ id, shiftId, expiresAt, label, eventTitle, start, end, askedBy }) => ({
    href: answerPath(makeAnswerToken(site.keyring, { id, userId, shiftId, expiresAt })),
    title: label ? `${eventTitle}, ${label}` : eventTitle,
    start,
    end,
    text: askedBy === null ? words.t('inquiries.can_you') : words.t('inquiries.asks', { name: askedBy }),
  }))
}

/** The link of a question that the person was asked. Undefined: no such question. */
export async function getOwnAnswerToken(
  { db, site }: Pick<RequestContext, 'db' | 'site'>,
  id: number,
  userId: number,
): Promise<string | undefined> {
  // never null: expiresAt (people who have been asked)
  const asked = await rowsOf(db).first(sql<AskedPerson>`
    select i.id, i.user_id as "userId", q.shift_id as "shiftId", i.expires_at as "expiresAt"
    from inquiry_person i join inquiry q on q.id = i.inquiry_id
    where i.id = ${id} and i.user_id = ${userId} and i.asked_at is not null`)
  return asked && makeAnswerToken(site.keyring, asked)
}
