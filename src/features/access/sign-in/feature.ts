import { secondFactor } from '#features/access/second-factor/feature.ts'
import { viewing } from '#features/access/viewing/feature.ts'
import { users } from '#features/accounts/users/feature.ts'
import { accountHooks, erasing, erasureSteps } from '#features/accounts/users/points.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { accountPages } from '#platform/features/layout.ts'
import { deleteAccountMailsOf, queueAccountMail, queueWelcomeMail, queueWelcomeMails } from './commands/links.ts'
import { deleteDevicesOf, deleteLinksOf, endSessionsOf } from './commands/sessions.ts'
import { accountMailTask, cleanUpSignIn } from './jobs.ts'
import { signInPages } from './pages/sign-in.ts'
import { signInPersonalData } from './personal-data.ts'
import { otherWaysOf } from './points.ts'
import { signInWords } from './words.ts'

export const signIn = defineFeature({
  name: 'sign-in',
  uses: [users, settings, secondFactor, viewing],
  tables: ['session', 'pending_sign_in', 'known_device', 'sign_in_attempt', 'one_time_link'],
  impersonalTables: {
    sign_in_attempt: 'hashes with a key, for a day',
  },
  reads: ['guardianship', 'user_profile', 'viewing'],
  words: signInWords,
  personalData: signInPersonalData,
  pages: (runtime) =>
    signInPages({
      limiter: runtime.limiter('sign-in', 20),
      resets: runtime.limiter('reset', 20),
      steps: runtime.limiter('second-factor', 10),
      otherWays: otherWaysOf(runtime),
      isTryOut: runtime.site.isTryOut,
    }),
  tasks: (runtime) => [
    accountMailTask(runtime),
    {
      name: 'clean_up_sign_in',
      schedule: '17 3 * * *',
      run: () => cleanUpSignIn(runtime.db.write, runtime.clock.now()),
    },
  ],
  adds: [
    accountHooks.add({
      sendWelcomeMail: queueWelcomeMail,
      sendWelcomeMails: queueWelcomeMails,
      sendResetMail: async (tx, { now, site }, email) => {
        await queueAccountMail(tx, { kind: 'reset_password', sealedEmail: site.keyring.seal(email), at: now.toISOString() })
      },
      announceEmailChange: async (tx, { now, site }, { userId, formerEmail }) => {
        const sealedEmail = site.keyring.seal(formerEmail)
        await queueAccountMail(tx, { kind: 'email_changed', userId, sealedEmail, at: now.toISOString() })
      },
      endSessions: endSessionsOf,
      endLinks: deleteLinksOf,
    }),
    erasureSteps.add({ name: 'account mails', run: (tx, { context, userId }) => deleteAccountMailsOf(tx, context, userId) }),
    erasing('devices', deleteDevicesOf),
    accountPages.add({ href: '/settings/security/', label: 'settings.security', icon: 'shield-check' }, 90),
  ],
  commands: [
    {
      name: 'create-admin',
      summary: 'Create an administrator and print a random password, unless one is given',
      load: async () => (await import('./cli.ts')).createAdmin,
    },
  ],
})
