import { files } from '#features/events/files/feature.ts'
import { mails } from '#features/messaging/mails/feature.ts'
import { notifications } from '#features/messaging/notifications/feature.ts'
import { backup } from '#features/operations/backup/feature.ts'
import { extensions } from '#features/operations/extensions/feature.ts'
import { federation } from '#features/sharing/federation/feature.ts'
import { staffing } from '#features/staffing/staffing/feature.ts'
import { isStaff } from '#platform/auth/actor.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { managementAreas } from '#platform/features/layout.ts'
import { statusPages } from './pages.ts'
import { statusWords } from './words.ts'

export const status = defineFeature({
  name: 'status',
  uses: [staffing, federation, files, notifications, mails, backup, extensions],
  reads: [
    'extension_setting',
    'federated_guest',
    'federated_host',
    'guest',
    'guest_share',
    'identity_provider',
    'invite_code',
    'join_link',
    'oauth_signing_key',
    'private_calendar',
    'totp_factor',
    'user_profile',
  ],
  words: statusWords,
  pages: statusPages,
  adds: [
    managementAreas.add(
      {
        href: '/manage/status/',
        group: 'technology',
        icon: 'activity',
        label: 'status.title',
        text: 'status.place_text',
        isFor: isStaff,
      },
      210,
    ),
  ],
  commands: [
    {
      name: 'doctor',
      summary: 'Say what is wrong with this instance, as its page /manage/status/ does; exit code 1 if there are findings',
      load: async () => (await import('./cli.ts')).doctor,
    },
  ],
})
