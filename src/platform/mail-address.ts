import { domainToASCII } from 'node:url'

// The parts that mail programs read as quotes, comments, names and lists, so that `x<ann@…` and `"ann"@…` reach Ann, too. Invisible
// characters make two addresses look the same.
const PART = String.raw`[^\s@<>()[\]\\,;:"\p{C}]`
const MAIL_ADDRESS = new RegExp(`^${PART}+@${PART}*[^.\\s@<>()[\\]\\\\,;:"\\p{C}]$`, 'u')

/** One address as people type it, without a name. Addresses within a network (`ann@mail`) count. */
export const isMailAddress = (text: string): boolean => MAIL_ADDRESS.test(text)

/** One address that the internet can deliver to: its domain has a dot. */
export const isPublicMailAddress = (text: string): boolean => isMailAddress(text) && /@[^@.]+\.[^@]+$/u.test(text)

/**
 * One key for all spellings of the address of a mailbox: `Ann+1@bücher.example.` and `ann@xn--bcher-kva.example`. Large providers ignore
 * dots before the @, so there are many spellings; elsewhere two people whose names differ by a dot share a limit. For limits only.
 */
export function mailboxKey(address: string): string {
  const text = address
    .normalize('NFKC')
    .replace(/[\s\p{C}"\\]/gu, '')
    .toLowerCase()
  const at = text.lastIndexOf('@')
  if (at < 0) return text
  const domain = text.slice(at + 1).replace(/\.+$/, '')
  const host = (domainToASCII(domain) || domain).replace(/^googlemail\.com$/, 'gmail.com')
  return `${text.slice(0, at).replace(/\+.*$/, '').replaceAll('.', '')}@${host}`
}
