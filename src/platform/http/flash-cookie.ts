import type { Keyring } from '#platform/auth/secrets.ts'
import type { Flash } from '#platform/ui/flash.ts'
import { csrfTokenMatches } from './csrf.ts'

const sign = (keyring: Keyring, body: string): string => keyring.fingerprint(`flash\n${body}`).toString('base64url')

/** Signed, so that other sites cannot inject messages. */
export function writeFlash(keyring: Keyring, flash: Flash): string {
  const body = Buffer.from(JSON.stringify(flash)).toString('base64url')
  return `${body}.${sign(keyring, body)}`
}

export function readFlash(keyring: Keyring, cookie: string | undefined): Flash | undefined {
  const [body = '', signature] = (cookie ?? '').split('.')
  if (!body || !csrfTokenMatches(sign(keyring, body), signature)) return undefined
  return JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as Flash
}
