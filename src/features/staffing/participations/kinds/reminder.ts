import { type RawBuilder, sql } from 'kysely'
import { dayOf } from '#features/accounts/users/rules.ts'
import { meetingOf } from '#features/messaging/notification-kinds/rules/details.ts'
import { defineKind } from '#features/messaging/notification-kinds/rules/kinds.ts'
import { settingValue } from '#features/operations/settings/queries.ts'
import { STATE } from '#features/staffing/staffing/rules/model.ts'
import { addDays, startOfDay } from '#platform/i18n/days.ts'
import { reminderSettings } from '../schema.ts'

/** The longest time that can be chosen; bounds the search. */
const MAX_LEAD_HOURS = 336
const MAX_LEAD_MS = MAX_LEAD_HOURS * 3600_000
const DAYS_SEARCHED = MAX_LEAD_HOURS / 24 + 1

/** The day of a shift by the zone rules of Node: the days that are searched, with the moments at which they begin. */
function localDay(at: RawBuilder<unknown>, now: Date, timeZone: string): RawBuilder<string> {
  const today = dayOf(now, timeZone)
  const days = Array.from({ length: DAYS_SEARCHED + 1 }, (_, index) => addDays(today, index))
  const starts = days.map((day) => startOfDay(day, timeZone))
  return sql`(${days}::text[])[width_bucket(${at}, ${starts}::timestamptz[])]`
}

/**
 * As long before the shift as the person or else the organisation chose, a day by default. Participants who were confirmed in that
 * time are not reminded, because they were notified of that.
 * A shift that moves to another day gets another reminder.
 */
export const reminder = defineKind({
  name: 'reminder',
  icon: 'bell',
  role: 'participant',
  mail: 'default',
  findDue: (now, timeZone) => sql`
    select p.user_id, p.guest_id, p.visitor_id, p.id as participation_id, p.event_id,
      'reminder ' || p.id || ' ' || local.day as source, 'reminder ' || local.day as bundle
    from participation p join event e on e.id = p.event_id left join user_profile u on u.id = p.user_id
      cross join lateral (select make_interval(hours => coalesce(u.reminder_hours, ${settingValue(reminderSettings, 'reminder_hours')})) as time) lead
      cross join lateral (select ${localDay(sql`p.start_time`, now, timeZone)} as day) local
    where p.state = 1 and p.kind <> 'placeholder' and e.listed and (p.user_id is null or u.is_active)
      and p.start_time > ${now} and p.start_time <= ${new Date(now.getTime() + MAX_LEAD_MS)} and p.start_time <= ${now}::timestamptz + lead.time
      and not exists (select from notification n where n.participation_id = p.id
        and (n.kind = 'reminder' and n.source = 'reminder ' || p.id || ' ' || local.day
          or n.kind = 'participation_state' and n.data ->> 'to' = '1' and n.created_at > p.start_time - lead.time))
      and not (p.created_at > p.start_time - lead.time)
    order by p.start_time, p.id`,
  isObsolete: ({ event, participation }, now) =>
    !event?.isListed || participation?.state !== STATE.confirmed || participation.start <= now,
  describe: ({ words, now, details, event, shift }) => {
    const { participation } = details
    const meeting = details.shift && participation && meetingOf(details.shift, participation)
    const when = participation ? words.relative(participation.start, now) : shift
    return {
      subject: words.t('notification.reminder.subject', { event, when }),
      line: meeting
        ? words.t('notification.reminder.line_meeting', { shift, meeting: words.time(meeting) })
        : words.t('notification.reminder.line', { shift }),
    }
  },
})
