import { sql } from 'kysely'
import { defineKind, type RecipientQuery } from '#features/messaging/notification-kinds/rules/kinds.ts'

const NAME = 'event_published'

/** Only users who opted in: for everybody else, each published event would be one more notification they never asked for. */
const subscribers: RecipientQuery = ({ eventId }) => sql`
  select u.id as user_id, null::bigint as guest_id, null::bigint as visitor_id, null::bigint as participation_id
  from user_profile u
  where (u.enabled_notifications @> ${JSON.stringify([['mail', NAME]])}::jsonb or u.enabled_notifications @> ${JSON.stringify([['push', NAME]])}::jsonb) and (
    exists (select from event_group_grant g join user_group_member m on m.group_id = g.group_id
      where g.event_id = ${eventId} and m.user_id = u.id)
    or exists (select from event_user_grant g where g.event_id = ${eventId} and g.user_id = u.id))`

export const eventPublished = defineKind({
  name: NAME,
  icon: 'calendar-plus',
  role: 'participant',
  topic: 'news',
  mail: 'opt-in',
  triggers: {
    'event.published': () => ({ recipients: subscribers, data: {} }),
  },
  isObsolete: ({ event }) => !event?.isListed,
  describe: ({ words, now, details, event }) => {
    const time = details.event?.time
    return {
      subject: words.t('notification.event_published.subject', { event }),
      line: time
        ? words.t('notification.event_published.line', { event, time: words.span(time.start, time.end, now) })
        : words.t('notification.event_published.line_no_time', { event }),
    }
  },
})
