import { z } from 'zod'

/** The ids of copies, as ranges. */
export const copiesForm = z.object({ ids: z.string().max(20_000) })
