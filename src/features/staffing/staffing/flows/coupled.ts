import { z } from 'zod'
import { defineManagedFlow } from './flow.ts'

const coupledConfiguration = z.looseObject({ leader_shift_id: z.int().nullish() })

/** Participants of the leading shift take part in this one, in the same state. */
export const coupled = defineManagedFlow({
  slug: 'coupled',
  hasRequestStage: true,
  configuration: coupledConfiguration,
  reason: ({ leader_shift_id }) => ({ code: leader_shift_id == null ? 'leader_missing' : 'follows_other_shift' }),
})
