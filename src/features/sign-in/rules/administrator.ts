import { judgePassword, type PasswordRefusal } from './passwords.ts'

export const LONGEST_NAME = 254
export const LONGEST_EMAIL = 254
export type NewAdministrator = { name: string; email: string; password: string }
export type AdministratorRefusal = 'name_missing' | 'name_long' | 'email_missing' | 'email_invalid' | PasswordRefusal

export const isEmail = (text: string): boolean =>
  text.length <= LONGEST_EMAIL && /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(text) && text.isWellFormed()

/** All reasons at once; none: they can be created. Name and address without blanks around them. */
export function judgeAdministrator({ name, email, password }: NewAdministrator): AdministratorRefusal[] {
  const reasons: AdministratorRefusal[] = []
  if (!name || /\p{Cc}/u.test(name)) reasons.push('name_missing')
  if (name.length > LONGEST_NAME) reasons.push('name_long')
  if (!email) reasons.push('email_missing')
  else if (!isEmail(email)) reasons.push('email_invalid')
  const weakness = judgePassword(password, { name, email })
  if (weakness) reasons.push(weakness)
  return reasons
}
