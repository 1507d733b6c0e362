import { users } from '#features/accounts/users/feature.ts'
import { erasing, redacting } from '#features/accounts/users/points.ts'
import { transact } from '#platform/db/transaction.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { deleteRemovedOf, redactRemoved } from './commands/people.ts'
import { deleteOldRemovals } from './commands/store.ts'
import { removedShiftsPersonalData } from './personal-data.ts'

export const removedShifts = defineFeature({
  name: 'removed-shifts',
  uses: [users],
  tables: ['removed_shift', 'removed_participation', 'removed_row'],
  reads: ['user_profile'],
  readsAbove: {
    event: 'the export of personal data names the event of a removed shift',
    participation: 'participations are stored with their shift',
    shift: 'a removed shift is stored',
  },
  personalData: removedShiftsPersonalData,
  tasks: ({ db, clock }) => [
    {
      name: 'delete_removed_shifts',
      schedule: '17 * * * *',
      run: () => transact(db.write, (tx) => deleteOldRemovals(tx, clock.now())),
    },
  ],
  adds: [
    erasing('removed shifts', deleteRemovedOf),
    redacting('removed shifts that name others', (tx, { pattern, replacement }) => redactRemoved(tx, pattern, replacement)),
  ],
})
