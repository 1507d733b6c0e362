import { sql } from 'kysely'
import { editorsOfPeople } from '#features/accounts/users/queries/notified.ts'
import { wasNotified } from '#features/messaging/notification-kinds/queries.ts'
import { defineKind } from '#features/messaging/notification-kinds/rules/kinds.ts'

/** Days before the expiry, the latest first: a grant that is found late causes only the last notice. */
const NOTICE_DAYS = [14, 60] as const
const DAY_MS = 24 * 3600_000

/**
 * 60 and 14 days before a qualification expires, to the person and to everybody who may edit people. The source contains the expiry,
 * so an extended qualification causes new notices.
 */
export const qualificationExpiring = defineKind({
  name: 'qualification_expiring',
  icon: 'hourglass',
  role: 'participant',
  topic: 'account',
  mail: 'default',
  hasNoEvent: true,
  findDue: (now) => {
    const [last, first] = NOTICE_DAYS.map((days) => new Date(now.getTime() + days * DAY_MS))
    return sql`
      select r.user_id, null::bigint as guest_id, null::bigint as visitor_id, null::bigint as participation_id, null::bigint as event_id,
        due.source, 'expiring ' || ${now.toISOString().slice(0, 10)} as bundle,
        jsonb_build_object('qualification_id', g.qualification_id, 'holder_id', g.user_id, 'expires_at', g.expires_at) as data
      from qualification_grant g join user_profile h on h.id = g.user_id and h.is_active and h.is_visible and h.deleted_at is null
        cross join lateral (select 'expiring ' || g.id || ' ' || extract(epoch from g.expires_at)::bigint || ' ' ||
          case when g.expires_at <= ${last} then ${NOTICE_DAYS[0]}::int else ${NOTICE_DAYS[1]}::int end as source) due
        cross join lateral (select g.user_id union select e.user_id from (${editorsOfPeople}) e) r
      where g.expires_at > ${now} and g.expires_at <= ${first}
        and not ${wasNotified('qualification_expiring', sql`r.user_id`, sql`due.source`)}
      order by g.expires_at, g.id, r.user_id`
  },
  isObsolete: ({ data, qualification }, now) => {
    const expiresAt = qualification?.expiresAt
    return !expiresAt || expiresAt <= now || expiresAt.getTime() !== Date.parse(String(data.expires_at))
  },
  describe: ({ words, now, details }) => {
    const { title = '–', expiresAt = null, holder = '–', isOwn = false } = details.qualification ?? {}
    const date = expiresAt ? words.date(expiresAt) : '–'
    const when = expiresAt ? words.relative(expiresAt, now) : '–'
    return isOwn
      ? {
          subject: words.t('notification.qualification_expiring.subject', { title, when }),
          line: words.t('notification.qualification_expiring.line', { title, date }),
        }
      : {
          subject: words.t('notification.qualification_expiring.subject_other', { name: holder, title, when }),
          line: words.t('notification.qualification_expiring.line_other', { name: holder, title, date }),
        }
  },
  link: ({ qualification }) =>
    qualification?.isOwn
      ? { path: '/settings/qualifications/', label: (words) => words.t('notification.qualification_expiring.renew') }
      : { path: '/manage/expiring/', label: (words) => words.t('notification.qualification_expiring.open') },
})
