import type { CountryCode } from 'libphonenumber-js/max'
import { loadLater } from './load-later.ts'
import { remembered } from './remembered.ts'

const phoneNumbers = loadLater<typeof import('libphonenumber-js/max')>('libphonenumber-js/max')

/** ISO 3166 code of a country, for numbers without a country code. */
export type PhoneCountry = CountryCode

export const DEFAULT_PHONE_COUNTRY: PhoneCountry = 'DE'
export const phoneCountries = (): readonly PhoneCountry[] => phoneNumbers().getCountries()
export const isPhoneCountry = (value: unknown): value is PhoneCountry =>
  typeof value === 'string' && (value === DEFAULT_PHONE_COUNTRY || phoneNumbers().isSupportedCountry(value))

/** The number in E.164, from any usual way to write it. Undefined: no number that can be called. */
export function parsePhone(text: string, country: PhoneCountry): string | undefined {
  const parsed = phoneNumbers().parsePhoneNumberFromString(text.trim(), { defaultCountry: country, extract: false })
  return parsed?.isValid() ? parsed.number : undefined
}

/** For reading. Numbers from imports and identity providers may be in no known form and stay as they are. */
export const formatPhone = remembered((stored) => {
  const parsed = phoneNumbers().parsePhoneNumberFromString(stored, { extract: false })
  return parsed?.isValid() ? parsed.formatInternational() : stored
}, 1_000)

/** The address of a link that calls the number. Undefined: it contains something that phones do not dial. */
export function phoneHref(stored: string): string | undefined {
  const digits = stored.replace(/[\s()/.-]/g, '')
  return /^\+?\d{3,20}$/.test(digits) ? `tel:${digits}` : undefined
}
