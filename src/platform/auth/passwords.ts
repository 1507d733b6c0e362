import { argon2, pbkdf2, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { limitConcurrency } from '#platform/concurrency.ts'

const argon2Async = promisify(argon2) as (algorithm: string, parameters: object) => Promise<Buffer>
const pbkdf2Async = promisify(pbkdf2)
const scryptAsync = promisify(scrypt) as (password: string, salt: string, length: number, options: object) => Promise<Buffer>

/** OWASP recommendation for argon2id: 19 MiB, two passes. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }
export const MAX_PASSWORD_LENGTH = 1_000

// A hash needs tens of milliseconds of CPU time and 19 MiB: a burst of sign-ins must queue instead of exhausting the machine.
const withHashSlot = limitConcurrency(2 * availableParallelism())

const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await withHashSlot(() => argon2Async('argon2id', { message: password, nonce, ...COST }))
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${base64(nonce)}$${base64(tag)}`
}

const PHC = /^(?:argon2)?\$(argon2id|argon2i|argon2d)\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/
const DJANGO_PBKDF2 = /^pbkdf2_(sha256|sha1)\$(\d+)\$([^$]+)\$([A-Za-z0-9+/=]+)$/
/** Work factor, salt, block size, parallelism, hash. */
const DJANGO_SCRYPT = /^scrypt\$(\d+)\$([^$]+)\$(\d+)\$(\d+)\$([A-Za-z0-9+/=]+)$/

/** Bounds for the parameters of imported hashes: generous, but neither invalid nor able to exhaust the machine. */
const areAcceptable = (memory: number, passes: number, parallelism: number): boolean =>
  memory >= 8 * parallelism && memory <= 1_048_576 && passes >= 1 && passes <= 64 && parallelism >= 1 && parallelism <= 64
const MAX_ITERATIONS = 10_000_000
const MAX_SCRYPT_BYTES = 256 * 1_048_576
const isScryptAcceptable = (N: number, r: number, p: number): boolean =>
  N >= 2 && Number.isInteger(Math.log2(N)) && r >= 1 && p >= 1 && p <= 64 && 128 * r * (N + p) <= MAX_SCRYPT_BYTES
const MIN_SALT_BYTES = 8
const MIN_TAG_BYTES = 16

export type PasswordCheck = {
  ok: boolean
  /** Hashed with older parameters: store a new hash while the password is known. */
  outdated: boolean
}

const FAILED: PasswordCheck = { ok: false, outdated: false }

/** Accepts our own hashes and those of imported accounts (argon2, PBKDF2 and scrypt of Django). */
export async function checkPassword(password: string, stored: string): Promise<PasswordCheck> {
  const phc = PHC.exec(stored)
  if (phc) {
    const [, algorithm, memory, passes, parallelism, salt, expected] = phc
    const tag = Buffer.from(expected!, 'base64')
    const parameters = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism), tagLength: tag.length }
    const nonce = Buffer.from(salt!, 'base64')
    const isSound = nonce.length >= MIN_SALT_BYTES && tag.length >= MIN_TAG_BYTES
    if (!isSound || !areAcceptable(parameters.memory, parameters.passes, parameters.parallelism)) return FAILED
    const actual = await withHashSlot(() => argon2Async(algorithm!, { message: password, nonce, ...parameters }))
    const outdated = !stored.startsWith(`$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$`)
    return { ok: timingSafeEqual(actual, tag), outdated }
  }
  const django = DJANGO_PBKDF2.exec(stored)
  if (django) {
    const [, digest, rounds, salt, expected] = django
    const tag = Buffer.from(expected!, 'base64')
    if (tag.length < MIN_TAG_BYTES || Number(rounds) < 1 || Number(rounds) > MAX_ITERATIONS) return FAILED
    const actual = await withHashSlot(() => pbkdf2Async(password, salt!, Number(rounds), tag.length, digest!))
    return { ok: timingSafeEqual(actual, tag), outdated: true }
  }
  const djangoScrypt = DJANGO_SCRYPT.exec(stored)
  if (djangoScrypt) {
    const [, factor, salt, blockSize, parallelism, expected] = djangoScrypt
    const tag = Buffer.from(expected!, 'base64')
    const [N, r, p] = [Number(factor), Number(blockSize), Number(parallelism)]
    if (tag.length < MIN_TAG_BYTES || !isScryptAcceptable(N, r, p)) return FAILED
    const options = { N, r, p, maxmem: 2 * MAX_SCRYPT_BYTES }
    const actual = await withHashSlot(() => scryptAsync(password, salt!, tag.length, options))
    return { ok: timingSafeEqual(actual, tag), outdated: true }
  }
  return FAILED
}

/** True if `checkPassword` can verify hashes of this format. */
export const isKnownHash = (stored: string): boolean => [PHC, DJANGO_PBKDF2, DJANGO_SCRYPT].some((format) => format.test(stored))

let decoy: Promise<string> | undefined

/** As expensive as a real check, so that response times do not reveal whether an account exists. */
export async function checkDecoyPassword(password: string): Promise<PasswordCheck> {
  decoy ??= hashPassword(randomBytes(16).toString('hex'))
  await checkPassword(password, await decoy)
  return FAILED
}
