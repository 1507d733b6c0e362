import { signIn } from '#features/access/sign-in/feature.ts'
import { tokens } from '#features/access/tokens/feature.ts'
import { users } from '#features/accounts/users/feature.ts'
import { accountHooks, erasing } from '#features/accounts/users/points.ts'
import { isStaff } from '#platform/auth/actor.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { accountPages, managementAreas } from '#platform/features/layout.ts'
import { oncePerRuntime } from '#platform/features/runtime.ts'
import { oauthServer } from './api/server.ts'
import { deleteConsentsOf, revokeGrantsOf } from './commands/consents.ts'
import { oauthTasks } from './jobs.ts'
import { applicationPages } from './pages/applications.ts'
import { authorizedApplicationPages } from './pages/authorized-applications.ts'
import { consentPages } from './pages/consent.ts'
import { devicePage } from './pages/devices.ts'
import { endSessionPage } from './pages/end-session.ts'
import { oauthPersonalData } from './personal-data.ts'
import { oauthWords } from './words.ts'

/** A code has eight letters of twenty and works for ten minutes. */
const WRONG_CODES_PER_MINUTE = 10

/** Pages, routes and CORS rules of one authorization server. */
const serverOf = oncePerRuntime((runtime) =>
  oauthServer({
    ...runtime,
    limiter: runtime.limiter('token', 20),
    refreshGraceSeconds: runtime.config.refreshGraceSeconds,
  }),
)

export const oauth = defineFeature({
  name: 'oauth',
  uses: [users, tokens, signIn],
  tables: ['oauth_application', 'oauth_grant', 'oauth_object', 'oauth_consent', 'oauth_signing_key'],
  impersonalTables: {
    oauth_signing_key: 'keys of the instance',
  },
  reads: ['access_token', 'session', 'user_group', 'user_group_member', 'user_profile'],
  words: oauthWords,
  personalData: oauthPersonalData,
  pages: (runtime) => [
    ...applicationPages,
    ...authorizedApplicationPages,
    ...consentPages(serverOf(runtime).provider),
    devicePage(serverOf(runtime).provider, runtime.limiter('device code', WRONG_CODES_PER_MINUTE)),
    endSessionPage,
  ],
  mounts: (runtime) => [serverOf(runtime).mount],
  cors: (runtime) => [serverOf(runtime).cors],
  tasks: oauthTasks,
  adds: [
    accountHooks.add({ revokeTokens: (tx, { now }, userId) => revokeGrantsOf(tx, userId, now) }),
    erasing('consents', deleteConsentsOf),
    accountPages.add({ href: '/settings/applications/', label: 'settings.applications', icon: 'link', isFolded: true }, 110),
    managementAreas.add(
      {
        href: '/manage/applications/',
        group: 'technology',
        icon: 'network',
        label: 'manage.applications',
        text: 'manage.applications_text',
        isFor: isStaff,
      },
      210,
    ),
  ],
})
