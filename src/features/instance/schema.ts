import { z } from 'zod'

const name = z
  .string()
  .trim()
  .max(100, 'instance.name_long')
  .refine((text) => !/\p{Cc}/u.test(text) && text.isWellFormed(), 'form.invalid')
  .default('')
const checkbox = z.preprocess((value) => value !== undefined, z.boolean())
const text = z
  .string()
  .default('')
  .transform((value) => value.replaceAll('\r\n', '\n').trim())
  .refine((value) => value.length <= 30_000, 'instance.text_long')
  .refine((value) => !value.includes('\0') && value.isWellFormed(), 'form.invalid')
const whole = (most: number, message: string) =>
  z
    .string()
    .trim()
    .default('0')
    .refine((text) => /^\d{0,5}$/.test(text) && Number(text) <= most, message)
    .transform(Number)

export const instanceForm = z.object({
  organization_name: name,
  imprint: text,
  privacy: text,
  unknown_age_blocks: checkbox,
  expiring_qualification_warns: checkbox,
  minimum_rest_hours: whole(72, 'instance.hours_invalid'),
  individual_times_tolerance_minutes: whole(1440, 'instance.minutes_invalid'),
})
export type InstanceForm = z.infer<typeof instanceForm>
export const logoForm = z.object({ logo: z.string().default('') })
export const noFields = z.object({})
