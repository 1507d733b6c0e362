import { sql } from 'kysely'
import { z } from 'zod'
import type { RequestContext } from '#platform/auth/context.ts'
import { scope } from '#platform/http/access.ts'
import { type Endpoint, writeEndpoint } from '#platform/http/endpoint.ts'
import { Problem } from '#platform/http/problem.ts'
import type { Caller } from './api-client.ts'
import { OLGA } from './people.ts'
import { openWorld, type World } from './world.ts'

/** A record with an amount, which only the tests of writes have. */
export const purseOf = async (
  { db }: Pick<RequestContext, 'db'>,
  id: number,
): Promise<{ id: number; amount: number } | undefined> =>
  (await sql<{ id: number; amount: number }>`select id, amount from purse where id = ${id}`.execute(db)).rows[0]

export const lockPurse = (db: RequestContext['db'], id: number) => sql`select from purse where id = ${id} for update`.execute(db)
export const setAmount = (db: RequestContext['db'], id: number, amount: number) =>
  sql`update purse set amount = ${amount} where id = ${id}`.execute(db)

const path = '/api/purses/{id}/'
const base = { access: scope('PUBLIC_WRITE'), name: 'Purse', tag: 'purses', summary: 'A purse' }
const purseRecord = z.strictObject({ id: z.int(), amount: z.int() })
const purse = { description: 'The purse', schema: purseRecord, access: scope('PUBLIC_READ', 'add_event') }
const responses = { 200: purse, 201: purse, 204: { description: 'Gone' } }
const amountBody = z.strictObject({ amount: z.int(), label: z.string().max(3).optional() })

/** Changes one purse; a test says how. */
export const PURSE_ENDPOINT = {
  ...base,
  method: 'PATCH',
  path,
  body: amountBody.partial(),
  target: (context: RequestContext, { id }: { id: number }) => purseOf(context, id),
  responses,
} as const

export const PURSE_ENDPOINTS: Endpoint[] = [
  writeEndpoint({
    ...base,
    method: 'POST',
    path: '/api/purses/',
    operationId: 'purses_create',
    body: amountBody,
    responses,
    perform: async ({ db }, _path, { amount }) => {
      if (amount < 0) throw new Problem('refused', { errors: [{ code: 'too_small', detail: 'No debts.' }] })
      const { rows } = await sql<{ id: number; amount: number }>`
        insert into purse (amount) values (${amount}) returning id, amount`.execute(db)
      return { status: 201, body: rows[0]!, result: { pin: 'secret' }, headers: { location: `/api/purses/${rows[0]!.id}/` } }
    },
  }),
  writeEndpoint({
    ...PURSE_ENDPOINT,
    operationId: 'purses_update',
    perform: async (context, { id }, { amount }) => {
      await lockPurse(context.db, id)
      await sql`update purse set amount = coalesce(${amount ?? null}, amount) where id = ${id}`.execute(context.db)
      return { status: 200, body: await purseOf(context, id) }
    },
  }),
  writeEndpoint({
    ...base,
    method: 'DELETE',
    path,
    operationId: 'purses_delete',
    target: (context, { id }) => purseOf(context, id),
    responses,
    perform: async ({ db }, { id }) => {
      await sql`delete from purse where id = ${id}`.execute(db)
      return { status: 204 }
    },
  }),
]
/** Answers about purses are described in no document. */
export const unchecked = { unchecked: true }

/** A world with purses, which Olga may change and read. Closes after the suite that opened it. */
export class Purses {
  readonly world: World
  readonly olga: Caller

  constructor(world: World) {
    this.world = world
    this.olga = world.as(OLGA, 'PUBLIC_WRITE', 'PUBLIC_READ')
  }

  async add(amount: number): Promise<{ address: string; etag: string; id: number }> {
    const { body, headers } = await this.olga.post('/api/purses/', { amount }, unchecked)
    return { address: `/api/purses/${body.id}/`, etag: headers.etag!, id: body.id }
  }

  async amountOf(id: number): Promise<number | undefined> {
    return (await purseOf({ db: this.world.db.read }, id))?.amount
  }

  async count(): Promise<number> {
    return (await sql<{ n: number }>`select count(*)::int as n from purse`.execute(this.world.db.read)).rows[0]!.n
  }
}

export async function openPurses(extra: Endpoint[] = []): Promise<Purses> {
  const world = await openWorld({ extra: { endpoints: [...PURSE_ENDPOINTS, ...extra] } })
  await sql`create table purse (id int primary key generated always as identity, amount int not null)`.execute(world.db.write)
  return new Purses(world)
}
