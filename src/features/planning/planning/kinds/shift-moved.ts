import { pickChanges } from '#features/messaging/notification-kinds/rules/journal-changes.ts'
import { type DescriptionInput, defineKind } from '#features/messaging/notification-kinds/rules/kinds.ts'
import { hasValuesAfter, isSameTime } from '#features/messaging/notification-kinds/rules/obsolescence.ts'
import { comingParticipants, comingParticipantsOfShift } from '#features/staffing/participations/queries/notified.ts'

/** The time of a shift or the place of an event changed, before the shift was over. */
export const shiftMoved = defineKind({
  name: 'shift_moved',
  icon: 'calendar-clock',
  role: 'participant',
  mail: 'default',
  triggers: {
    'shift.changed': ({ changes }) => {
      const data = pickChanges(changes, ['meeting_time', 'start_time', 'end_time'])
      return data && { recipients: comingParticipantsOfShift, data }
    },
    'event.changed': ({ changes }) => {
      const data = pickChanges(changes, ['location'])
      return data && { recipients: comingParticipants, data }
    },
  },
  isObsolete: ({ data, event, shift }) =>
    !event?.isListed ||
    !hasValuesAfter(data, {
      meeting_time: (after) => isSameTime(after, shift?.meeting),
      start_time: (after) => isSameTime(after, shift?.start),
      end_time: (after) => isSameTime(after, shift?.end),
      location: (after) => after === event.location,
    }),
  describe: (input) => {
    const { words, event, details } = input
    const what = details.data.location ? 'place' : 'time'
    return { subject: words.t(`notification.shift_moved.subject_${what}`, { event }), line: describeChanges(input).join(' ') }
  },
  namesActor: true,
})

/** Shows both ends of the shift before and after, even if only one of them moved. */
function describeChanges({ words, now, details: { data, shift } }: DescriptionInput): string[] {
  const change = (field: string): [unknown, unknown] | undefined => {
    const value = data[field]
    return Array.isArray(value) ? [value[0], value[1]] : undefined
  }
  const toDate = (value: unknown): Date | undefined => (typeof value === 'string' ? new Date(value) : undefined)
  const lines: string[] = []
  const start = change('start_time')
  const end = change('end_time')
  if ((start || end) && shift) {
    const span = (side: 0 | 1) => words.span(toDate(start?.[side]) ?? shift.start, toDate(end?.[side]) ?? shift.end, now)
    lines.push(words.t('notification.shift_moved.line_time', { before: span(0), after: span(1) }))
  }
  const meeting = change('meeting_time')
  const [before, after] = [toDate(meeting?.[0]), toDate(meeting?.[1])]
  if (before && after && shift && after < shift.start)
    lines.push(words.t('notification.shift_moved.line_meeting', { before: words.dateTime(before), after: words.dateTime(after) }))
  const place = change('location')
  if (place) lines.push(words.t('notification.shift_moved.line_place', { before: String(place[0]), after: String(place[1]) }))
  return lines
}
