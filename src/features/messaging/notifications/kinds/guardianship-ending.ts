import { sql } from 'kysely'
import { guardianshipEnd as END, guardianshipsStay } from '#features/accounts/users/queries/guardians.ts'
import { dayOf } from '#features/accounts/users/rules.ts'
import type { NotificationDetails } from '../rules/details.ts'
import { describeDay } from './description.ts'
import { defineKind } from './kind.ts'

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
      and not exists (select from notification n where n.kind = 'guardianship_ending' and n.user_id = c.id and n.source = due.source)
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
