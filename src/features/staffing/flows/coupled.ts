import { z } from 'zod'
import { defineManagedFlow } from './flow.ts'

export const coupledConfiguration = z.looseObject({ leader_shift_id: z.int().nullish() })

/** Whoever takes part in the leading shift takes part here, in the same state. */
export const coupled = defineManagedFlow({
  slug: 'coupled',
  hasRequestStage: true,
  configuration: coupledConfiguration,
  why: ({ leader_shift_id }) => ({ code: leader_shift_id == null ? 'leader_missing' : 'follows_other_shift' }),
})
