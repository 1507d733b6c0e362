import { backup } from '#features/backup/feature.ts'
import { changes } from '#features/changes/feature.ts'
import { notifications } from '#features/notifications/feature.ts'
import { pages } from '#features/pages/feature.ts'
import { people } from '#features/people/feature.ts'
import { staffing } from '#features/staffing/feature.ts'
import { users } from '#features/users/feature.ts'
import { defineFeature } from '#platform/feature.ts'

export const moving = defineFeature({
  name: 'moving',
  uses: [users, people, staffing, pages, changes, notifications, backup],
  tables: ['moved_in_row'],
})
