import { users } from '#features/accounts/users/feature.ts'
import { accountHooks } from '#features/accounts/users/points.ts'
import { isStaff } from '#platform/auth/actor.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { layout, managementAreas } from '#platform/features/layout.ts'
import { brandingPart } from './layout.ts'
import { instancePages } from './pages.ts'
import { settingsPage } from './points.ts'
import { getPhoneCountry, getSettings } from './queries.ts'
import { accountSettings, legalSettings, organisationSettings } from './schema/settings.ts'
import { instanceWords } from './words.ts'

export const settings = defineFeature({
  name: 'settings',
  uses: [users],
  tables: ['setting'],
  impersonalTables: {
    setting: 'settings of the organisation',
  },
  words: instanceWords,
  pages: instancePages,
  adds: [
    accountHooks.add({
      getPhoneCountry,
      isOwnNameLocked: async (db) => (await getSettings(db, accountSettings)).own_name_locked,
    }),
    settingsPage.section.add({ legend: 'instance.about', settings: organisationSettings }, 10),
    settingsPage.section.add({ legend: 'instance.accounts', settings: accountSettings }, 20),
    settingsPage.section.add({ legend: 'instance.legal', help: 'instance.legal_help', settings: legalSettings }, 90),
    layout.part.add(brandingPart, 20),
    managementAreas.add(
      {
        href: '/manage/instance/',
        group: 'instance',
        icon: 'building-2',
        label: 'manage.instance',
        text: 'manage.instance_text',
        isFor: isStaff,
      },
      100,
    ),
  ],
})
