import { STATE } from '#features/staffing/rules/model.ts'
import type { Kind } from './kinds.ts'

/** What a journal entry says, as far as it matters here. */
export type Happening = { kind: string; changes: Readonly<Record<string, unknown>> }

/**
 * Whom it is for: the person of the participation; those who are responsible for the event; everybody asked or confirmed in the shift
 * or in the event; each confirmed participation of the event; everybody who sees the event; people that the entry names.
 */
export type Circle = 'participant' | 'responsibles' | 'shift' | 'event' | 'confirmed' | 'audience' | 'named'

export type News = { to: Circle; kind: Kind; data: Record<string, unknown> }

type Pair = readonly [before: unknown, after: unknown]
function pairIn(changes: Happening['changes'], field: string): Pair | undefined {
  const pair = changes[field]
  return Array.isArray(pair) && pair.length === 2 ? (pair as unknown as Pair) : undefined
}

function pick(changes: Happening['changes'], fields: readonly string[]): Record<string, Pair> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const pair = pairIn(changes, field)
      return pair ? [[field, pair]] : []
    }),
  )
}

const TIMES = ['individual_start_time', 'individual_end_time']
const commentOf = ({ comment_id }: Happening['changes']) => (typeof comment_id === 'number' ? { comment_id } : {})

/** `state`: of the participation that the entry is about, as it is now. */
type Tell = (changes: Happening['changes'], state: number | undefined) => News[]

const TELL: Record<string, Tell> = {
  'participation.moved': (changes, state) => {
    const moved = pairIn(changes, 'state')
    const comment = commentOf(changes)
    if (moved) {
      const data = { from: moved[0], to: moved[1] }
      return [
        { to: 'participant', kind: 'participation_state', data: { ...data, ...comment } },
        { to: 'responsibles', kind: 'participation_change', data: { ...data, by: 'responsible' } },
      ]
    }
    const times = pick(changes, TIMES)
    if (!Object.keys(times).length || state !== STATE.confirmed) return []
    return [{ to: 'participant', kind: 'participation_times', data: { ...times, ...comment } }]
  },
  'participation.signed_up': (changes) => {
    const [from, to] = pairIn(changes, 'state') ?? []
    if (to === STATE.requested)
      return [{ to: 'responsibles', kind: 'participation_request', data: { from, to, ...commentOf(changes) } }]
    if (to !== STATE.confirmed) return []
    return [{ to: 'responsibles', kind: 'participation_change', data: { from, to, by: 'participant', ...commentOf(changes) } }]
  },
  'participation.declined': (changes) => {
    const [from] = pairIn(changes, 'state') ?? []
    return [{ to: 'responsibles', kind: 'participation_decline', data: { from: from ?? null, ...commentOf(changes) } }]
  },
  'participation.customized': (changes) => {
    const [from, to] = pairIn(changes, 'state') ?? []
    // A late change is decided again.
    if (to === STATE.requested)
      return [{ to: 'responsibles', kind: 'participation_request', data: { from, to, ...commentOf(changes) } }]
    const times = pick(changes, TIMES)
    if (!Object.keys(times).length) return []
    return [{ to: 'responsibles', kind: 'participation_own_times', data: { ...times, ...commentOf(changes) } }]
  },
  'shift.changed': (changes) => {
    const moved = pick(changes, ['meeting_time', 'start_time', 'end_time'])
    return Object.keys(moved).length ? [{ to: 'shift', kind: 'shift_moved', data: moved }] : []
  },
  'event.changed': (changes) => {
    const moved = pick(changes, ['location'])
    return Object.keys(moved).length ? [{ to: 'event', kind: 'shift_moved', data: moved }] : []
  },
  'event.cancelled': () => [{ to: 'event', kind: 'event_called_off', data: { what: 'cancelled' } }],
  'event.reopened': () => [{ to: 'event', kind: 'event_called_off', data: { what: 'restored' } }],
  'event.restored': () => [{ to: 'event', kind: 'event_called_off', data: { what: 'restored' } }],
  'event.deleted': () => [{ to: 'event', kind: 'event_called_off', data: { what: 'deleted' } }],
  // Participations went with the shift; who they were and when it was stands in the entry.
  'shift.deleted': (changes) => {
    const was = Object.fromEntries(
      ['label', 'start_time', 'end_time'].map((field) => [field, pairIn(changes, field)?.[0] ?? null]),
    )
    return [{ to: 'named', kind: 'event_called_off', data: { what: 'shift_deleted', ...was } }]
  },
  // Of a draft nobody is told, so those who were put on its board hear of it now.
  'event.published': () => [
    { to: 'confirmed', kind: 'participation_state', data: { from: null, to: STATE.confirmed } },
    { to: 'audience', kind: 'event_published', data: {} },
  ],
}

export const isNews = (kind: string): boolean => Object.hasOwn(TELL, kind)

export function newsOf({ kind, changes }: Happening, state?: number): News[] {
  return isNews(kind) ? TELL[kind]!(changes, state) : []
}
