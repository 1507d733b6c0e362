import { z } from 'zod'
import { defineManagedFlow } from './flow.ts'

/** Responsibles put people on the shift. */
export const manual = defineManagedFlow({
  slug: 'manual',
  hasRequestStage: false,
  configuration: z.looseObject({ no_selfservice_explanation: z.string().nullish() }),
  why: ({ no_selfservice_explanation }) => ({ code: 'no_self_service', explanation: no_selfservice_explanation?.trim() ?? '' }),
})
