import { type RawBuilder, sql } from 'kysely'
import { dayOf } from '#features/accounts/users/rules.ts'
import { responsibleIds } from '#features/events/events/queries/notified.ts'
import { isShort } from '#features/events/events/queries/shift-columns.ts'
import { wasNotified } from '#features/messaging/notification-kinds/queries.ts'
import { defineKind } from '#features/messaging/notification-kinds/rules/kinds.ts'
import { PLANNING } from '../rules/choice.ts'
import { isWeeklyMailDue } from '../rules/weekly-mail.ts'

const DAY_MS = 24 * 3600_000
/** As far ahead as the page looks. */
const PERIOD_MS = 14 * DAY_MS
/** The list is replaced by that of the next week. */
const VALID_MS = 7 * DAY_MS
/** Those that will probably stay short come first. */
const MAX_NAMED_SHIFTS = 5

const nobody: RawBuilder<never> = sql`
  select null::bigint as user_id, null::bigint as guest_id, null::bigint as visitor_id, null::bigint as participation_id,
    null::bigint as event_id, '' as source, '' as bundle where false`

/** Every Monday morning to the responsible people of shifts that lack people in the next two weeks; nothing if there are none. */
export const weeklyShortages = defineKind({
  name: 'weekly_shortages',
  icon: 'users',
  role: 'responsible',
  mail: 'default',
  hasNoEvent: true,
  findDue: (now, timeZone) => {
    if (!isWeeklyMailDue(now, timeZone)) return nobody
    const source = `shortages ${dayOf(now, timeZone)}`
    return sql`
      select u.id as user_id, null::bigint as guest_id, null::bigint as visitor_id, null::bigint as participation_id,
        null::bigint as event_id, ${source} as source, ${source} as bundle,
        jsonb_build_object('count', count(*), 'shift_ids',
          (array_agg(short.id order by short.stays_short desc, short.start_time, short.id))[1:${sql.lit(MAX_NAMED_SHIFTS)}]) as data
      from (
        select s.id, s.start_time, s.event_id, coalesce(f.stays_short, false) as stays_short
        from shift s join event e on e.id = s.event_id left join shift_forecast f on f.shift_id = s.id
        where ${isShort} and s.start_time > ${now} and s.start_time < ${new Date(now.getTime() + PERIOD_MS)} and e.listed) short
        cross join lateral (${responsibleIds(sql`short.event_id`)}) r
        join user_profile u on u.id = r.user_id and u.is_active and not u.is_service_account
      where not ${wasNotified('weekly_shortages', sql`u.id`, sql`${source}`)}
      group by u.id order by u.id`
  },
  isObsolete: ({ createdAt, shortShifts }, now) => !shortShifts?.length || now.getTime() - createdAt.getTime() >= VALID_MS,
  describe: ({ words, now, details }) => {
    const count = Number(details.data.count ?? 0)
    const named = (details.shortShifts ?? []).map(({ title, label, start, end, missing, staysShort }) =>
      words.t(staysShort ? 'notification.weekly_shortages.shift_stays_short' : 'notification.weekly_shortages.shift', {
        shift: label ? `${title}, ${label}` : title,
        when: words.span(start, end, now),
        missing: words.t('ui.missing_count', { count: missing }),
      }),
    )
    return {
      subject: words.t('notification.weekly_shortages.subject', { count }),
      line: words.t('notification.weekly_shortages.line', { count, shifts: named.join('; ') }),
    }
  },
  link: () => ({ path: PLANNING, label: (words) => words.t('notification.weekly_shortages.open') }),
})
