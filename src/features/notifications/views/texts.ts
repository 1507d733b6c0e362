import type { Words } from '#platform/i18n/words.ts'
import type { Told } from '../rules/relevance.ts'

/** A subject for a mail about this alone, and a sentence that makes sense below the name of the event. */
export type Text = { subject: string; line: string }

type In = { words: Words; now: Date; told: Told; event: string; shift: string; name: string; actor: string }

export function textOf(words: Words, told: Told, now: Date): Text {
  const someone = words.t('notification.someone')
  return TEXTS[told.kind]({
    words,
    now,
    told,
    event: told.event?.title ?? '–',
    shift: shiftIn(words, told, now),
    name: told.participant ?? someone,
    actor: told.actor ?? someone,
  })
}

/** "Sat 14 Nov 08:00–16:00, First aid" */
function shiftIn(words: Words, { shift, data }: Told, now: Date): string {
  const times = shift ? { start: shift.start, end: shift.end } : timesIn(data)
  if (!times) return words.t('notification.deleted_shift')
  const label = shift ? shift.label : data.label
  const span = words.span(times.start, times.end, now)
  return typeof label === 'string' && label ? `${span}, ${label}` : span
}

function timesIn({ start_time, end_time }: Told['data']): { start: Date; end: Date } | undefined {
  if (typeof start_time !== 'string' || typeof end_time !== 'string') return undefined
  return { start: new Date(start_time), end: new Date(end_time) }
}

type DecidedState = 0 | 1 | 2 | 3
const stateIn = ({ to }: Told['data']): DecidedState => (to === 0 || to === 1 || to === 2 ? to : 3)

/** When the person of the participation is there. */
const ownTimes = ({ words, told: { participation }, shift, now }: In): string =>
  participation ? words.span(participation.start, participation.end, now) : shift

const TEXTS: Record<Told['kind'], (about: In) => Text> = {
  participation_state: ({ words, told, event, shift }) => ({
    subject: words.t(`notification.subject.state${stateIn(told.data)}`, { event }),
    line: words.t(`notification.line.state${stateIn(told.data)}`, { shift }),
  }),
  participation_times: (about) => ({
    subject: about.words.t('notification.subject.times', { event: about.event }),
    line: about.words.t('notification.line.times', { times: ownTimes(about), shift: about.shift }),
  }),
  participation_request: (about) => {
    const { words, told, event, shift, name } = about
    return told.data.from === 1
      ? {
          subject: words.t('notification.subject.request_again', { name, event }),
          line: words.t('notification.line.request_again', { name, times: ownTimes(about), shift }),
        }
      : {
          subject: words.t('notification.subject.request', { name, event }),
          line: words.t('notification.line.request', { name, shift }),
        }
  },
  participation_change: ({ words, told, event, shift, name, actor }) =>
    told.data.by === 'participant'
      ? {
          subject: words.t('notification.subject.signed_up', { name, event }),
          line: words.t('notification.line.signed_up', { name, shift }),
        }
      : {
          subject: words.t(`notification.subject.decided${stateIn(told.data)}`, { name, event }),
          line: words.t(`notification.line.decided${stateIn(told.data)}`, { name, actor, shift }),
        },
  // Whether a place is open now depends on what they were before.
  participation_decline: ({ words, told, event, shift, name }) => {
    const was = told.data.from === 1 ? 'confirmed' : told.data.from === 0 ? 'requested' : 'none'
    return {
      subject: words.t(`notification.subject.decline_${was}`, { name, event }),
      line: words.t(`notification.line.decline_${was}`, { name, shift }),
    }
  },
  participation_own_times: (about) => ({
    subject: about.words.t('notification.subject.own_times', { name: about.name, event: about.event }),
    line: about.words.t('notification.line.own_times', { name: about.name, times: ownTimes(about), shift: about.shift }),
  }),
  shift_moved: (about) => ({
    subject: about.words.t('notification.subject.moved', { event: about.event }),
    line: movesOf(about).join(' '),
  }),
  event_called_off: ({ words, told, event, shift }) => calledOff(words, told, event, shift),
  reminder: ({ words, now, told, event, shift }) => {
    const { participation, shift: of } = told
    const meets = of && participation && of.meeting < participation.start
    return {
      subject: words.t('notification.subject.reminder', {
        event,
        when: participation ? words.relative(participation.start, now) : shift,
      }),
      line: meets
        ? words.t('notification.line.reminder_meeting', { shift, meeting: words.time(of.meeting) })
        : words.t('notification.line.reminder', { shift }),
    }
  },
  event_published: ({ words, now, told, event }) => ({
    subject: words.t('notification.subject.published', { event }),
    line: told.event?.time
      ? words.t('notification.line.published', { event, time: words.span(told.event.time.start, told.event.time.end, now) })
      : words.t('notification.line.published_no_time', { event }),
  }),
  event_message: ({ told, event }) => ({ subject: told.message?.subject ?? event, line: told.message?.subject ?? event }),
}

function calledOff(words: Words, { data, event: of }: Told, event: string, shift: string): Text {
  if (data.what === 'cancelled')
    return {
      subject: words.t('notification.subject.cancelled', { event }),
      line: words.t('notification.line.cancelled', { event, reason: of?.cancellationReason ?? '' }),
    }
  if (data.what === 'shift_deleted')
    return {
      subject: words.t('notification.subject.shift_deleted', { event }),
      line: words.t('notification.line.shift_deleted', { shift }),
    }
  const what = data.what === 'restored' ? 'restored' : 'deleted'
  return { subject: words.t(`notification.subject.${what}`, { event }), line: words.t(`notification.line.${what}`, { event }) }
}

/** Before and after, in whole spans: that one end moved is easier to see in both. */
function movesOf({ words, now, told: { data, shift } }: In): string[] {
  const pair = (field: string): [unknown, unknown] | undefined => {
    const value = data[field]
    return Array.isArray(value) ? [value[0], value[1]] : undefined
  }
  const at = (value: unknown): Date | undefined => (typeof value === 'string' ? new Date(value) : undefined)
  const lines: string[] = []
  const [starts, ends, meets, places] = [pair('start_time'), pair('end_time'), pair('meeting_time'), pair('location')]
  if ((starts || ends) && shift) {
    const span = (which: 0 | 1) => words.span(at(starts?.[which]) ?? shift.start, at(ends?.[which]) ?? shift.end, now)
    lines.push(words.t('notification.line.moved_time', { before: span(0), after: span(1) }))
  }
  const [before, after] = [at(meets?.[0]), at(meets?.[1])]
  if (before && after && shift && after < shift.start)
    lines.push(words.t('notification.line.moved_meeting', { before: words.dateTime(before), after: words.dateTime(after) }))
  if (places) lines.push(words.t('notification.line.moved_place', { before: String(places[0]), after: String(places[1]) }))
  return lines
}
