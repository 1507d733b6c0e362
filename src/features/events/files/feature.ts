import { sql } from 'kysely'
import { users } from '#features/accounts/users/feature.ts'
import { events } from '#features/events/events/feature.ts'
import { eventPage } from '#features/events/events/points.ts'
import { series } from '#features/planning/series/feature.ts'
import { copyHooks } from '#features/planning/series/points.ts'
import { templates } from '#features/planning/templates/feature.ts'
import { templateParts } from '#features/planning/templates/points.ts'
import { eligibility } from '#features/staffing/eligibility/feature.ts'
import { participations } from '#features/staffing/participations/feature.ts'
import { participantMounts } from '#features/staffing/participations/points.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { managementAreas } from '#platform/features/layout.ts'
import { attachmentTemplate, copyAttachments } from './commands.ts'
import { downloadPageAt } from './pages/downloads.ts'
import { filesSection } from './pages/event-files.ts'
import { filePages } from './pages/routes.ts'
import { filesPersonalData } from './personal-data.ts'
import { eventFilesPath } from './rules.ts'
import { filesWords } from './words.ts'

export const files = defineFeature({
  name: 'files',
  module: {
    name: 'files',
    icon: 'paperclip',
    presets: ['brigade', 'medical', 'club', 'festival', 'other'],
    countUses: () => sql`select count(distinct event_id)::int from event_attachment`,
  },
  uses: [users, events, eligibility, participations, series, templates],
  tables: ['attachment', 'event_attachment'],
  impersonalTables: {
    event_attachment: 'which file belongs to which event',
  },
  reads: ['event', 'user_profile'],
  words: filesWords,
  personalData: filesPersonalData,
  pages: ({ files, config, site }) => [
    ...filePages({ files, ...config.fileLimits }),
    ...site.added(participantMounts).map(downloadPageAt(files)),
  ],
  adds: [
    eventPage.section.add({ show: filesSection, isForAll: true }),
    eventPage.action.add(
      { href: eventFilesPath, task: 'plan', label: 'files.add', icon: 'paperclip', isFor: ({ mayChange }) => mayChange },
      40,
    ),
    copyHooks.add((tx, _context, ids) => copyAttachments(tx, ids)),
    templateParts.add(attachmentTemplate),
    managementAreas.add(
      {
        href: '/manage/files/',
        group: 'events',
        icon: 'paperclip',
        label: 'files.title',
        text: 'files.place_text',
        isFor: (actor) => hasPermission(actor, 'change_file'),
      },
      160,
    ),
  ],
  sampleData: async () => (await import('./sample.ts')).loadFiles,
})
