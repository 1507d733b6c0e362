import { sql } from 'kysely'
import { dayOf, isMinorOn } from '#features/accounts/users/rules.ts'
import { namedAnswersOf } from '#features/events/questionnaires/queries.ts'
import type { Grant } from '#features/staffing/eligibility/rules/candidacy.ts'
import { judgeCandidacy, type SignupShift } from '#features/staffing/eligibility/rules/candidacy.ts'
import { warnOfConfirmed } from '#features/staffing/eligibility/rules/eligibility.ts'
import { dropShiftTimes, effectiveSpan, isOutsideShift } from '#features/staffing/eligibility/rules/individual-times.ts'
import { findLapse, type Lapse } from '#features/staffing/staffing/rules/lapses.ts'
import { type Reason, type Skills, STATE, type State, type Warning } from '#features/staffing/staffing/rules/model.ts'
import { dropIncluded, expandSkills } from '#features/staffing/staffing/rules/skills.ts'
import { getStructure, isQualifiedForPlace } from '#features/staffing/staffing/structures/registry.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import type { Span } from '#platform/time-span.ts'
import { type BoardAnswer, type BoardComment, isAboutPerson } from '../rules/board.ts'
import { type CardPerson, cardKey, readTarget, type SubmittedCard, timesOf } from '../rules/cards.ts'
import type { PeopleFacts, VersionedRecord } from './people.ts'

/** A person on a shift: the stored record overlaid with the submitted card. */
export type CardDraft = {
  key: string
  who: CardPerson
  name: string
  broughtBy: string | undefined
  id: number
  own: VersionedRecord | undefined
  submitted: SubmittedCard | undefined
  state: State
  structureData: unknown
  span: Span
  hasOwnTimes: boolean
  /** The shift was moved, and the individual times are outside of it now. */
  areTimesOutside: boolean
  /** Why the person does not count any more, unless the card was changed. */
  lapse: Lapse | undefined
  start: string
  end: string
  which: { start: string; end: string }
  /** For participants, and for people whose profile the caller may open anyway. */
  phone: string | null
} & PersonInfo

export type PersonInfo = {
  skills: Skills
  held: number[]
  expiring: number[]
  isMinor: boolean
  hints: Reason[]
  warnings: readonly Warning[]
}

/** `broughtBy`: the person who brings a placeholder. */
export type DraftPerson = { id: number; who: CardPerson; name: string; broughtBy?: string | undefined }

export function draftCard(
  context: RequestContext,
  { id, who, name, broughtBy }: DraftPerson,
  { shiftId, submitted, facts }: { shiftId: number; submitted: SubmittedCard | undefined; facts: PeopleFacts },
): CardDraft {
  const { words } = context
  const own = facts.own(who, shiftId)
  const shift = facts.shared.shifts.get(shiftId)!
  const target = submitted && readTarget(submitted.to)
  const stored = { start: own?.individualStart ?? null, end: own?.individualEnd ?? null }
  const typed = submitted && timesOf(submitted, words.timeZone)
  const times = dropShiftTimes({ ...stored, ...(typeof typed === 'object' ? typed : {}) }, shift)
  const span = effectiveSpan(times, shift)
  const hasOwnTimes = times.start !== null || times.end !== null
  const before = own?.structureData ?? {}
  const applicant = { participationId: own?.id, state: own?.state, skills: new Set<number>(), structureData: before }
  const placed =
    target &&
    getStructure(shift.structureSlug)?.dispatch(shift.structureConfiguration, applicant, {
      place: target.place,
      isConfirming: false,
    })
  const info = describePerson(context, who, { shiftId, facts, span })
  return {
    key: cardKey(who),
    who,
    name,
    broughtBy,
    id,
    own,
    submitted,
    span,
    state: target?.state ?? own?.state ?? 0,
    structureData: placed?.ok ? placed.structureData : before,
    hasOwnTimes,
    areTimesOutside: hasOwnTimes && isOutsideShift(span, shift, facts.shared.settings.toleranceMinutes),
    start: submitted?.start || words.inputDateTime(span.start),
    end: submitted?.end || words.inputDateTime(span.end),
    phone: id > 0 || hasPermission(context.actor, 'view_user') ? facts.person(who)?.phone || null : null,
    which: submitted?.which ?? { start: '', end: '' },
    lapse: submitted ? undefined : lapseOf(own, shift, facts, info.skills),
    ...info,
  }
}

function lapseOf(
  own: VersionedRecord | undefined,
  shift: SignupShift,
  { shared }: PeopleFacts,
  skills: Skills,
): Lapse | undefined {
  if (own?.state !== STATE.confirmed) return undefined
  const requiredByType = new Set(shift.requiredByType)
  const input = { people: [], blocks: shared.blocks, qualifications: shared.inclusions, requiredByType }
  return findLapse(own.basis, isQualifiedForPlace(shift, input, { skills, structureData: own.structureData }))
}

/** Facts about a person that matter for the decision. */
export function describePerson(
  { now, site }: RequestContext,
  who: CardPerson,
  { shiftId, facts, span }: { shiftId: number; facts: PeopleFacts; span: Span },
): PersonInfo {
  const { inclusions, shifts } = facts.shared
  const { grants = [], dateOfBirth = null } = facts.person(who) ?? {}
  const held = grants.filter(isValidAt(span.end)).map(({ id }) => id)
  const today = grants.filter(isValidAt(now)).map(({ id }) => id)
  const skills = expandSkills(held, inclusions)
  const judged = 'placeholder' in who ? undefined : judgeCandidacy(facts.of(who), shiftId, { now, timeZone: site.timeZone }, span)
  return {
    skills,
    held: dropIncluded(held, inclusions),
    expiring: dropIncluded(
      today.filter((id) => !skills.has(id)),
      inclusions,
    ),
    isMinor: isMinorOn(dateOfBirth, dayOf(shifts.get(shiftId)!.start, site.timeZone)),
    hints: judged?.reasons['sign-up'].filter(isAboutPerson) ?? [],
    warnings: judged ? [...judged.warnings, ...warnOfConfirmed(judged.eligibilityInput)] : [],
  }
}

const isValidAt =
  (at: Date) =>
  ({ until }: Grant): boolean =>
    until === null || until >= at

type BoardParticipant = DraftPerson & { shiftId: number; state: State; answers: BoardAnswer[] }

/** Participants of these shifts in any state, by name. */
export async function findBoardParticipants({ db }: RequestContext, shiftIds: readonly number[]): Promise<BoardParticipant[]> {
  type Person = { kind: 'local' | 'visitor' | 'guest'; person_id: number } | { kind: 'placeholder'; person_id: null }
  const { rows } = await sql<
    Person & { id: number; shift_id: number; name: string; brought_by: string | null; state: State; answers: BoardAnswer[] }
  >`
    select p.id, p.shift_id, p.kind, coalesce(p.user_id, p.visitor_id, p.guest_id) as person_id, p.state,
      coalesce(u.display_name, v.display_name, g.display_name, p.placeholder_name) as name, bringer.display_name as brought_by,
      ${namedAnswersOf(sql`p.id`)} as answers
    from participation p left join user_profile u on u.id = p.user_id
    left join visitor v on v.id = p.visitor_id left join guest g on g.id = p.guest_id
    left join participation own on own.id = p.brought_by_id left join user_profile bringer on bringer.id = own.user_id
    where p.shift_id = any (${shiftIds}::bigint[]) order by lower(coalesce(u.display_name, v.display_name, g.display_name, p.placeholder_name)), p.id`.execute(
    db,
  )
  return rows.map(({ id, shift_id, kind, person_id, name, brought_by, state, answers }) => ({
    id,
    answers,
    shiftId: shift_id,
    name,
    broughtBy: brought_by ?? undefined,
    state,
    who: kind === 'placeholder' ? { placeholder: name } : { kind, id: person_id },
  }))
}

/** Comments of every level, oldest first: responsibles may read all of them. */
export async function findBoardComments(
  { db, words }: RequestContext,
  ids: readonly number[],
): Promise<Map<number, BoardComment[]>> {
  const { rows } = await sql<
    Omit<BoardComment, 'author'> & { author: string | null; participation_id: number; is_own: boolean; name: string }
  >`
    select c.participation_id, c.text, c.created_at as at, c.visible_for as level, c.author_kind = 'participant' as is_own,
      u.display_name as author, coalesce(w.display_name, v.display_name, g.display_name, p.placeholder_name) as name
    from participation_comment c join participation p on p.id = c.participation_id
    left join user_profile u on u.id = c.author_id left join user_profile w on w.id = p.user_id
    left join visitor v on v.id = p.visitor_id left join guest g on g.id = p.guest_id
    where c.participation_id = any (${ids}::bigint[]) order by c.created_at, c.id`.execute(db)
  const comments = rows.map(({ participation_id, text, at, level, is_own, author, name }) => ({
    participation_id,
    comment: { text, at, level, author: is_own ? name : (author ?? words.t('participation.former_responsible')) },
  }))
  return new Map(
    [...Map.groupBy(comments, ({ participation_id }) => participation_id)].map(([id, all]) => [
      id,
      all.map(({ comment }) => comment),
    ]),
  )
}

export function isPlaceOptional({ structureSlug, structureConfiguration }: SignupShift): boolean {
  const nobody = { participationId: undefined, state: undefined, skills: new Set<number>(), structureData: {} }
  const terms = { place: '', isConfirming: true }
  return getStructure(structureSlug)?.dispatch(structureConfiguration, nobody, terms).ok ?? true
}
