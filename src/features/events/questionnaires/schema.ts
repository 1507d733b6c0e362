import { z } from 'zod'
import { checkbox, defineForm, hidden, radios, text, textarea } from '#platform/ui/define-form.ts'
import { formLine, formLines } from '#platform/ui/form-schemas.ts'

const line = (max: number) =>
  formLine
    .min(1, 'form.missing')
    .refine((value) => [...value].length <= max, 'questions.too_long')
    .default('')

export const questionForm = defineForm({
  name: text({
    label: 'questions.name',
    help: 'questions.name_help',
    required: true,
    attributes: { maxlength: 50 },
    schema: line(50),
  }),
  text: text({
    label: 'questions.text',
    help: 'questions.text_help',
    required: true,
    attributes: { maxlength: 250 },
    schema: line(250),
  }),
  description: textarea({
    label: 'questions.description',
    help: 'questions.description_help',
    rows: 2,
    attributes: { maxlength: 1000 },
    schema: formLines.refine((value) => [...value].length <= 1000, 'questions.too_long').default(''),
  }),
  kind: radios({
    label: 'questions.kind',
    required: true,
    schema: z.enum(['text', 'single', 'multiple'], 'questions.kind_missing'),
  }),
  choices: textarea({
    label: 'questions.choices',
    help: 'questions.choices_help',
    rows: 5,
    schema: formLines.refine((value) => value.length <= 20_000, 'questions.choices_many').default(''),
  }),
  required: checkbox({ label: 'questions.required', help: 'questions.required_help' }),
  use_saved_answers: checkbox({ label: 'questions.use_saved_answers', help: 'questions.use_saved_answers_help' }),
  version: hidden(
    z
      .string()
      .regex(/^\d{0,9}$/, 'form.invalid')
      .default('0')
      .transform(Number),
  ),
})
export type QuestionForm = z.infer<typeof questionForm.schema>

export const archiveForm = z.object({ archived: z.enum(['0', '1']).transform((value) => value === '1') })

/** Answers have computed names, so the rules read their values. */
export const savedAnswersForm = z.record(z.string(), z.union([z.string(), z.array(z.string())]))
