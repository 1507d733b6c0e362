import { people } from '#features/accounts/people/feature.ts'
import { personPage } from '#features/accounts/people/points.ts'
import { users } from '#features/accounts/users/feature.ts'
import { erasing } from '#features/accounts/users/points.ts'
import { notificationKinds } from '#features/messaging/notification-kinds/feature.ts'
import { notificationKind } from '#features/messaging/notification-kinds/points.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { isStaff } from '#platform/auth/actor.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { layout, managementAreas } from '#platform/features/layout.ts'
import { deleteFactorsOf, deleteRequirementOf } from './commands/factors.ts'
import { accountSecurity } from './kinds/account-security.ts'
import { factorPart } from './layout.ts'
import { manageFactorPages, personFactorSection } from './pages/manage.ts'
import { ownFactorPages } from './pages/own.ts'
import { secondFactorPersonalData } from './personal-data.ts'
import { secondFactorWords } from './words.ts'

export const secondFactor = defineFeature({
  name: 'second-factor',
  uses: [notificationKinds, users, people, settings],
  tables: [
    'totp_factor',
    'recovery_code',
    'passkey',
    'used_passkey_challenge',
    'trusted_device',
    'second_factor_policy',
    'second_factor_group',
    'second_factor_duty',
  ],
  impersonalTables: {
    second_factor_group: 'groups',
    second_factor_policy: 'settings',
    used_passkey_challenge: 'hashes, for some minutes',
  },
  reads: ['user_group', 'user_group_member', 'user_profile'],
  words: secondFactorWords,
  personalData: secondFactorPersonalData,
  pages: [...ownFactorPages, ...manageFactorPages],
  adds: [
    notificationKind.add(accountSecurity, 150),
    erasing('second factors', deleteFactorsOf),
    erasing('requirement of a second factor', deleteRequirementOf),
    personPage.section.add(personFactorSection, 20),
    layout.ownPart.add(factorPart, 10),
    managementAreas.add(
      {
        href: '/manage/second-factor/',
        group: 'instance',
        icon: 'shield-check',
        label: 'factor.place',
        text: 'factor.place_text',
        isFor: isStaff,
      },
      190,
    ),
  ],
  commands: [
    {
      name: 'reset-factor',
      summary: 'Remove the second factors of a person who has lost them, also of the last administrator',
      load: async () => (await import('./cli.ts')).resetFactor,
    },
  ],
})
