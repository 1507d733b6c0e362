import { z } from 'zod'
import { checkbox, defineForm, hidden, text, textarea } from '#platform/ui/define-form.ts'
import { formLine, formLines } from '#platform/ui/form-schemas.ts'

const MAX_LENGTH = 250
const MAX_CONTENT_LENGTH = 100_000

export const contentPageForm = defineForm({
  title: text({
    label: 'pages.title',
    required: true,
    attributes: { maxlength: MAX_LENGTH },
    schema: formLine.min(1, 'pages.title_missing').max(MAX_LENGTH, 'pages.title_long').default(''),
  }),
  slug: text({
    label: 'pages.slug',
    help: 'pages.slug_help',
    attributes: { maxlength: MAX_LENGTH, autocapitalize: 'none', spellcheck: 'false' },
    schema: formLine
      .max(MAX_LENGTH, 'pages.title_long')
      .refine((value) => value === '' || /^[\p{L}\p{N}]+([-_][\p{L}\p{N}]+)*$/u.test(value), 'pages.slug_invalid')
      .default(''),
  }),
  content: textarea({
    label: 'pages.content',
    help: 'pages.content_help',
    rows: 16,
    schema: formLines.refine((value) => value.length <= MAX_CONTENT_LENGTH, 'pages.content_long').default(''),
  }),
  is_public: checkbox({ label: 'pages.is_public', help: 'pages.is_public_help' }),
  in_footer: checkbox({ label: 'pages.in_footer', help: 'pages.in_footer_help' }),
  /** The version of the page that the form shows. */
  version: hidden(
    z
      .string()
      .regex(/^\d{0,9}$/, 'form.invalid')
      .default('0')
      .transform(Number),
  ),
})
export type ContentPageForm = z.infer<typeof contentPageForm.schema>
