import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { OperatorError } from '../operator-error.ts'
import { connectTo, PROBE_NAME } from './host-chooser.ts'

/**
 * What is between this process and PostgreSQL. `direct`: nothing; `named`: a pooler that keeps track of named statements (PgBouncer
 * 1.21 and newer); `unnamed`: a pooler that may execute each transaction on another connection and knows no names.
 */
export type Pooling = 'direct' | 'named' | 'unnamed'

const OWN_NAME = 'select name from pg_prepared_statements where name = $1'

/** A pooler sends an id of its own when it accepts a connection, and replaces the names of the statements that it keeps track of. */
export async function detectPooling(url: string): Promise<Pooling> {
  const client = await connectTo(url, { application_name: PROBE_NAME })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    if (rows[0]!.pid === (client as pg.Client & { processID?: number }).processID) return 'direct'
    return (await keepsOwnNames(client)) ? 'unnamed' : 'named'
  } finally {
    await client.end()
  }
}

/** In a transaction, because only then the statement can be removed from the connection that has it. */
async function keepsOwnNames(client: pg.Client): Promise<boolean> {
  const name = `turnout_${randomBytes(8).toString('hex')}`
  await client.query('begin')
  const { rows } = await client.query<{ name: string }>({ name, text: OWN_NAME, values: [name] })
  if (rows.length) await client.query(`deallocate ${name}`)
  await client.query('commit')
  return rows.length > 0
}

type Urls = { url: string; directUrl: string | undefined }

/** Where locks of sessions, LISTEN and background work connect to. Refuses a pooler, on which they would fail without a message. */
export async function requireDirectUrl({ url, directUrl }: Urls): Promise<string> {
  const direct = directUrl ?? url
  if ((await detectPooling(direct)) === 'direct') return direct
  throw new OperatorError(
    directUrl
      ? 'DATABASE_DIRECT_URL leads to a connection pooler such as PgBouncer. It must lead to the PostgreSQL servers themselves.'
      : 'DATABASE_URL leads to a connection pooler such as PgBouncer. Migrations, LISTEN and background jobs do not work through it: set DATABASE_DIRECT_URL to the PostgreSQL servers themselves.',
  )
}

type Expected = { pooling: Pooling; synchronousCommit: string | undefined }

/** Settings that a pooler does not pass on, and that its own configuration must make. One sentence each. */
export async function findWrongSettings(
  pool: Pick<pg.Pool, 'query'>,
  { pooling, synchronousCommit }: Expected,
): Promise<string[]> {
  if (pooling === 'direct') return []
  const { rows } = await pool.query<{ timeout: string; commit: string }>(
    `select current_setting('statement_timeout') as timeout, current_setting('synchronous_commit') as commit`,
  )
  const { timeout, commit } = rows[0]!
  const findings: string[] = []
  if (timeout === '0')
    findings.push(
      "the pooler of DATABASE_URL sets no statement_timeout: add connect_query='set statement_timeout = 5000' to its database",
    )
  if (synchronousCommit && synchronousCommit !== commit)
    findings.push(
      `SYNCHRONOUS_COMMIT is ${synchronousCommit}, but connections of the pooler use ${commit}: add it to connect_query of its database`,
    )
  return findings
}
