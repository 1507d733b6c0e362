import type { Keyring } from '#platform/auth/secrets.ts'

/** The code on the screen changes this often. */
export const STEP_SECONDS = 30
/** And is accepted this long, because people may have to sign in first. */
const VALID_SECONDS = 300
const LENGTH = 10

const stepOf = (now: Date): number => Math.floor(now.getTime() / 1000 / STEP_SECONDS)

const codeAt = (keyring: Pick<Keyring, 'fingerprint'>, token: string, step: number): string =>
  keyring.fingerprint(`check-in\n${token}\n${step}`).toString('base64url').slice(0, LENGTH)

/** The changing part of the address that the screen shows. */
export const makeCode = (keyring: Pick<Keyring, 'fingerprint'>, token: string, now: Date): string =>
  codeAt(keyring, token, stepOf(now))

export function isCurrentCode(keyring: Pick<Keyring, 'fingerprint'>, token: string, code: string, now: Date): boolean {
  const last = stepOf(now)
  const steps = Array.from({ length: VALID_SECONDS / STEP_SECONDS + 1 }, (_, back) => last - back)
  return steps.some((step) => codeAt(keyring, token, step) === code)
}
