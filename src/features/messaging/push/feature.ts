import { users } from '#features/accounts/users/feature.ts'
import { accountHooks } from '#features/accounts/users/points.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { homePage } from '#platform/features/home.ts'
import { removePushDevicesOf } from './commands/devices.ts'
import { pushPages } from './pages.ts'
import { pushPersonalData } from './personal-data.ts'
import { pushOfferView } from './views.ts'
import { pushWords } from './words.ts'

export const push = defineFeature({
  name: 'push',
  uses: [users],
  tables: ['push_device', 'push_key'],
  impersonalTables: {
    push_key: 'keys of the instance',
  },
  reads: ['user_profile'],
  words: pushWords,
  personalData: pushPersonalData,
  pages: ({ db, clock, outbound }) => pushPages({ db, clock, outbound: outbound() }),
  adds: [accountHooks.add({ endSessions: removePushDevicesOf }), homePage.offer.add(pushOfferView)],
})
