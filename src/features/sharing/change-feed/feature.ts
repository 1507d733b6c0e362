import { events } from '#features/events/events/feature.ts'
import { participations } from '#features/staffing/participations/feature.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { changesApi } from './api.ts'
import { changeFeedOf, changeTasks } from './jobs.ts'
import { changesWords } from './words.ts'

export const changeFeed = defineFeature({
  name: 'change-feed',
  uses: [events, participations],
  tables: ['change_feed', 'change', 'change_pending'],
  impersonalTables: {
    change: 'numbers of changed records and of people who see them, for a few days',
    change_feed: 'a counter',
    change_pending: 'numbers of changed records, until they are in the feed',
  },
  reads: [
    'audience',
    'event',
    'event_group_grant',
    'event_type',
    'event_user_grant',
    'group_grant',
    'journal',
    'participation',
    'profile_group_grant',
    'profile_user_grant',
    'shift',
    'user_group_member',
    'user_profile',
    'waiting_entry',
  ],
  words: changesWords,
  apiTags: {
    changes: 'The feed of what changed, as pages and as a stream.',
  },
  endpoints: changesApi,
  tasks: changeTasks,
  processes: (runtime) => [
    { runsWith: ['server', 'worker'], start: () => void changeFeedOf(runtime), stop: () => changeFeedOf(runtime).stop() },
  ],
})
