import { z } from 'zod'
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
