import type { Pool, PoolClient } from 'pg'

/** The texts of all statements that a pool sends from now on. */
export function watchStatements(pool: Pool): string[] {
  const statements: string[] = []
  const watched = new WeakSet<PoolClient>()
  pool.on('acquire', (client) => {
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
