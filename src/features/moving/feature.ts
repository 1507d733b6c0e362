import { auditLog } from '#features/audit-log/feature.ts'
import { backup } from '#features/backup/feature.ts'
import { buildingBlocks } from '#features/building-blocks/feature.ts'
import { changes } from '#features/changes/feature.ts'
import { events } from '#features/events/feature.ts'
import { files } from '#features/files/feature.ts'
import { hours } from '#features/hours/feature.ts'
import { identityProviders } from '#features/identity-providers/feature.ts'
import { inbox } from '#features/inbox/feature.ts'
import { notifications } from '#features/notifications/feature.ts'
import { pages } from '#features/pages/feature.ts'
import { people } from '#features/people/feature.ts'
import { planning } from '#features/planning/feature.ts'
import { qualifications } from '#features/qualifications/feature.ts'
import { questionnaires } from '#features/questionnaires/feature.ts'
import { requests } from '#features/requests/feature.ts'
import { resources } from '#features/resources/feature.ts'
import { staffing } from '#features/staffing/feature.ts'
import { users } from '#features/users/feature.ts'
import { defineFeature } from '#platform/feature.ts'

export const moving = defineFeature({
  name: 'moving',
  uses: [
    users,
    qualifications,
    people,
    identityProviders,
    buildingBlocks,
    staffing,
    events,
    questionnaires,
    planning,
    requests,
    hours,
    files,
    resources,
    pages,
    auditLog,
    notifications,
    inbox,
    changes,
    backup,
  ],
  tables: ['moved_in_row'],
})
