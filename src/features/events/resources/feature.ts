import { sql } from 'kysely'
import { users } from '#features/accounts/users/feature.ts'
import { events } from '#features/events/events/feature.ts'
import { eventPage } from '#features/events/events/points.ts'
import { removedShifts } from '#features/planning/removed-shifts/feature.ts'
import { shiftRows } from '#features/planning/removed-shifts/points.ts'
import { series } from '#features/planning/series/feature.ts'
import { copyHooks } from '#features/planning/series/points.ts'
import { templates } from '#features/planning/templates/feature.ts'
import { templateParts } from '#features/planning/templates/points.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { managementAreas } from '#platform/features/layout.ts'
import { resourcesApi } from './api.ts'
import { copyResources, resourceTemplate } from './commands.ts'
import { resourcePages } from './pages/routes.ts'
import { resourcesWords } from './words.ts'

export const resources = defineFeature({
  name: 'resources',
  module: {
    name: 'resources',
    icon: 'truck',
    presets: ['brigade', 'medical'],
    countUses: () => sql`select count(*)::int from resource`,
  },
  uses: [removedShifts, users, events, series, templates],
  tables: ['resource_category', 'resource', 'shift_resource'],
  impersonalTables: {
    resource: 'vehicles and rooms',
    resource_category: 'vehicles and rooms',
    shift_resource: 'resources of shifts',
  },
  reads: ['event', 'shift'],
  words: resourcesWords,
  pages: resourcePages,
  apiTags: {
    resources: 'Vehicles, rooms and material.',
  },
  endpoints: resourcesApi,
  adds: [
    shiftRows.add({ table: 'shift_resource', column: 'shift_id', of: 'shift' }),
    eventPage.shiftAction.add(
      { path: 'resources/', label: 'resources.choose', icon: 'truck', isFor: ({ mayChange }) => mayChange },
      40,
    ),
    copyHooks.add((tx, _context, _ids, shifts) => copyResources(tx, shifts)),
    templateParts.add(resourceTemplate),
    managementAreas.add(
      {
        href: '/manage/resources/',
        group: 'events',
        icon: 'truck',
        label: 'resources.list',
        text: 'resources.place_text',
        isFor: (actor) => hasPermission(actor, 'view_resource'),
      },
      140,
    ),
  ],
  sampleData: async () => (await import('./sample.ts')).loadResources,
})
