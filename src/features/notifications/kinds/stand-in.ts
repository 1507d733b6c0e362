import { sql } from 'kysely'
import { defineKind, type TriggerInput } from './kind.ts'
import { listedUsers, type RecipientQuery, responsibleIds } from './recipients.ts'

const planners: RecipientQuery = ({ eventId }) => sql`
  select r.user_id, null::bigint as guest_id, null::bigint as visitor_id, null::bigint as participation_id
  from (${responsibleIds(eventId)}) r`

/** Somebody looks for a person who takes their place. */
export const standInWanted = defineKind({
  name: 'stand_in_wanted',
  icon: 'users',
  role: 'participant',
  mail: 'default',
  triggers: {
    'shift.stand_in_asked': ({ changes }) => ({
      recipients: listedUsers(changes.users),
      data: { stand_in_id: changes.stand_in },
    }),
  },
  isObsolete: ({ event, offer, shift }, now) => !event?.isListed || !offer?.isOpen || !shift || shift.start <= now,
  describe: ({ words, details, event, shift, actor }) => {
    const name = details.standIn?.seeker ?? actor
    const message = details.standIn?.message
    return {
      subject: words.t('notification.stand_in_wanted.subject', { event }),
      line: message
        ? words.t('notification.stand_in_wanted.line_message', { name, shift, message })
        : words.t('notification.stand_in_wanted.line', { name, shift }),
    }
  },
})

type What = 'done' | 'refused' | 'undone' | 'ended'
const told =
  (what: What) =>
  ({ changes }: TriggerInput) => ({ recipients: listedUsers(changes.users), data: { what, stand_in_id: changes.stand_in } })

/** What became of a search, for the person who searched and the one who took the place. */
export const standInResult = defineKind({
  name: 'stand_in_result',
  icon: 'users',
  role: 'participant',
  mail: 'default',
  triggers: {
    'shift.stand_in_done': told('done'),
    'shift.stand_in_refused': told('refused'),
    'shift.stand_in_undone': told('undone'),
    'shift.stand_in_ended': told('ended'),
  },
  isObsolete: ({ event, shift, data, standIn }, now) =>
    !event?.isListed || !shift || shift.end <= now || (data.what === 'done' && standIn?.state !== 'done'),
  describe: ({ words, details, event, shift }) => {
    const what = (['done', 'refused', 'undone'] as const).find((one) => one === details.data.what) ?? 'ended'
    const names = { seeker: details.standIn?.seeker ?? '–', taker: details.standIn?.taker ?? '–' }
    return {
      subject: words.t(`notification.stand_in_result.subject_${what}`, { event }),
      line: words.t(`notification.stand_in_result.line_${what}`, { ...names, shift }),
    }
  },
})

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
