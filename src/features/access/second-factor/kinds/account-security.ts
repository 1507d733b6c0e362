import { subjectUser } from '#features/accounts/users/queries/notified.ts'
import { defineKind } from '#features/messaging/notification-kinds/rules/kinds.ts'

const CHANGES = [
  'added_app',
  'added_passkey',
  'removed_app',
  'removed_passkey',
  'codes_renewed',
  'code_used',
  'reset',
  'linked',
  'unlinked',
] as const
type Change = (typeof CHANGES)[number]

const about = (what: Change) => () => ({ recipients: subjectUser, data: { what } })

const aboutProvider = (what: 'linked' | 'unlinked', provider: string) => ({ recipients: subjectUser, data: { what, provider } })

/** Something that protects the account has changed. Also sent to the person who did it: it may have been somebody else. */
export const accountSecurity = defineKind({
  name: 'account_security',
  icon: 'shield-alert',
  role: 'participant',
  topic: 'account',
  mail: 'always',
  isUrgent: true,
  explainMail: (words) => words.t('notification.account_security.why'),
  hasNoEvent: true,
  includesActor: true,
  triggers: {
    'user.factor_added': ({ changes }) => about(changes.factor === 'passkey' ? 'added_passkey' : 'added_app')(),
    'user.factor_removed': ({ changes }) => about(changes.factor === 'passkey' ? 'removed_passkey' : 'removed_app')(),
    'user.recovery_codes_renewed': about('codes_renewed'),
    'user.recovery_code_used': ({ changes }) => ({
      recipients: subjectUser,
      data: { what: 'code_used', left: changes.left },
    }),
    'user.factors_reset': about('reset'),
    // An account that a provider has just created has no owner yet who could be surprised.
    'user.identity_linked': ({ changes }) => (changes.is_new ? undefined : aboutProvider('linked', changes.label)),
    'user.identity_unlinked': ({ changes }) => aboutProvider('unlinked', changes.label),
  },
  isObsolete: () => false,
  describe: ({ words, details }) => {
    const what = CHANGES.find((each) => each === details.data.what) ?? 'reset'
    const count = typeof details.data.left === 'number' ? details.data.left : 0
    if (what === 'linked' || what === 'unlinked') {
      const provider = typeof details.data.provider === 'string' ? details.data.provider : ''
      return {
        subject: words.t(`notification.account_security.subject_${what}`, { provider }),
        line: words.t(`notification.account_security.line_${what}`, { provider }),
      }
    }
    const line =
      what === 'code_used'
        ? words.t('notification.account_security.line_code_used', { count })
        : words.t(`notification.account_security.line_${what}`)
    return { subject: words.t(`notification.account_security.subject_${what}`), line }
  },
  link: () => ({ path: '/settings/security/', label: (words) => words.t('notification.account_security.open') }),
})
