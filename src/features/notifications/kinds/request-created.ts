import { sql } from 'kysely'
import { defineKind } from './kind.ts'
import type { RecipientQuery } from './recipients.ts'

/** People who decide about the hours of one of the requester's groups; administrators if there are none. */
const deciders: RecipientQuery = ({ subjectId }) => {
  const byGrant = sql`select d.user_id from user_group_member m
    join group_grant g on g.target_group_id = m.group_id and g.permission = 'decide_working_hours_for_group'
    join user_group_member d on d.group_id = g.group_id join user_profile a on a.id = d.user_id and a.is_active
    where m.user_id = ${subjectId} and d.user_id <> ${subjectId}`
  return sql`
    select u.id as user_id, null::bigint as guest_id, null::bigint as visitor_id, null::bigint as participation_id
    from user_profile u where u.id in (${byGrant})
      or (not exists (${byGrant}) and (u.is_staff or u.is_superuser) and u.is_visible)`
}

/** A request waits for a decision. */
export const requestCreated = defineKind({
  name: 'request_created',
  icon: 'hand-helping',
  role: 'responsible',
  mail: 'default',
  hasNoEvent: true,
  triggers: {
    'request.created': ({ changes }) => ({ recipients: deciders, data: { request_id: changes.request } }),
  },
  isObsolete: ({ requestState }) => requestState !== 'open' && requestState !== 'failed',
  describe: ({ words, actor: name }) => ({
    subject: words.t('notification.request_created.subject', { name }),
    line: words.t('notification.request_created.line', { name }),
  }),
  link: () => ({ path: '/manage/requests/', label: (words) => words.t('notification.request_created.open') }),
})
