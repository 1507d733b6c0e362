import { z } from 'zod'
import { formIds } from '#platform/http/form-ids.ts'

const text = z.string().refine((value) => !value.includes('\0'), 'form.invalid')

const title = text.trim().min(1, 'event_type.title_missing').max(254, 'event_type.title_long')

/** Asks for no more than a name; everything else has a default and a page of its own. */
export const newEventTypeForm = z.object({ title })

export const eventTypeForm = z.object({
  title,
  color: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, 'event_type.color_wrong')
    .transform((value) => value.toLowerCase()),
  show_participant_data: z.enum(['0', '1', '2', '3'], 'form.invalid').transform(Number),
  default_description: text
    .max(20_000, 'event_type.description_long')
    .default('')
    .transform((value) => value.replaceAll('\r\n', '\n').trim() || null),
  audience: z.enum(['all', 'chosen'], 'form.invalid'),
  audience_groups: formIds,
  responsible_groups: formIds,
  responsible_users: formIds,
  add_responsible: text.max(2000, 'form.invalid').default(''),
  required_qualifications: formIds,
  version: z
    .string()
    .regex(/^\d{1,9}$/, 'form.invalid')
    .transform(Number),
})
export type EventTypeForm = z.infer<typeof eventTypeForm>

export const moveEventsForm = z.object({
  to: z
    .string('event_type.move_missing')
    .regex(/^\d{1,15}$/, 'event_type.move_missing')
    .transform(Number),
})

export const nothing = z.object({})
