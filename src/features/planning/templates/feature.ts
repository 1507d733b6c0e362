import { qualifications } from '#features/accounts/qualifications/feature.ts'
import { users } from '#features/accounts/users/feature.ts'
import { erasing } from '#features/accounts/users/points.ts'
import { events } from '#features/events/events/feature.ts'
import { eventPage } from '#features/events/events/points.ts'
import { planning } from '#features/planning/planning/feature.ts'
import { eventForm } from '#features/planning/planning/points.ts'
import { series } from '#features/planning/series/feature.ts'
import { shiftForms } from '#features/planning/shift-forms/feature.ts'
import { staffing } from '#features/staffing/staffing/feature.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { removeFromTemplates } from './commands/templates.ts'
import { cleanTemplates } from './jobs.ts'
import { templatePages } from './pages.ts'
import { templatesPersonalData } from './personal-data.ts'
import { templatesWords } from './words.ts'

export const templates = defineFeature({
  name: 'templates',
  uses: [qualifications, users, staffing, events, shiftForms, planning, series],
  tables: ['event_template', 'event_template_user'],
  impersonalTables: {
    event_template: 'what planners wrote',
  },
  reads: ['event_type', 'qualification', 'question', 'setting', 'user_group', 'user_profile'],
  words: templatesWords,
  personalData: templatesPersonalData,
  pages: templatePages,
  tasks: ({ db, clock }) => [
    { name: 'empty_template_bin', schedule: '47 3 * * *', run: () => cleanTemplates(db.write, clock.now()) },
  ],
  adds: [
    eventForm.start.add({ href: '/planning/templates/', label: 'plan.from_template', icon: 'layers' }),
    eventPage.action.add(
      {
        href: (id) => `/events/${id}/template/`,
        task: 'plan',
        label: 'plan.act.template',
        icon: 'layers',
        isFor: (_event, actor) => hasPermission(actor, 'add_event'),
      },
      50,
    ),
    erasing('responsibilities in templates', removeFromTemplates),
  ],
  sampleData: async () => (await import('./sample.ts')).loadTemplate,
})
