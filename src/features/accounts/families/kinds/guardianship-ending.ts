import { sql } from 'kysely'
import { guardianshipEnd as END, guardianshipsStay } from '#features/accounts/users/queries/guardians.ts'
import { dayOf } from '#features/accounts/users/rules.ts'
import { wasNotified } from '#features/messaging/notification-kinds/queries.ts'
import type { NotificationDetails } from '#features/messaging/notification-kinds/rules/details.ts'
import { defineKind } from '#features/messaging/notification-kinds/rules/kinds.ts'
import type { Words } from '#platform/i18n/words.ts'

/** A day of the calendar, `YYYY-MM-DD`: “10 June 2031”. Noon in UTC is another day in some zones. */
function describeDay(words: Words, day: string): string {
  const noon = Date.parse(`${day}T12:00:00Z`)
  const moments = [0, -12, 12].map((hours) => new Date(noon + hours * 3600_000))
  return words.date(moments.find((at) => words.inputDate(at) === day) ?? moments[0]!)
}

const NOTICE_DAYS = 30

const isOver = ({ data, guardianship }: NotificationDetails): boolean =>
  !guardianship?.endsOn || guardianship.endsOn !== data.ends_on

/**
 * 30 days before guardianships end with the 18th birthday, once for each birth date. For the child; the guardians get it as all that is
 * for the child.
 */
export const guardianshipEnding = defineKind({
  name: 'guardianship_ending',
  icon: 'users',
  role: 'participant',
  topic: 'account',
  mail: 'always',
  explainMail: (words) => words.t('notification.guardianship_ending.why'),
  hasNoEvent: true,
  findDue: (now, timeZone) => sql`
    select c.id as user_id, null::bigint as guest_id, null::bigint as visitor_id, null::bigint as participation_id, null::bigint as event_id,
      due.source, due.source as bundle, jsonb_build_object('child_id', c.id, 'ends_on', ${END}) as data
    from user_profile c cross join lateral (select 'guardianship ending ' || c.id || ' ' || ${END} as source) due
    where c.is_active and c.id in (select g.child_id from guardianship g) and not exists (${guardianshipsStay})
      and ${dayOf(now, timeZone)}::date >= ${END} - ${NOTICE_DAYS}::int
      and ${dayOf(now, timeZone)}::date < ${END}
      and not ${wasNotified('guardianship_ending', sql`c.id`, sql`due.source`)}
    order by c.id`,
  isObsolete: isOver,
  describe: ({ words, details: { data, guardianship } }) => {
    const name = guardianship?.name ?? '–'
    const date = typeof data.ends_on === 'string' ? describeDay(words, data.ends_on) : '–'
    return {
      subject: words.t('notification.guardianship_ending.subject', { name, date }),
      line: [
        words.t('notification.guardianship_ending.line', { name, date }),
        words.t(
          guardianship?.canSignIn ? 'notification.guardianship_ending.signs_in' : 'notification.guardianship_ending.no_sign_in',
          {
            name,
          },
        ),
      ].join(' '),
    }
  },
  link: () => ({ path: '/settings/', label: (words) => words.t('notification.guardianship_ending.open') }),
})
