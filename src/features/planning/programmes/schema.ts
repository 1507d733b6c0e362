import { z } from 'zod'
import { receivedFiles } from '#platform/files/upload.ts'
import { checkbox, checkboxes, date, defineForm, file, number, radios, select, text } from '#platform/ui/define-form.ts'
import { formIds, formLine, formText, formTexts } from '#platform/ui/form-schemas.ts'
import { MAX_LABEL_LENGTH, MAX_MINUTES, SPLITS } from './rules/options.ts'

export const MAX_PROGRAMME_BYTES = 10_000_000

export const sourceForm = defineForm({
  file: file({
    label: 'programme.file',
    schema: receivedFiles.default([]),
    attributes: { accept: '.xml,.json,.ics,.ical,text/xml,application/xml,application/json,text/calendar' },
  }),
  url: text({ label: 'programme.url', help: 'programme.url_help', type: 'url', schema: formLine.default('') }),
})

const minutes = z
  .string()
  .trim()
  .regex(/^\d{1,3}$/, 'programme.minutes_invalid')
  .transform(Number)
  .refine((value) => value <= MAX_MINUTES, 'programme.minutes_invalid')
const day = formText.regex(/^(\d{4}-\d\d-\d\d)?$/, 'form.invalid').default('')

export const optionsForm = defineForm({
  room: checkboxes({ label: 'programme.room', schema: formTexts }),
  track: checkboxes({ label: 'programme.track', schema: formTexts }),
  type: checkboxes({ label: 'programme.type', schema: formTexts }),
  split: radios({
    label: 'programme.split',
    options: (words) => [
      { value: 'session', label: words.t('programme.split_session') },
      { value: 'block', label: words.t('programme.split_block'), help: words.t('programme.split_block_help') },
    ],
    schema: z.enum(SPLITS, 'form.invalid'),
  }),
  gap: number({ label: 'programme.gap', min: 0, max: MAX_MINUTES, schema: minutes }),
  lead: number({ label: 'programme.lead', min: 0, max: MAX_MINUTES, schema: minutes }),
  follow_up: number({ label: 'programme.follow_up', min: 0, max: MAX_MINUTES, schema: minutes }),
  label: text({
    label: 'programme.label',
    required: 'programme.label_missing',
    max: MAX_LABEL_LENGTH,
    schema: formLine.min(1, 'programme.label_missing').max(MAX_LABEL_LENGTH, 'form.invalid'),
  }),
  from: date({ label: 'programme.from', schema: day }),
  until: date({ label: 'programme.until', schema: day }),
  pattern: select({
    label: 'programme.pattern',
    help: 'programme.pattern_help',
    placeholder: 'programme.pattern_default',
    schema: z
      .string()
      .regex(/^\d{0,15}$/, 'form.invalid')
      .default(''),
  }),
  automatic: checkbox({ label: 'programme.automatic', help: 'programme.automatic_help' }),
})

/** The choices beside the rows of the preview; ids of links. */
export const applyForm = z.object({
  seen: formText.default(''),
  overwrite: formIds,
  remove: formIds,
  again: formIds,
})
