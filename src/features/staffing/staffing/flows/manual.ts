import { z } from 'zod'
import { defineManagedFlow } from './flow.ts'

/** Only responsibles add people to the shift. */
export const manual = defineManagedFlow({
  slug: 'manual',
  hasRequestStage: false,
  configuration: z.looseObject({ no_selfservice_explanation: z.string().nullish() }),
  reason: ({ no_selfservice_explanation }) => ({
    code: 'no_self_service',
    explanation: no_selfservice_explanation?.trim() ?? '',
  }),
})
