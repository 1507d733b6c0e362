import { z } from 'zod'
import { LONGEST_PASSWORD } from '#platform/auth/passwords.ts'

const LONGEST_LINE = 1_000

/** PostgreSQL keeps no null characters. */
const line = z
  .string()
  .trim()
  .max(LONGEST_LINE, 'form.invalid')
  .refine((text) => !text.includes('\0'), 'form.invalid')

export const signInForm = z.object({
  email: line.min(1, 'form.missing'),
  // Here and not later: nothing is counted, looked up or hashed for it.
  password: z.string().min(1, 'form.missing').max(LONGEST_PASSWORD, 'sign-in.password_long'),
})
export type SignInForm = z.infer<typeof signInForm>

/** Its rules are those of every administrator; the form only says which fields there are. */
export const firstAdministratorForm = z.object({
  name: line,
  email: line,
  password: z.string().max(LONGEST_PASSWORD, 'sign-in.password_long'),
  password_again: z.string().max(LONGEST_PASSWORD, 'sign-in.password_long'),
})
export type FirstAdministratorForm = z.infer<typeof firstAdministratorForm>

export const nothing = z.object({})
