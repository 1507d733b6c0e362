import { qualifications } from '#features/accounts/qualifications/feature.ts'
import { qualificationHooks } from '#features/accounts/qualifications/points.ts'
import { users } from '#features/accounts/users/feature.ts'
import { accountHooks } from '#features/accounts/users/points.ts'
import { buildingBlocks } from '#features/events/building-blocks/feature.ts'
import { blockHooks } from '#features/events/building-blocks/points.ts'
import { removedShifts } from '#features/planning/removed-shifts/feature.ts'
import { shiftRows } from '#features/planning/removed-shifts/points.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { updateLeftGroups } from './commands/place-basis.ts'
import { markShiftsOfBlocks, markShiftsOfPeople, markShiftsOfQualifications } from './commands/statistics.ts'
import { recomputeStatistics } from './jobs.ts'
import { staffingPersonalData } from './personal-data.ts'
import { findShiftIdsOfBlocks } from './queries/staffing.ts'
import { staffingWords } from './words.ts'

export const staffing = defineFeature({
  name: 'staffing',
  uses: [removedShifts, qualifications, users, buildingBlocks],
  tables: ['place_basis'],
  writes: ['shift'],
  reads: [
    'group_permission',
    'qualification',
    'qualification_closure',
    'qualification_grant',
    'user_group_member',
    'user_permission',
    'user_profile',
  ],
  readsAbove: {
    visitor_qualification: 'statistics count who is confirmed and what they can do',
    guest_qualification: 'statistics count who is confirmed and what they can do',
    participation: 'statistics count who is confirmed and what they can do',
    waiting_entry: 'a place that is offered to the waiting list is not free',
    event: 'the event row is the lock of its shifts',
    event_type_required_qualification: 'a place counts while its person holds what the event type requires',
    event_group_grant: 'a place counts while its person is in the audience of the event',
    event_user_grant: 'a place counts while its person is in the audience of the event',
  },
  words: staffingWords,
  personalData: staffingPersonalData,
  tasks: ({ db }) => [{ name: 'recompute_statistics', schedule: '* * * * *', run: () => recomputeStatistics(db.write) }],
  adds: [
    shiftRows.add({ table: 'place_basis', column: 'participation_id', of: 'participation' }),
    accountHooks.add({ onQualificationsChanged: markShiftsOfPeople, onMembershipsChanged: updateLeftGroups }),
    qualificationHooks.add({ markShiftsStale: markShiftsOfQualifications }),
    blockHooks.add({ findShiftIds: findShiftIdsOfBlocks, markShiftsStale: markShiftsOfBlocks }),
  ],
})
