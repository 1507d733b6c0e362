import { users } from '#features/accounts/users/feature.ts'
import { erasing } from '#features/accounts/users/points.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { removeLinksOf } from './commands/links.ts'
import { channelsPersonalData } from './personal-data.ts'
import { channelsWords } from './words.ts'

/** Ways besides mail and push by which notifications reach people; extensions add them. */
export const channels = defineFeature({
  name: 'channels',
  uses: [users],
  tables: ['channel_link', 'channel_code'],
  reads: ['user_profile'],
  words: channelsWords,
  personalData: channelsPersonalData,
  adds: [erasing('channels', removeLinksOf)],
})
