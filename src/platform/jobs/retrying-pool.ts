import type pg from 'pg'
import { readFailure } from '#platform/db/failure.ts'

/** cannot_connect_now: one of the few errors after which graphile-worker retries. */
const CANNOT_CONNECT_NOW = '57P03'

/**
 * For graphile-worker, which does not await the completion of a job in the database: most connection errors would end the process
 * with an unhandled rejection and leave the job locked for hours. Reports all connection errors as retryable until `stopped`.
 */
export function retryConnections(pool: pg.Pool, stopped: AbortSignal): pg.Pool {
  const connect = pool.connect.bind(pool)
  const retryableConnect = (callback?: Parameters<typeof connect>[0]) => {
    if (stopped.aborted) return new Promise(() => {})
    return callback ? connect(callback) : connect().then(retryQueries, throwRetryable)
  }
  return Object.assign(pool, { connect: retryableConnect as typeof pool.connect })
}

function retryQueries(client: pg.PoolClient): pg.PoolClient {
  return new Proxy(client, {
    get: (target, name) => {
      const value = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      if (name !== 'query') return value.bind(target)
      return (...args: unknown[]) => Promise.resolve(value.apply(target, args)).catch(throwRetryable)
    },
  })
}

function throwRetryable(error: unknown): never {
  if (readFailure(error) !== 'busy') throw error
  throw Object.assign(new Error((error as Error).message, { cause: error }), { code: CANNOT_CONNECT_NOW })
}
