import { sql } from 'kysely'
import { secondFactor } from '#features/access/second-factor/feature.ts'
import { signIn } from '#features/access/sign-in/feature.ts'
import { otherWays } from '#features/access/sign-in/points.ts'
import { people } from '#features/accounts/people/feature.ts'
import { users } from '#features/accounts/users/feature.ts'
import { erasing } from '#features/accounts/users/points.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { isStaff } from '#platform/auth/actor.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { managementAreas } from '#platform/features/layout.ts'
import { deleteExpiredStates, deleteIdentitiesOf } from './commands/links.ts'
import { groupMappingPages } from './pages/groups.ts'
import { providerManagePages } from './pages/manage.ts'
import { providerSignInPages, providerWays } from './pages/sign-in.ts'
import { identityProvidersPersonalData } from './personal-data.ts'
import { identityProvidersWords } from './words.ts'

export const identityProviders = defineFeature({
  name: 'identity-providers',
  module: {
    name: 'identity_providers',
    icon: 'log-in',
    presets: [],
    countUses: () => sql`select count(*)::int from identity_provider`,
  },
  uses: [users, people, settings, secondFactor, signIn],
  tables: [
    'identity_provider',
    'identity_provider_group',
    'identity_provider_group_value',
    'identity_provider_withheld_group',
    'external_identity',
    'external_session',
    'used_sign_in_state',
  ],
  impersonalTables: {
    identity_provider: 'settings',
    identity_provider_group: 'settings',
    identity_provider_group_value: 'settings',
    identity_provider_withheld_group: 'settings',
    used_sign_in_state: 'hashes, for some minutes',
  },
  reads: ['qualification', 'user_group', 'user_profile'],
  words: identityProvidersWords,
  personalData: identityProvidersPersonalData,
  pages: (runtime) => [
    ...providerSignInPages({ outbound: runtime.outbound(), limiter: runtime.limiter('sign-in', 20) }),
    ...providerManagePages({ outbound: runtime.outbound() }),
    ...groupMappingPages,
  ],
  tasks: ({ db, clock }) => [
    { name: 'clean_up_sign_in_states', schedule: '19 3 * * *', run: () => deleteExpiredStates(db.write, clock.now()) },
  ],
  adds: [
    otherWays.add(({ outbound }) => providerWays(outbound())),
    erasing('identities', deleteIdentitiesOf),
    managementAreas.add(
      {
        href: '/manage/identity-providers/',
        group: 'technology',
        icon: 'log-in',
        label: 'identity.list',
        text: 'identity.place_text',
        isFor: isStaff,
      },
      200,
    ),
  ],
})
