import { z } from 'zod'

/** Base64url without padding, as browsers give the keys of a subscription. */
const keyOf = (bytes: number) =>
  z.string().refine((value) => /^[\w-]+$/.test(value) && Buffer.from(value, 'base64url').length === bytes)

/** A subscription of the browser (Push API): where to send messages, and the keys that encrypt them (RFC 8291). */
export const pushSubscriptionForm = z.object({
  endpoint: z
    .string()
    .max(2000)
    .refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)),
  p256dh: keyOf(65),
  auth: keyOf(16),
})
export type PushSubscriptionForm = z.infer<typeof pushSubscriptionForm>
