import { z } from 'zod'

/** The job that sends one mail with the notifications of one recipient. */
export const SEND_TASK = 'send_notifications'

const id = z.int().positive()
/** Payload of the job. */
export const delivery = z.object({ person: z.object({ kind: z.enum(['user', 'guest', 'visitor']), id }), bundle: z.string() })
export type Delivery = z.infer<typeof delivery>
export type Recipient = Delivery['person']
