/**
 * The column `email` identifies every account, also in the API, where it is a string. People without an address of their own have one
 * here that nobody can receive mails at: RFC 2606 reserves `.invalid`.
 */
const NO_ADDRESS_DOMAIN = 'no-address.invalid'

/** Whether an address is one that mails can reach, and not a stand-in. */
export const isAddress = (email: string): boolean => !email.toLowerCase().endsWith(`@${NO_ADDRESS_DOMAIN}`)

/** The stand-in for a person without an address; `key` is unique. */
export const noAddress = (key: string): string => `${key.toLowerCase()}@${NO_ADDRESS_DOMAIN}`

/** The address to show; null: the person has none. */
export const shownAddress = (email: string): string | null => (isAddress(email) ? email : null)
