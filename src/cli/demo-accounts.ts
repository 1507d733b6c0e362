import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { CAST, type Passwords } from '#demo/people.ts'
import { SCOPES } from '#platform/auth/scopes.ts'
import { randomSecret } from '#platform/auth/secrets.ts'

const signIns = z.object({
  passwords: z.object({ olga: z.string(), paul: z.string(), ann: z.string() }),
  token: z.string().optional(),
})

/** Demo accounts; stored in DATA_DIR, so that every start can print them again. */
export type SignIns = z.infer<typeof signIns>

/** The token that `npm start` prints: with it, all requests in docs/api/guide.md work as written there. */
export const PRINTED_TOKEN = { email: 'olga@demo.example', scopes: SCOPES }

const fileOf = (dataDir: string): string => join(dataDir, 'sign-ins.json')

export function randomPasswords(): Passwords {
  return Object.fromEntries(CAST.map((name) => [name, `${randomSecret(5)}-${randomSecret(5)}-${randomSecret(5)}`])) as Passwords
}

export function readSignIns(dataDir: string): SignIns | undefined {
  if (!existsSync(fileOf(dataDir))) return undefined
  return signIns.safeParse(JSON.parse(readFileSync(fileOf(dataDir), 'utf8'))).data
}

export function writeSignIns(dataDir: string, content: SignIns): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  writeFileSync(fileOf(dataDir), `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
}
