import { users } from '#features/accounts/users/feature.ts'
import { accountHooks } from '#features/accounts/users/points.ts'
import { notifications } from '#features/messaging/notifications/feature.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { guests } from '#features/sharing/guests/feature.ts'
import { isStaff } from '#platform/auth/actor.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { layout, managementAreas } from '#platform/features/layout.ts'
import { bounceMount } from './api.ts'
import { resumeMails } from './commands/outbox.ts'
import { addressPart, mailPart } from './layout.ts'
import { mailPages } from './pages.ts'
import { mailsWords } from './words.ts'

export const mails = defineFeature({
  name: 'mails',
  uses: [users, settings, guests, notifications],
  tables: ['mail_state'],
  impersonalTables: {
    mail_state: 'whether the server takes mails; reasons are stored without addresses',
  },
  reads: ['access_token', 'decision_request', 'email_failure', 'guest', 'notification', 'registration', 'user_profile'],
  words: mailsWords,
  pages: ({ config, hasMail, mailer, limiter }) =>
    mailPages({
      hasMail,
      mailer,
      tests: limiter('test-mails', 3),
      bounces: { address: config.bounceAddress, hasWebhook: config.bounceSecret !== undefined },
    }),
  mounts: ({ db, clock, site, config, limiter }) => [
    bounceMount({ db, clock, site, secret: config.bounceSecret, limiter: limiter('bounces', 20) }),
  ],
  adds: [
    accountHooks.add({ resumeMails }),
    layout.ownPart.add(addressPart, 20),
    layout.ownPart.add(mailPart, 30),
    managementAreas.add(
      {
        href: '/manage/mail/',
        group: 'technology',
        icon: 'mail',
        label: 'mails.title',
        text: 'mails.place_text',
        isFor: isStaff,
      },
      220,
    ),
  ],
  commands: [
    {
      name: 'bounce',
      summary: 'Read a report about a mail that came back from standard input, for a pipe of the mail server',
      load: async () => (await import('./cli.ts')).bounce,
    },
  ],
  sampleData: async () => (await import('./sample.ts')).loadFailedAddress,
})
