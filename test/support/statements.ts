import type { Pool, PoolClient } from 'pg'

/** The texts of all statements that pools send from now on. */
export function watchStatements(...pools: Pool[]): string[] {
  const statements: string[] = []
  const watched = new WeakSet<PoolClient>()
  for (const pool of pools)
    pool.on('acquire', (client) => {
      // A connection is acquired for each use.
      if (watched.has(client)) return
      watched.add(client)
      const query = client.query.bind(client) as (...args: unknown[]) => unknown
      client.query = ((...args: unknown[]) => {
        statements.push(String((args[0] as { text?: string }).text ?? args[0]))
        return query(...args)
      }) as typeof client.query
    })
  return statements
}
