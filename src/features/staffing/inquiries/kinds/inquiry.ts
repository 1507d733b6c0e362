import { sql } from 'kysely'
import { defineKind, type RecipientQuery } from '#features/messaging/notification-kinds/rules/kinds.ts'
import { makeAnswerToken } from '../queries/answers.ts'
import { answerPath } from '../rules/links.ts'

/** People whom a wave of an inquiry asks. */
const askedPeople =
  (inquiryId: number, wave: number): RecipientQuery =>
  () =>
    sql`
    select i.user_id, null::bigint as guest_id, null::bigint as visitor_id, null::bigint as participation_id
    from inquiry_person i where i.inquiry_id = ${inquiryId} and i.wave = ${wave}`

/** A planner asks whether the person can take part. Those who switch this off are not asked at all. */
export const inquiry = defineKind({
  name: 'inquiry',
  icon: 'hand-helping',
  role: 'participant',
  topic: 'asked',
  mail: 'default',
  triggers: {
    'shift.asked': ({ changes }) => ({
      recipients: askedPeople(changes.inquiry, changes.wave),
      data: { inquiry_id: changes.inquiry, latest: changes.until },
    }),
  },
  answer: ({ inquiry: asked }, keyring) => {
    if (!asked) return undefined
    const path = answerPath(makeAnswerToken(keyring, asked))
    return {
      accept: { path, label: (words) => words.t('notification.inquiry.can') },
      decline: { path: `${path}?answer=no`, label: (words) => words.t('notification.inquiry.cannot') },
    }
  },
  isObsolete: ({ event, inquiry: asked }, now) => !event?.isListed || !asked?.isOpen || asked.expiresAt <= now,
  describe: ({ words, details, event, shift, actor }) => {
    const name = details.inquiry?.askedBy ?? actor
    return {
      subject: words.t('notification.inquiry.subject', { event }),
      line: details.inquiry?.message
        ? words.t('notification.inquiry.line_message', { name, shift, message: details.inquiry.message })
        : words.t('notification.inquiry.line', { name, shift }),
    }
  },
})
