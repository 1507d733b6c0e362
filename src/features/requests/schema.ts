import { z } from 'zod'
import { formLines } from '#platform/ui/form-schemas.ts'

const MAX_COMMENT_LENGTH = 1000

export const decisionForm = z.object({
  decision: z.enum(['grant', 'refuse']),
  comment: formLines.refine((value) => value.length <= MAX_COMMENT_LENGTH, 'requests.comment_long').default(''),
  /** The page with the buttons, to return to. */
  from: z.enum(['home', 'requests']).default('requests'),
})
