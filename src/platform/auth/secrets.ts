import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/** For random values such as tokens and session ids: a fast hash is enough, because they cannot be guessed. */
export const hashSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer')

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Letters and digits only, which need no encoding anywhere. */
export function randomSecret(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 is the largest multiple of 62 in a byte; larger values would make some letters more likely.
      if (byte < 248 && text.length < length) text += ALPHABET[byte % 62]
    }
  }
  return text
}

export function secretsMatch(a: string, b: string): boolean {
  return timingSafeEqual(hashSecret(a), hashSecret(b))
}

/** Prefix of stored OAuth client secrets. Imported secrets are password hashes without it. */
export const CLIENT_SECRET_PREFIX = 'sha256$'
export const hashClientSecret = (secret: string): string => `${CLIENT_SECRET_PREFIX}${hashSecret(secret).toString('base64url')}`

/** `seal` encrypts secrets that must be readable again; `fingerprint` hashes guessable values (e-mail addresses) with a key. */
export type Keyring = {
  keyId: string
  seal: (text: string) => string
  unseal: (sealed: string) => string
  fingerprint: (text: string) => Buffer
}

const derive = (key: string, purpose: string): Buffer => Buffer.from(hkdfSync('sha256', key, 'turnout', purpose, 32))
const idOf = (key: string): string => derive(key, 'key id').toString('hex').slice(0, 12)

/** Passed to the cipher as well, because it accepts shorter tags by default. */
const TAG_BYTES = 16

export class UnknownKeyError extends Error {}

export function makeKeyring(key: string, oldKey?: string): Keyring {
  const keys = new Map([key, ...(oldKey ? [oldKey] : [])].map((each) => [idOf(each), derive(each, 'seal')]))
  const keyId = idOf(key)
  // A key that is read from its bytes with each use takes six times as long.
  const macKey = createSecretKey(derive(key, 'fingerprint'))
  return {
    keyId,
    seal: (text) => {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', keys.get(keyId)!, iv)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return `${keyId}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`
    },
    unseal: (sealed) => {
      const [id = '', body = ''] = sealed.split('.')
      const secret = keys.get(id)
      if (!secret)
        throw new UnknownKeyError(`A stored secret was sealed with key ${id}, which is neither SECRET_KEY nor SECRET_KEY_OLD.`)
      const bytes = Buffer.from(body, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', secret, bytes.subarray(0, 12), { authTagLength: TAG_BYTES })
      decipher.setAuthTag(bytes.subarray(12, 12 + TAG_BYTES))
      return Buffer.concat([decipher.update(bytes.subarray(12 + TAG_BYTES)), decipher.final()]).toString('utf8')
    },
    fingerprint: (text) => createHmac('sha256', macKey).update(text).digest(),
  }
}
