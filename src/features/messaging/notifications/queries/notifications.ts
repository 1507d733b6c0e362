import { type Kysely, type RawBuilder, sql } from 'kysely'
import { findActorsOfChildren, guardianshipsStay, type Reading } from '#features/accounts/users/queries/guardians.ts'
import { GUARDIANSHIP_END_AGE, getDayOfAge } from '#features/accounts/users/rules.ts'
import { changeableBy, shownTo } from '#features/events/events/access.ts'
import { isShort } from '#features/events/events/queries/shift-columns.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { DB } from '#platform/db/tables.ts'
import { KINDS, type KnownNotification, requireKind } from '../kinds/registry.ts'

type Row = {
  id: number
  kind: string
  user_id: number | null
  about_id: number | null
  data: Record<string, unknown>
  created_at: Date
  read_at: Date | null
  event_id: number | null
  title: string | null
  location: string | null
  event_start: Date | null
  event_end: Date | null
  listed: boolean | null
  cancelled_at: Date | null
  cancellation_reason: string | null
  deleted_at: Date | null
  is_shown: boolean | null
  is_responsible: boolean | null
  shift_id: number | null
  label: string | null
  meeting_time: Date | null
  shift_start: Date | null
  shift_end: Date | null
  missing: number | null
  state: number | null
  start_time: Date | null
  end_time: Date | null
  individual_start_time: Date | null
  individual_end_time: Date | null
  is_lapsed: boolean | null
  participant: string | null
  actor_id: number | null
  actor: string | null
  comment: string | null
  request_state: string | null
  requester: string | null
  qualification: string | null
  expires_at: Date | null
  holder: string | null
  is_own: boolean | null
  subject: string | null
  text: string | null
  inquiry_person_id: number | null
  inquiry_user_id: number | null
  inquiry_shift_id: number | null
  inquiry_expires_at: Date | null
  inquiry_is_open: boolean | null
  inquiry_message: string | null
  asked_by: string | null
  offer_id: number | null
  offer_user_id: number | null
  offer_shift_id: number | null
  offered_until: Date | null
  is_offer_open: boolean | null
  asked_id: number | null
  is_asked_open: boolean | null
  stand_in_shift_id: number | null
  seeker: string | null
  taker: string | null
  stand_in_state: string | null
  stand_in_message: string | null
  swap: SwapJson | null
  guardianship_child: string | null
  guardianship_born: string | null
  guardianship_open: boolean | null
  guardianship_sign_in: boolean | null
  short_shifts: { title: string; label: string; start: string; end: string; missing: number }[] | null
}

type SwapShiftJson = { title: string; label: string; start: string; end: string }
type SwapJson = {
  id: number
  other_id: number
  shift_id: number
  expires_at: string
  state: string
  message: string
  proposer: string
  other: string
  given: SwapShiftJson
  wanted: SwapShiftJson
}

/** Only these include comments that participants must not see (`visible_for` 0). */
const RESPONSIBLE_KINDS = KINDS.filter(({ role }) => role === 'responsible').map(({ name }) => name)

/** Of the shifts in the data of `notification` as `n`. */
const shortShifts = (actor: Actor) => sql`
  select json_agg(json_build_object('title', e.title, 'label', s.label, 'start', s.start_time, 'end', s.end_time,
    'missing', greatest(s.missing, s.shortfall)) order by s.start_time, s.id)
  from jsonb_array_elements_text(n.data -> 'shift_ids') named (id) join shift s on s.id = named.id::bigint
    join event e on e.id = s.event_id
  where e.listed and ${isShort} and ${changeableBy(actor)}`

/** The proposal in the data of `notification` as `n`. */
const swapJson = sql`(
  select json_build_object('id', w.id, 'other_id', w.other_id, 'shift_id', w.shift_id, 'expires_at', w.expires_at, 'state', w.state,
    'message', w.message, 'proposer', u.display_name, 'other', o.display_name,
    'given', json_build_object('title', e.title, 'label', s.label, 'start', s.start_time, 'end', s.end_time),
    'wanted', json_build_object('title', oe.title, 'label', os.label, 'start', os.start_time, 'end', os.end_time))
  from swap w join user_profile u on u.id = w.user_id join user_profile o on o.id = w.other_id
    join shift s on s.id = w.shift_id join event e on e.id = s.event_id
    join shift os on os.id = w.other_shift_id join event oe on oe.id = os.event_id
  where w.id = (n.data ->> 'swap_id')::bigint)`

/**
 * `actor`: the recipient; `isShown` and `isResponsible` are from their point of view. What guardians get about a child is from the point
 * of view of the child, and is left out if they may not act for it.
 */
export async function findNotifications(
  context: Reading,
  actor: Actor,
  which: { ids: readonly number[] } | { userId: number; limit: number },
): Promise<KnownNotification[]> {
  const { db } = context
  const rows = await readRows(db, actor, which)
  const byChild = Map.groupBy(rows, ({ about_id }) => about_id)
  const childIds = [...byChild.keys()].filter((id) => id !== null)
  if (!childIds.length || actor.kind !== 'user') return rows.map((row) => toNotification(row))
  const found = new Map((byChild.get(null) ?? []).map((row) => [row.id, toNotification(row)]))
  for (const child of await findActorsOfChildren(context, actor, childIds)) {
    const ids = byChild.get(child.userId)!.map(({ id }) => id)
    for (const row of await readRows(db, child, { ids }))
      found.set(row.id, toNotification(row, { userId: child.userId, name: child.displayName }))
  }
  return rows.flatMap(({ id }) => found.get(id) ?? [])
}

/** Whom a notification `n` is about: the recipient, or the child of the recipient. */
const personId = sql`coalesce(n.about_id, n.user_id)`

async function readRows(
  db: Kysely<DB>,
  actor: Actor,
  which: { ids: readonly number[] } | { userId: number; limit: number },
): Promise<Row[]> {
  const where: RawBuilder<unknown> =
    'ids' in which
      ? sql`n.id = any (${which.ids}::bigint[]) order by n.id`
      : sql`n.user_id = ${which.userId} order by n.id desc limit ${which.limit}`
  const { rows } = await sql<Row>`
    select n.id, n.kind, n.user_id, n.about_id, n.data, n.created_at, n.read_at, n.event_id,
      e.title, e.location, e.start_time as event_start, e.end_time as event_end, e.listed, e.cancelled_at, e.cancellation_reason, e.deleted_at,
      ${shownTo(actor)} as is_shown, ${changeableBy(actor)} as is_responsible,
      s.id as shift_id, s.label, s.meeting_time, s.start_time as shift_start, s.end_time as shift_end,
      greatest(s.missing, s.shortfall) as missing,
      p.state, p.start_time, p.end_time, p.individual_start_time, p.individual_end_time,
      exists (select from place_basis b where b.participation_id = p.id and b.lapse is not null) as is_lapsed,
      coalesce(u.display_name, v.display_name, g.display_name, p.placeholder_name) as participant,
      a.id as actor_id, a.display_name as actor, c.text as comment, r.state as request_state, w.display_name as requester,
      q.title as qualification, h.expires_at, o.display_name as holder, o.id = ${personId} as is_own, m.subject, m.text,
      i.id as inquiry_person_id, i.user_id as inquiry_user_id, iq.shift_id as inquiry_shift_id, i.expires_at as inquiry_expires_at,
      i.answer is null and i.withdrawn_at is null and not exists (
        select from participation o where o.shift_id = iq.shift_id and o.kind = 'local' and o.user_id = i.user_id) as inquiry_is_open,
      iq.message as inquiry_message, ib.display_name as asked_by,
      we.id as offer_id, we.user_id as offer_user_id, we.shift_id as offer_shift_id, we.offered_until, we.state = 'offered' as is_offer_open,
      sp.id as asked_id, sp.answer is null and si.state = 'open' as is_asked_open, si.shift_id as stand_in_shift_id,
      ss.display_name as seeker, st.display_name as taker, si.state as stand_in_state, si.message as stand_in_message,
      case when n.data ? 'swap_id' then ${swapJson} end as swap,
      gc.display_name as guardianship_child, gc.date_of_birth as guardianship_born,
      (gc.email not like '%@no-address.invalid' or gc.username is not null) as guardianship_sign_in,
      exists (select from guardianship g where g.child_id = gc.id) and not exists (${guardianshipsStay}) as guardianship_open,
      case when n.data ? 'shift_ids' then (${shortShifts(actor)}) end as short_shifts
    from notification n
    left join event e on e.id = n.event_id
    left join participation p on p.id = n.participation_id
    left join shift s on s.id = coalesce(p.shift_id, (n.data ->> 'shift_id')::bigint)
    left join user_profile u on u.id = p.user_id left join visitor v on v.id = p.visitor_id left join guest g on g.id = p.guest_id
    left join user_profile a on a.id = n.actor_id
    left join participation_comment c on c.id = (n.data ->> 'comment_id')::bigint and c.participation_id = p.id
      and (c.visible_for >= 1 or n.kind = any (${RESPONSIBLE_KINDS}::text[]))
    left join decision_request r on r.id = (n.data ->> 'request_id')::bigint
    left join user_profile w on w.id = r.user_id
    left join qualification q on q.id = (n.data ->> 'qualification_id')::bigint
    left join user_profile o on o.id = coalesce((n.data ->> 'holder_id')::bigint, ${personId}) and q.id is not null
    left join qualification_grant h on h.qualification_id = q.id and h.user_id = o.id
    left join event_message m on m.id = n.message_id
    left join inquiry_person i on i.inquiry_id = (n.data ->> 'inquiry_id')::bigint and i.user_id = ${personId} and i.asked_at is not null
    left join inquiry iq on iq.id = i.inquiry_id left join user_profile ib on ib.id = iq.created_by_id
    left join waiting_entry we on we.id = (n.data ->> 'waiting_entry_id')::bigint and we.user_id = ${personId}
    left join stand_in si on si.id = (n.data ->> 'stand_in_id')::bigint
    left join user_profile ss on ss.id = si.user_id left join user_profile st on st.id = si.taken_by_id
    left join stand_in_person sp on sp.stand_in_id = si.id and sp.user_id = ${personId} and n.kind = 'stand_in_wanted'
    left join user_profile gc on gc.id = (n.data ->> 'child_id')::bigint
    where ${where}`.execute(db)
  return rows
}

function toNotification(row: Row, child?: KnownNotification['child']): KnownNotification {
  return {
    id: row.id,
    kind: requireKind(row.kind),
    data: row.data,
    createdAt: row.created_at,
    readAt: row.read_at,
    child,
    event: toEvent(row),
    shift:
      row.shift_id === null
        ? undefined
        : {
            id: row.shift_id,
            label: row.label!,
            meeting: row.meeting_time!,
            start: row.shift_start!,
            end: row.shift_end!,
            missing: row.missing!,
          },
    participation:
      row.state === null
        ? undefined
        : {
            state: row.state,
            start: row.start_time!,
            end: row.end_time!,
            individualStart: row.individual_start_time,
            individualEnd: row.individual_end_time,
            isLapsed: row.is_lapsed === true,
          },
    participant: row.participant ?? undefined,
    actorId: row.actor_id,
    actor: row.actor ?? undefined,
    comment: row.comment ?? undefined,
    requestState: row.request_state ?? undefined,
    requester: row.requester ?? undefined,
    qualification:
      row.qualification === null
        ? undefined
        : {
            title: row.qualification,
            expiresAt: row.expires_at,
            holder: row.holder ?? '',
            isOwn: row.is_own === true,
          },
    message: row.subject === null ? undefined : { subject: row.subject, text: row.text! },
    guardianship: toGuardianship(row),
    inquiry:
      row.inquiry_person_id === null
        ? undefined
        : {
            id: row.inquiry_person_id,
            userId: row.inquiry_user_id!,
            shiftId: row.inquiry_shift_id!,
            expiresAt: row.inquiry_expires_at!,
            isOpen: row.inquiry_is_open === true,
            message: row.inquiry_message!,
            askedBy: row.asked_by,
          },
    offer: toOffer(row),
    standIn:
      row.seeker === null
        ? undefined
        : { seeker: row.seeker, taker: row.taker ?? undefined, state: row.stand_in_state!, message: row.stand_in_message! },
    swap: row.swap
      ? {
          proposer: row.swap.proposer,
          other: row.swap.other,
          state: row.swap.state,
          message: row.swap.message,
          given: toSwapShift(row.swap.given),
          wanted: toSwapShift(row.swap.wanted),
        }
      : undefined,
    shortShifts: (row.short_shifts ?? []).map(({ start, end, ...shift }) => ({
      ...shift,
      start: new Date(start),
      end: new Date(end),
    })),
  }
}

const toSwapShift = ({ start, end, ...shift }: SwapShiftJson) => ({ ...shift, start: new Date(start), end: new Date(end) })

function toGuardianship(row: Row): KnownNotification['guardianship'] {
  if (row.guardianship_child === null) return undefined
  const born = row.guardianship_open ? row.guardianship_born : null
  return {
    name: row.guardianship_child,
    endsOn: born === null ? null : getDayOfAge(born, GUARDIANSHIP_END_AGE),
    canSignIn: row.guardianship_sign_in === true,
  }
}

function toOffer(row: Row): KnownNotification['offer'] {
  if (row.swap && row.kind === 'swap_proposed')
    return {
      kind: 'swap',
      id: row.swap.id,
      userId: row.swap.other_id,
      shiftId: row.swap.shift_id,
      until: new Date(row.swap.expires_at),
      isOpen: row.swap.state === 'open' && row.swap.other_id === (row.about_id ?? row.user_id),
    }
  if (row.asked_id !== null)
    return {
      kind: 'stand_in',
      id: row.asked_id,
      userId: row.about_id ?? row.user_id!,
      shiftId: row.stand_in_shift_id!,
      until: null,
      isOpen: row.is_asked_open === true,
    }
  if (row.offer_id === null) return undefined
  return {
    kind: 'line',
    id: row.offer_id,
    userId: row.offer_user_id!,
    shiftId: row.offer_shift_id!,
    until: row.offered_until,
    isOpen: row.is_offer_open === true,
  }
}

function toEvent(row: Row): KnownNotification['event'] {
  if (row.title === null) return undefined
  return {
    id: row.event_id!,
    title: row.title,
    location: row.location!,
    time: row.event_start && row.event_end ? { start: row.event_start, end: row.event_end } : undefined,
    isListed: row.listed!,
    isCancelled: row.cancelled_at !== null,
    isDeleted: row.deleted_at !== null,
    cancellationReason: row.cancellation_reason,
    isShown: row.is_shown!,
    isResponsible: row.is_responsible!,
  }
}
