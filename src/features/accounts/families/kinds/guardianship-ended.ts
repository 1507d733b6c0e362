import { sql } from 'kysely'
import { defineKind, type RecipientQuery } from '#features/messaging/notification-kinds/rules/kinds.ts'

/**
 * The guardian, and with the last guardian the child: once, if it signs in or has a mailbox that is not the guardian's. Guardianships of
 * a child end together.
 */
const concerned =
  (guardianId: number, isLast: boolean): RecipientQuery =>
  ({ subjectId }) =>
    sql`
  select u.id as user_id, null::bigint as guest_id, null::bigint as visitor_id, null::bigint as participation_id
  from user_profile u join user_profile a on a.id = ${guardianId}
  where u.id = a.id or (${isLast} and u.id = ${subjectId} and (u.email not like '%@no-address.invalid' or u.username is not null
    or (u.contact_email is not null and lower(u.contact_email) <> lower(a.email))))`

/** On the 18th birthday. What others end, they know. */
export const guardianshipEnded = defineKind({
  name: 'guardianship_ended',
  icon: 'users',
  role: 'participant',
  topic: 'account',
  mail: 'always',
  explainMail: (words) => words.t('notification.guardianship_ended.why'),
  hasNoEvent: true,
  triggers: {
    'guardianship.ended': ({ changes }) => {
      if (changes.cause !== 'age') return undefined
      return { recipients: concerned(changes.guardian_id, changes.is_last), data: { child_id: changes.child_id } }
    },
  },
  isObsolete: ({ guardianship }) => guardianship === undefined,
  describe: ({ words, details: { guardianship } }) => {
    const name = guardianship?.name ?? '–'
    return {
      subject: words.t('notification.guardianship_ended.subject', { name }),
      line: [
        words.t('notification.guardianship_ended.line', { name }),
        words.t(
          guardianship?.canSignIn ? 'notification.guardianship_ending.signs_in' : 'notification.guardianship_ending.no_sign_in',
          {
            name,
          },
        ),
      ].join(' '),
    }
  },
})
