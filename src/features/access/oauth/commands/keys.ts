import { generateKeyPair, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { type Kysely, sql } from 'kysely'
import { type Keyring, UnknownKeyError } from '#platform/auth/secrets.ts'
import type { DB } from '#platform/db/tables.ts'
import { transact } from '#platform/db/transaction.ts'
import { findSigningKeys, type StoredKey } from '../queries/objects.ts'
import { planKeyRotation } from '../rules/key-rotation.ts'

const makePair = promisify(generateKeyPair)

/** A private key in the format of the library. */
type SigningKey = { kid: string; jwk: Record<string, unknown> }

async function createKey(): Promise<SigningKey> {
  const { privateKey } = await makePair('rsa', { modulusLength: 2048 })
  const kid = randomBytes(12).toString('base64url')
  return { kid, jwk: { ...privateKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' } }
}

function openKey(keyring: Keyring, key: StoredKey): SigningKey | undefined {
  try {
    return { kid: key.kid, jwk: JSON.parse(keyring.unseal(key.keySealed)) as Record<string, unknown> }
  } catch (error) {
    // SECRET_KEY was changed without keeping the old one, so the key cannot be decrypted.
    if (error instanceof UnknownKeyError) return undefined
    throw error
  }
}

/** The first key signs, all are published. Creates the first key and rotates keys that are due. */
export async function requireSigningKeys(db: Kysely<DB>, keyring: Keyring, now: Date): Promise<SigningKey[]> {
  const stored = await findSigningKeys(db)
  const keys = new Map(stored.flatMap((key) => openKey(keyring, key) ?? []).map((key) => [key.kid, key]))
  const { inOrder } = planKeyRotation(
    stored.filter(({ kid }) => keys.has(kid)),
    now,
  )
  const hasLive = stored.some(({ kid, retiredAt }) => !retiredAt && keys.has(kid))
  if (hasLive) return inOrder.map((kid) => keys.get(kid)!)
  await rotateSigningKeys(db, keyring, now)
  return requireSigningKeys(db, keyring, now)
}

/** Idempotent; concurrent nodes create one key. */
export async function rotateSigningKeys(db: Kysely<DB>, keyring: Keyring, now: Date): Promise<void> {
  await transact(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('turnout.oauth_signing_key'))`.execute(tx)
    const stored = await findSigningKeys(tx)
    const usable = stored.filter((key) => openKey(keyring, key))
    const { mustMake, retire, remove } = planKeyRotation(usable, now)
    if (mustMake) {
      const fresh = await createKey()
      const values = { kid: fresh.kid, key_sealed: keyring.seal(JSON.stringify(fresh.jwk)), created_at: now }
      await tx.insertInto('oauth_signing_key').values(values).execute()
    }
    if (retire.length) await tx.updateTable('oauth_signing_key').set({ retired_at: now }).where('kid', 'in', retire).execute()
    if (remove.length) await tx.deleteFrom('oauth_signing_key').where('kid', 'in', remove).execute()
  })
}
