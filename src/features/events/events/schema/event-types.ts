import { z } from 'zod'
import { checkboxes, defineForm, hidden, radios, select, text, textarea } from '#platform/ui/define-form.ts'
import { formId, formLines, formText } from '#platform/ui/form-schemas.ts'

const title = {
  label: 'event_type.title',
  required: 'event_type.title_missing',
  max: 254,
  tooLong: 'event_type.title_long',
} as const

/** Asks only for the title: everything else has a default and is changed on the type's own page. */
export const newEventTypeForm = defineForm({
  title: text({ ...title, help: 'event_type.new_help', attributes: { autofocus: true } }),
})

export const PARTICIPANT_DATA_MODES = [0, 1, 2, 3] as const

export const eventTypeForm = defineForm({
  version: hidden(
    z
      .string()
      .regex(/^\d{1,9}$/, 'form.invalid')
      .transform(Number),
  ),
  title: text(title),
  color: text({
    type: 'color',
    label: 'event_type.color',
    help: 'event_type.color_help',
    schema: z
      .string()
      .regex(/^#[0-9a-f]{6}$/i, 'event_type.color_wrong')
      .transform((value) => value.toLowerCase()),
  }),
  show_participant_data: radios({
    label: 'event_type.shows',
    help: 'event_type.shows_help',
    options: (words) => PARTICIPANT_DATA_MODES.map((mode) => ({ value: mode, label: words.t(`event_type.shows_${mode}`) })),
    schema: z.enum(['0', '1', '2', '3'], 'form.invalid').transform(Number),
  }),
  required_qualifications: checkboxes({ label: 'event_type.required', help: 'event_type.required_help' }),
  default_description: textarea({
    label: 'event_type.description',
    help: 'event_type.description_help',
    rows: 5,
    schema: formText
      .max(20_000, 'event_type.description_long')
      .default('')
      .pipe(formLines)
      .transform((value) => value || null),
  }),
  audience: radios({
    label: 'event_type.audience',
    options: (words) => [
      { value: 'all', label: words.t('event_type.audience_all') },
      { value: 'chosen', label: words.t('event_type.audience_chosen') },
    ],
    schema: z.enum(['all', 'chosen'], 'form.invalid'),
  }),
  audience_groups: checkboxes({ label: 'event_type.audience_groups' }),
  responsible_groups: checkboxes({ label: 'event_type.responsible_groups' }),
  responsible_users: checkboxes({ label: 'event_type.responsible_users' }),
  add_responsible: text({
    label: 'event_type.add_responsible',
    help: 'event_type.add_responsible_help',
    attributes: { autocomplete: 'off' },
    schema: formText.max(2000, 'form.invalid').default(''),
  }),
})
export type EventTypeInput = z.infer<typeof eventTypeForm.schema>

export const moveEventsForm = defineForm({
  to: select({ label: 'event_type.move_to', required: true, schema: formId('event_type.move_missing') }),
})

const ids = z.array(z.int())
const WITH_PERMISSION = 'null without the permission to view event types'

export const eventTypeRecord = z
  .strictObject({
    id: z.int(),
    title: z.string(),
    color: z.string().describe('Six hexadecimal digits after #'),
    show_participant_data: z
      .int()
      .min(0)
      .max(3)
      .describe(
        'Who sees the participants: 0 everybody who sees the event, 1 confirmed participants, 2 responsibles, 3 also visitors of partners',
      ),
    default_description: z.string().nullable(),
    required_qualifications: ids.describe('Ids; participants need all of them'),
    visible_for_all_groups: z.boolean().describe('New events are shown to all groups'),
    audience_groups: ids.nullable().describe(`Ids of the groups that see new events; ${WITH_PERMISSION}`),
    responsible_groups: ids.nullable().describe(`Ids of the groups that are responsible for new events; ${WITH_PERMISSION}`),
    responsible_users: ids.nullable().describe(`Ids of the people who are responsible for new events; ${WITH_PERMISSION}`),
    archived_at: z.iso.datetime({ offset: true }).nullable().describe('null: offered for new events'),
  })
  .meta({
    id: 'EventType',
    examples: [
      {
        id: 2,
        title: 'Race',
        color: '#343a40',
        show_participant_data: 0,
        default_description: null,
        required_qualifications: [4],
        visible_for_all_groups: true,
        audience_groups: [],
        responsible_groups: [3],
        responsible_users: [],
        archived_at: null,
      },
    ],
  })
