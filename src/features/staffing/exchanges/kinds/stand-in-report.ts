import { sql } from 'kysely'
import { responsibleIds } from '#features/events/events/queries/notified.ts'
import { defineKind, type RecipientQuery } from '#features/messaging/notification-kinds/rules/kinds.ts'

const planners: RecipientQuery = ({ eventId }) => sql`
  select r.user_id, null::bigint as guest_id, null::bigint as visitor_id, null::bigint as participation_id
  from (${responsibleIds(eventId)}) r`

/** For planners: somebody wants to take a place of another person, or has taken it. */
export const standInReport = defineKind({
  name: 'stand_in_report',
  icon: 'users',
  role: 'responsible',
  mail: 'default',
  triggers: {
    'shift.stand_in_found': ({ changes }) => ({ recipients: planners, data: { what: 'found', stand_in_id: changes.stand_in } }),
    'shift.stand_in_done': ({ changes }) => ({ recipients: planners, data: { what: 'done', stand_in_id: changes.stand_in } }),
  },
  isObsolete: ({ event, shift, data, standIn }, now) =>
    !event?.isListed || !shift || shift.start <= now || standIn?.state !== data.what,
  describe: ({ words, details, event, shift }) => {
    const what = details.data.what === 'found' ? 'found' : 'done'
    const names = { seeker: details.standIn?.seeker ?? '–', taker: details.standIn?.taker ?? '–' }
    return {
      subject: words.t(`notification.stand_in_report.subject_${what}`, { event }),
      line: words.t(`notification.stand_in_report.line_${what}`, { ...names, shift }),
    }
  },
  link: ({ event, shift }) =>
    shift && event?.isResponsible
      ? { path: `/shifts/${shift.id}/line/`, label: (words) => words.t('notification.stand_in_report.open') }
      : undefined,
})
