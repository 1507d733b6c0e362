import type { Kysely } from 'kysely'
import type { Keyring } from '#platform/auth/secrets.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Task } from '#platform/jobs/worker.ts'
import { deleteEndedGrants } from './commands/consents.ts'
import { rotateSigningKeys } from './commands/keys.ts'

type Dependencies = { db: { write: Kysely<DB> }; clock: { now: () => Date }; site: { keyring: Keyring } }

export const oauthTasks = ({ db, clock, site: { keyring } }: Dependencies): Task[] => [
  { name: 'rotate_signing_keys', schedule: '23 2 * * *', run: () => rotateSigningKeys(db.write, keyring, clock.now()) },
  { name: 'clean_up_oauth', schedule: '37 3 * * *', run: () => deleteEndedGrants(db.write, clock.now()) },
]
