import { missing, type PersonalTable } from '#platform/db/personal-table.ts'

export const templatesPersonalData: readonly PersonalTable[] = [
  {
    table: 'event_template_user',
    column: 'user_id',
    export: {
      section: 'responsible_in_templates',
      adds: { template: '(select m.name from event_template m where m.id = t.template_id)' },
    },
    merge: missing('template_id'),
    erased: 'deleted',
  },
]
