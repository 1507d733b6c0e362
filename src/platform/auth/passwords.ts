import { argon2, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { limitConcurrency } from './concurrency.ts'

const argon2Async = promisify(argon2) as (algorithm: string, parameters: object) => Promise<Buffer>
const pbkdf2Async = promisify(pbkdf2)

/** 19 MiB, two passes: the first choice of the OWASP cheat sheet for argon2id. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }
export const MAX_PASSWORD_LENGTH = 1_000

// Each hash takes tens of milliseconds of a core and 19 MiB: a burst of sign-ins queues instead of eating the machine.
const limited = limitConcurrency(2 * availableParallelism())

const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await limited(() => argon2Async('argon2id', { message: password, nonce, ...COST }))
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${base64(nonce)}$${base64(tag)}`
}

const PHC = /^(?:argon2)?\$(argon2id|argon2i|argon2d)\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/
const DJANGO_PBKDF2 = /^pbkdf2_(sha256|sha1)\$(\d+)\$([^$]+)\$([A-Za-z0-9+/=]+)$/

/** What an imported hash may ask for: more than anybody uses, and nothing that would throw or eat the machine. */
const isBearable = (memory: number, passes: number, parallelism: number): boolean =>
  memory >= 8 * parallelism && memory <= 1_048_576 && passes >= 1 && passes <= 64 && parallelism >= 1 && parallelism <= 64
const MOST_ROUNDS = 10_000_000
const SHORTEST_SALT = 8
const SHORTEST_TAG = 16

export type PasswordCheck = {
  ok: boolean
  /** Made with an older recipe: hash it again now that the password is at hand. */
  outdated: boolean
}

const NO: PasswordCheck = { ok: false, outdated: false }

/** Understands our own hashes and those that come with an import. */
export async function checkPassword(password: string, stored: string): Promise<PasswordCheck> {
  const phc = PHC.exec(stored)
  if (phc) {
    const [, algorithm, memory, passes, parallelism, salt, expected] = phc
    const tag = Buffer.from(expected!, 'base64')
    const parameters = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism), tagLength: tag.length }
    const nonce = Buffer.from(salt!, 'base64')
    const isSound = nonce.length >= SHORTEST_SALT && tag.length >= SHORTEST_TAG
    if (!isSound || !isBearable(parameters.memory, parameters.passes, parameters.parallelism)) return NO
    const actual = await limited(() => argon2Async(algorithm!, { message: password, nonce, ...parameters }))
    const outdated = !stored.startsWith(`$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$`)
    return { ok: timingSafeEqual(actual, tag), outdated }
  }
  const django = DJANGO_PBKDF2.exec(stored)
  if (django) {
    const [, digest, rounds, salt, expected] = django
    const tag = Buffer.from(expected!, 'base64')
    if (tag.length < SHORTEST_TAG || Number(rounds) < 1 || Number(rounds) > MOST_ROUNDS) return NO
    const actual = await limited(() => pbkdf2Async(password, salt!, Number(rounds), tag.length, digest!))
    return { ok: timingSafeEqual(actual, tag), outdated: true }
  }
  return NO
}

let decoy: Promise<string> | undefined

/** The same work as a real check, so that the time of the answer does not tell whether an account exists. */
export async function checkDecoyPassword(password: string): Promise<PasswordCheck> {
  decoy ??= hashPassword(randomBytes(16).toString('hex'))
  await checkPassword(password, await decoy)
  return NO
}
