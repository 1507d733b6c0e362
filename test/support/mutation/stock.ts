import type pg from 'pg'

const FEW = 3

/** A command for `test/mutation-database.test.ts`, whose tests notice some changes of it. */
export async function takeOne(client: pg.Client, id: number): Promise<number | undefined> {
  const { rows } = await client.query('update stock set count = count - 1 where id = $1 and count > 0 returning count', [id])
  if (rows.length === 0) return undefined
  return rows[0].count
}

export const isLow = (count: number): boolean => count < FEW

export const isOut = (count: number): boolean => count === 0
