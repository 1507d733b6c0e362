import { z } from 'zod'
import { MAX_ASSISTANT_DAYS } from '#features/access/tokens/rules.ts'
import { checkboxes, defineForm, radios, text } from '#platform/ui/define-form.ts'
import { formText, formTexts } from '#platform/ui/form-schemas.ts'

/** Where assistants connect. */
export const MCP = '/mcp/'

/** In days. */
export const LIFETIMES = [1, MAX_ASSISTANT_DAYS]

export const assistantTokenForm = defineForm({
  description: text({
    label: 'assistant.description',
    help: 'assistant.description_help',
    required: true,
    attributes: { maxlength: 1000, autocomplete: 'off' },
    schema: formText.max(1000, 'token.long_description'),
  }),
  scope: checkboxes({ label: 'assistant.scopes', help: 'assistant.scopes_help', schema: formTexts }),
  lifetime: radios({ label: 'assistant.lifetime', schema: z.coerce.number<string>('form.invalid') }),
})
