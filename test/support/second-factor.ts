import assert from 'node:assert/strict'
import { Secret, TOTP } from 'otpauth'
import type { Authenticator } from './authenticator.ts'
import type { Browser } from './http-browser.ts'

export const APP = '/settings/security/app/'
export const ADD_PASSKEY = '/settings/security/passkeys/add/'
export const STEP = '/accounts/second-step/'

/** The code that an app shows. */
export const codeAt = (secret: string, at: Date): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at.getTime() })

/** A code that is neither the one of now nor of the periods around it. */
export function wrongCode(secret: string, at: Date): string {
  const right = [-30_000, 0, 30_000].map((ms) => codeAt(secret, new Date(at.getTime() + ms)))
  return ['111111', '222222', '333333', '444444'].find((code) => !right.includes(code))!
}

export const later = (at: Date, seconds: number): Date => new Date(at.getTime() + seconds * 1000)

const RECOVERY = /<li><code>([\w-]{19})<\/code>/g
export const codesIn = (body: string): string[] => [...body.matchAll(RECOVERY)].map(([, code]) => code!)
export const secretIn = (body: string): string => /id="totp-secret"[^>]* value="([^"]+)"/.exec(body)![1]!.replaceAll(' ', '')
export const setupIn = (body: string): string => /name="setup" value="([^"]+)"/.exec(body)![1]!

/** Sets up an app in a browser that is signed in, and reads the recovery codes. */
export async function setUpApp(browser: Browser, now: Date): Promise<{ secret: string; codes: string[] }> {
  const { body } = await browser.get(APP)
  const secret = secretIn(body)
  const done = await browser.post(APP, { form: { setup: setupIn(body), code: codeAt(secret, now) } })
  assert.ok([200, 303].includes(done.statusCode), `${done.statusCode}`)
  return { secret, codes: codesIn(done.body) }
}

type PasskeyOptions = { publicKey: { challenge: string } & Record<string, never>; state: string }

/** What the script of a page requests. */
export async function optionsFrom(browser: Browser, path: string): Promise<PasskeyOptions> {
  const answer = await browser.post(path)
  assert.equal(answer.statusCode, 200, path)
  return JSON.parse(answer.body) as PasskeyOptions
}

/** Adds a passkey in a browser that is signed in, and reads the recovery codes. */
export async function addPasskey(browser: Browser, authenticator: Authenticator, name = 'Phone'): Promise<string[]> {
  await browser.get(ADD_PASSKEY)
  const { publicKey, state } = await optionsFrom(browser, '/settings/security/passkeys/options/')
  const done = await browser.post(ADD_PASSKEY, { form: { name, state, response: authenticator.create(publicKey) } })
  assert.ok([200, 303].includes(done.statusCode), `${done.statusCode}`)
  return codesIn(done.body)
}
