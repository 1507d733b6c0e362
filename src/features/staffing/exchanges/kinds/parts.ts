import { sql } from 'kysely'
import { addPart } from '#features/messaging/notification-kinds/points.ts'
import type { NotificationParts } from '#features/messaging/notification-kinds/rules/details.ts'
import { endOfSwap } from '../queries/swap.ts'

declare module '#features/messaging/notification-kinds/rules/details.ts' {
  interface NotificationParts {
    /** The search for a stand-in. `asked`: the question to the recipient. */
    standIn?: { seeker: string; taker: string | null; state: string; message: string; asked: Asked | null } | undefined
    /** The proposal to swap. `given`: the shift of the person who proposed; `wanted`: of the other. */
    swap?: (Omit<StoredSwap, 'until' | 'given' | 'wanted'> & { until: Date; given: SwapShift; wanted: SwapShift }) | undefined
  }
}

type Asked = { id: number; userId: number; shiftId: number; isOpen: boolean }
type StoredSwapShift = { title: string; label: string; start: string; end: string }
type SwapShift = Omit<StoredSwapShift, 'start' | 'end'> & { start: Date; end: Date }
type StoredSwap = Asked & {
  until: string
  state: string
  message: string
  proposer: string
  other: string
  given: StoredSwapShift
  wanted: StoredSwapShift
}

export const standInPart = addPart({
  name: 'standIn',
  read: ({ personId }) => sql`(
    select json_build_object('seeker', u.display_name, 'taker', t.display_name, 'state', d.state, 'message', d.message,
      'asked', (select json_build_object('id', a.id, 'userId', a.user_id, 'shiftId', d.shift_id,
        'isOpen', a.answer is null and d.state = 'open')
        from stand_in_person a where a.stand_in_id = d.id and a.user_id = ${personId} and a.asked_at is not null))
    from stand_in d join user_profile u on u.id = d.user_id left join user_profile t on t.id = d.taken_by_id
    where d.id = (n.data ->> 'stand_in_id')::bigint)`,
  parse: (standIn: NonNullable<NotificationParts['standIn']>) => standIn,
  names: ['seeker', 'taker'],
})

const toSwapShift = ({ start, end, ...shift }: StoredSwapShift): SwapShift => ({
  ...shift,
  start: new Date(start),
  end: new Date(end),
})

export const swapPart = addPart({
  name: 'swap',
  read: ({ personId }) => sql`(
    select json_build_object('id', w.id, 'userId', w.other_id, 'shiftId', w.shift_id, 'until', ${endOfSwap}, 'state', w.state,
      'isOpen', w.state = 'open' and w.other_id = ${personId},
      'message', w.message, 'proposer', u.display_name, 'other', o.display_name,
      'given', json_build_object('title', e.title, 'label', s.label, 'start', s.start_time, 'end', s.end_time),
      'wanted', json_build_object('title', oe.title, 'label', os.label, 'start', os.start_time, 'end', os.end_time))
    from swap w join user_profile u on u.id = w.user_id join user_profile o on o.id = w.other_id
      join shift s on s.id = w.shift_id join event e on e.id = s.event_id
      join shift os on os.id = w.other_shift_id join event oe on oe.id = os.event_id
    where w.id = (n.data ->> 'swap_id')::bigint)`,
  parse: ({ until, given, wanted, ...swap }: StoredSwap) => ({
    ...swap,
    until: new Date(until),
    given: toSwapShift(given),
    wanted: toSwapShift(wanted),
  }),
  names: ['proposer', 'other'],
})
