import { isMailAddress } from '#platform/mail-address.ts'
import { checkPasswordRules, type PasswordRefusal } from './passwords.ts'

export const MAX_NAME_LENGTH = 254
const MAX_EMAIL_LENGTH = 254
export type NewAdministrator = { name: string; email: string; password: string }
export type AdministratorRefusal = 'name_missing' | 'name_long' | 'email_missing' | 'email_invalid' | PasswordRefusal

const isEmail = (text: string): boolean => text.length <= MAX_EMAIL_LENGTH && isMailAddress(text)

/** All reasons; empty if the administrator can be created. Expects trimmed values. */
export function checkAdministrator({ name, email, password }: NewAdministrator): AdministratorRefusal[] {
  const reasons: AdministratorRefusal[] = []
  if (!name || /\p{Cc}/u.test(name)) reasons.push('name_missing')
  if (name.length > MAX_NAME_LENGTH) reasons.push('name_long')
  if (!email) reasons.push('email_missing')
  else if (!isEmail(email)) reasons.push('email_invalid')
  const weakness = checkPasswordRules(password, { name, email })
  if (weakness) reasons.push(weakness)
  return reasons
}
