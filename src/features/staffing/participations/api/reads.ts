import { sql } from 'kysely'
import { pickQualifications } from '#features/accounts/qualifications/queries.ts'
import { getAgeOn, isMinorOn } from '#features/accounts/users/rules.ts'
import { answersOf } from '#features/events/questionnaires/queries.ts'
import { userIdOf } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import { type ApiAccess, scope } from '#platform/http/access.ts'
import { collectionEndpoints, type Endpoint, type Include } from '#platform/http/endpoint.ts'
import { wireFloat, wireTime } from '#platform/http/time-format.ts'
import {
  type Comment,
  findParticipations,
  findParticipationsOf,
  getParticipation,
  type ParticipationFilter,
  type ParticipationRow,
} from '../queries/participations.ts'
import { participationParameters, participationRecord, userinfoParticipationRecord } from '../schema.ts'

const TYPES = {
  local: 'LocalUserParticipant',
  guest: 'GuestParticipant',
  visitor: 'FederatedParticipant',
  placeholder: 'PlaceholderParticipant',
} as const

/** The order of the keys is part of the contract: comments come between the two halves. */
const presentBeginning = (row: ParticipationRow, { words }: RequestContext) => ({
  id: row.id,
  shift: row.shift_id,
  event: row.event_id,
  event_title: row.event_title,
  event_type: { id: row.type_id, title: row.type_title },
  state: { value: row.state, label: words.t(`participation.state.${row.state}`) },
})

const presentEnd = (row: ParticipationRow, { site }: RequestContext) => ({
  start_time: wireTime(row.start_time, site.timeZone),
  end_time: wireTime(row.end_time, site.timeZone),
  duration: wireFloat(row.seconds),
  structure_data: row.structure_data,
  user: row.user_id,
})

const presentParticipant = (row: ParticipationRow) => ({
  display_name: row.display_name,
  is_minor: isMinorOn(row.date_of_birth, row.today),
  type: TYPES[row.kind],
  qualifications: pickQualifications(row.catalogue, row.qualification_ids),
})

function presentParticipation(row: ParticipationRow, context: RequestContext) {
  return { ...presentBeginning(row, context), ...presentEnd(row, context), participant: presentParticipant(row) }
}

function presentComment(
  { author, author_kind, text, created_at }: Comment,
  row: ParticipationRow,
  { words, site }: RequestContext,
) {
  const name = author_kind === 'responsible' ? (author ?? words.t('participation.former_responsible')) : row.display_name
  return { author: name, text, created_at: wireTime(created_at, site.timeZone) }
}

function presentUserinfo(row: ParticipationRow, context: RequestContext) {
  const { email, date_of_birth, today } = row
  return {
    ...presentBeginning(row, context),
    comments: row.comments.map((comment) => presentComment(comment, row, context)),
    ...presentEnd(row, context),
    participant: {
      ...presentParticipant(row),
      email,
      date_of_birth,
      age: date_of_birth === null ? null : getAgeOn(date_of_birth, today),
    },
  }
}

/** `include=participations`: the records of `/api/participations/`, by event or shift. */
export const participationsOf = (of: 'event' | 'shift'): Include => ({
  description: `The requested and confirmed participations of the ${of} that the caller sees, as in \`/api/participations/\`.`,
  access: scope('CONFIDENTIAL_READ'),
  item: participationRecord,
  load: async (context, ids) => {
    const rows = await findParticipationsOf(context, of, ids)
    const records = rows.map((row) => presentParticipation(row, context))
    return Map.groupBy(records, ({ event, shift }) => (of === 'event' ? event : shift))
  },
})

type Variant = {
  path: string
  access: ApiAccess
  name: string
  tag: string
  summary: string
  userinfo: boolean
  parameters?: Partial<typeof participationParameters>
  filter: (context: RequestContext, path: { id?: number; user?: number }) => ParticipationFilter
}

export const getOwnParticipation = (context: RequestContext, id: number): Promise<ParticipationRow | undefined> =>
  getParticipation(context, { states: 'all', userId: userIdOf(context.actor), comments: true }, id, {})

/** Answers, which the record does not show. */
export async function getAnswersRevision(context: RequestContext, { id }: { id: number }): Promise<string | undefined> {
  const row = await rowsOf(context.db).first(sql<{ answers: object }>`
    select ${answersOf(sql`p.id`)} as answers from participation p where p.id = ${id} and p.user_id = ${userIdOf(context.actor)}`)
  return row && revisionOf(row.answers)
}

const revisionOf = (answers: object): string => JSON.stringify(Object.entries(answers).sort())

/** The record and the revision of one of the caller's own participations, by one statement. */
export async function presentWithRevision(
  context: RequestContext,
  id: number,
): Promise<{ record: object | undefined; revision: string | undefined }> {
  const row = await getOwnParticipation(context, id)
  return { record: row && presentUserinfo(row, context), revision: row?.answers && revisionOf(row.answers) }
}

/** One of the caller's own participations as `/api/users/me/participations/{id}/` shows it, for the writes that answer with it. */
export async function presentOwnParticipation(context: RequestContext, id: number): Promise<object | undefined> {
  const row = await getOwnParticipation(context, id)
  return row && presentUserinfo(row, context)
}

/**
 * A participation as `/api/participations/{id}/` shows it, for the writes of responsibles: in all states, and in drafts and cancelled
 * events, too. Participations that the caller sees but may not change are found as well, so that commands answer with 403.
 */
export async function presentManagedParticipation(
  context: RequestContext,
  id: number,
): Promise<ManagedParticipation | undefined> {
  const row = await getParticipation(context, { states: 'managed', comments: false }, id, {})
  return row && presentParticipation(row, context)
}
type ManagedParticipation = ReturnType<typeof presentParticipation>

/** The newest comment of a participation. */
export async function presentLastComment(context: RequestContext, id: number): Promise<object | undefined> {
  const row = await getParticipation(context, { states: 'managed', comments: true }, id, {})
  const comment = row?.comments.at(-1)
  return row && comment && presentComment(comment, row, context)
}

/** Without those that name events and shifts, because cancelled ones are not known to them. */
const { event: _event, shift: _shift, ...cancelledParameters } = participationParameters

/** One query, two presenters: with and without user information. */
const VARIANTS: Variant[] = [
  {
    path: '/api/participations/',
    access: scope('CONFIDENTIAL_READ'),
    name: 'Participation',
    tag: 'participations',
    summary: 'Participations, requested and confirmed, without e-mail address and date of birth',
    userinfo: false,
    filter: () => ({ states: 'taking-part', comments: false }),
  },
  {
    path: '/api/participations-userinfo/',
    access: scope('CONFIDENTIAL_READ', 'view_user'),
    name: 'Userinfo Participation',
    tag: 'participations',
    summary: 'Participations in all states, with user information',
    userinfo: true,
    filter: () => ({ states: 'all', comments: true }),
  },
  {
    path: '/api/users/me/participations/',
    access: scope('ME_READ'),
    name: 'Own Participations',
    tag: 'users',
    summary: "The caller's participations in all states",
    userinfo: true,
    filter: (context) => ({ states: 'all', userId: userIdOf(context.actor), comments: true }),
  },
  {
    path: '/api/users/me/participations/cancelled/',
    access: scope('ME_READ'),
    name: 'Own Cancelled Participations',
    tag: 'users',
    summary: "The caller's participations in cancelled events, in all states",
    userinfo: true,
    parameters: cancelledParameters,
    filter: (context) => ({ states: 'all', userId: userIdOf(context.actor), cancelled: true, comments: true }),
  },
  {
    path: '/api/users/{user}/participations/',
    access: scope('CONFIDENTIAL_READ', 'view_user'),
    name: 'User Participation',
    tag: 'users',
    summary: 'Participations of one person in all states, without e-mail address and date of birth',
    userinfo: false,
    filter: (_context, { user }) => ({ states: 'all', userId: user!, listedOnly: true, comments: false }),
  },
]

export const participationReads: Endpoint[] = VARIANTS.flatMap(
  ({ userinfo, filter, parameters = participationParameters, ...variant }) =>
    collectionEndpoints({
      ...variant,
      parameters,
      record: userinfo ? userinfoParticipationRecord : participationRecord,
      find: (context, query, page, params) =>
        findParticipations(context, filter(context, params as { user?: number }), query, page),
      get: (context, params, query) => getParticipation(context, filter(context, params), params.id, query),
      present: userinfo ? presentUserinfo : presentParticipation,
    }),
)
