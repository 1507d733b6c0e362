import { z } from 'zod'
import { defineSettings, onOff, line as textLine } from '#features/operations/settings/schema/define-settings.ts'
import { checkbox, date, defineForm, text } from '#platform/ui/define-form.ts'
import { formId, formLine } from '#platform/ui/form-schemas.ts'

const line = formLine.max(254, 'people.too_long')

export const childForm = defineForm({
  name: text({
    label: 'families.name',
    required: true,
    attributes: { autocomplete: 'off' },
    schema: line.min(1, 'people.name_missing'),
  }),
  date_of_birth: date({
    label: 'families.birth_date',
    help: 'families.birth_date_help',
    schema: line
      .default('')
      .refine((value) => !value || (z.iso.date().safeParse(value).success && value >= '1900-01-01'), 'people.day_invalid')
      .transform((value) => value || null),
  }),
})

export const guardianForm = defineForm({
  guardian: text({
    label: 'families.guardian',
    help: 'families.guardian_help',
    required: true,
    attributes: { autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false' },
    schema: line.min(1, 'families.guardian_missing'),
  }),
})
export const endForm = z.object({ guardian: formId() })

export const calendarForm = defineForm({
  in_calendar: checkbox({ label: 'families.in_calendar', help: 'families.in_calendar_help' }),
})

/** What families can do. */
export const familySettings = defineSettings({
  people_add_children: onOff({
    label: 'instance.people_add_children',
    help: 'instance.people_add_children_help',
  }),
  children_group: textLine({
    label: 'instance.children_group',
    help: 'instance.children_group_help',
    maxLength: 150,
    tooLong: 'form.invalid',
  }),
  guardianship_stays: onOff({
    label: 'instance.guardianship_stays',
    help: 'instance.guardianship_stays_help',
  }),
})
