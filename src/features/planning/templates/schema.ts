import { z } from 'zod'
import { STARTERS } from './rules/starters.ts'

export const starterForm = z.object({ starter: z.enum(STARTERS) })
