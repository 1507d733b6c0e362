import type pg from 'pg'

export type Row = Record<string, unknown> & { id: number }
type Client = pg.Pool | pg.PoolClient

/** Inserts a row and returns it as stored. */
export async function insert(client: Client, table: string, values: Record<string, unknown>): Promise<Row> {
  const names = Object.keys(values)
  const places = names.map((_, at) => `$${at + 1}`)
  const { rows } = await client.query<Row>(
    `insert into ${table} (${names.join(', ')}) values (${places.join(', ')}) returning *`,
    Object.values(values),
  )
  return rows[0]!
}

let made = 0
/** A value that is unique in the process, for unique columns. */
const unique = (what: string) => `${what} ${++made}`

export const addGroup = (client: Client) => insert(client, 'user_group', { name: unique('group') })
export const addUser = (client: Client) =>
  insert(client, 'user_profile', { email: `${unique('p').replace(' ', '')}@a.example`, display_name: unique('Person') })
export const addEventType = (client: Client) => insert(client, 'event_type', { title: unique('Type') })

export async function addEvent(client: Client, facts: Record<string, unknown> = {}): Promise<Row> {
  const type = facts.type_id ?? (await addEventType(client)).id
  return insert(client, 'event', { title: unique('Event'), location: 'Pier 3', type_id: type, active: true, ...facts })
}

/** A shift of the day, from one hour to another (UTC). */
export async function addShift(
  client: Client,
  eventId: number,
  from = 8,
  to = 12,
  facts: Record<string, unknown> = {},
): Promise<Row> {
  return insert(client, 'shift', {
    event_id: eventId,
    meeting_time: hour(from),
    start_time: hour(from),
    end_time: hour(to),
    signup_flow_slug: 'instant_confirmation',
    structure_slug: 'uniform',
    ...facts,
  })
}

export const hour = (of: number): Date => new Date(Date.UTC(2031, 4, 4, of))

export async function addQualification(client: Client): Promise<Row> {
  const category = await insert(client, 'qualification_category', { title: unique('Category') })
  return insert(client, 'qualification', { title: unique('Skill'), category_id: category.id })
}

export async function addGuest(client: Client, eventId: number): Promise<Row> {
  const facts = { email: `${unique('g').replace(' ', '')}@b.example`, display_name: unique('Guest'), date_of_birth: '1990-01-01' }
  return insert(client, 'guest', { event_id: eventId, access_token_hash: Buffer.from(unique('token')), ...facts })
}

export async function addVisitor(client: Client): Promise<Row> {
  const link = await insert(client, 'federated_guest', {
    name: unique('Nord'),
    url: 'https://n.example',
    client_id: 'x',
    client_secret_sealed: 'x',
  })
  return insert(client, 'visitor', {
    federated_guest_id: link.id,
    remote_id: 1,
    email: 'v@n.example',
    display_name: unique('Visitor'),
  })
}

/** Resolves when the connection waits for a lock of another. */
export async function untilBlocked(observer: pg.Pool, waiting: pg.PoolClient): Promise<void> {
  const { processID: pid } = waiting as unknown as { processID: number }
  for (;;) {
    const { rows } = await observer.query<{ blocked: boolean }>('select cardinality(pg_blocking_pids($1)) > 0 as blocked', [pid])
    if (rows[0]!.blocked) return
  }
}

/** Removes the text that matches from an SQL function, so that a test can show what the text prevents. */
export async function removeFromFunction(client: Client, name: string, pattern: RegExp): Promise<void> {
  const { rows } = await client.query<{ text: string }>(
    'select pg_get_functiondef(oid) as text from pg_proc where proname = $1',
    [name],
  )
  const text = rows[0]!.text
  if (!pattern.test(text)) throw new Error(`${name} does not match ${pattern}`)
  await client.query(text.replace(pattern, ''))
}
