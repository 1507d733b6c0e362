import { sql } from 'kysely'
import { editorsOfPeople, holdersOf } from '#features/accounts/users/queries/notified.ts'
import { defineKind, type RecipientQuery } from '#features/messaging/notification-kinds/rules/kinds.ts'

/** People who decide about the hours of one of the requester's groups; administrators if there are none. */
const decidersOfHours: RecipientQuery = ({ subjectId }) => {
  const byGrant = sql`select d.user_id from user_group_member m
    join group_grant g on g.target_group_id = m.group_id and g.permission = 'decide_working_hours_for_group'
    join user_group_member d on d.group_id = g.group_id join user_profile a on a.id = d.user_id and a.is_active
    where m.user_id = ${subjectId} and d.user_id <> ${subjectId}`
  return sql`
    select u.id as user_id, null::bigint as guest_id, null::bigint as visitor_id, null::bigint as participation_id
    from user_profile u where u.id in (${byGrant})
      or (not exists (${byGrant}) and (u.is_staff or u.is_superuser) and u.is_visible)`
}

/** People who may edit others, and the responsible people of the event that led to the request. */
const decidersOfQualifications: RecipientQuery = ({ eventId, subjectId }) => sql`
  select u.id as user_id, null::bigint as guest_id, null::bigint as visitor_id, null::bigint as participation_id
  from user_profile u where u.id <> ${subjectId} and u.id in (
    ${editorsOfPeople}
    union select g.user_id from event_user_grant g where g.event_id = ${eventId} and g.permission = 'change'
    union select m.user_id from event_group_grant g join user_group_member m on m.group_id = g.group_id
      where g.event_id = ${eventId} and g.permission = 'change')`

const withPermission =
  (permission: 'add_user' | 'change_group' | 'change_user'): RecipientQuery =>
  ({ subjectId }) =>
    sql`
  select u.id as user_id, null::bigint as guest_id, null::bigint as visitor_id, null::bigint as participation_id
  from user_profile u where u.id <> ${subjectId} and u.id in (${holdersOf(permission)})`

const KINDS = ['qualification', 'joining', 'profile'] as const

/** Imported requests have no kind; they ask for working hours. */
export const whatOf = (what: unknown): (typeof KINDS)[number] | 'hours' => KINDS.find((kind) => kind === what) ?? 'hours'

/** A request waits for a decision. */
export const requestCreated = defineKind({
  name: 'request_created',
  icon: 'hand-helping',
  role: 'responsible',
  mail: 'default',
  hasNoEvent: true,
  triggers: {
    'request.created': ({ changes: { request, what }, personal }) => {
      if (what === 'qualification') return { recipients: decidersOfQualifications, data: { request_id: request, what } }
      if (what === 'profile') return { recipients: withPermission('change_user'), data: { request_id: request, what } }
      if (what === 'joining') {
        const recipients = withPermission(personal.group_id === null ? 'add_user' : 'change_group')
        return { recipients, data: { request_id: request, what } }
      }
      return { recipients: decidersOfHours, data: { request_id: request } }
    },
  },
  isObsolete: ({ request }) => request?.state !== 'open' && request?.state !== 'failed',
  describe: ({ words, details, actor }) => {
    const name = details.request?.requester ?? actor
    const what = whatOf(details.data.what)
    return {
      subject: words.t(`notification.request_created.subject_${what}`, { name }),
      line: words.t(`notification.request_created.line_${what}`, { name }),
    }
  },
  link: () => ({ path: '/manage/requests/', label: (words) => words.t('notification.request_created.open') }),
})
