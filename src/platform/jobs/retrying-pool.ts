import type pg from 'pg'
import { readFailure } from '#platform/db/failure.ts'

/** "Cannot connect now": one of the few failures after which graphile-worker tries again by itself. */
const TRY_AGAIN = '57P03'

/**
 * For graphile-worker, which does not wait for a finished job to be noted: with most failures of a connection the process would end
 * by an unhandled rejection, and the job would stay locked for hours. Here all of them say that it should try again, until `over`.
 */
export function retryConnections(pool: pg.Pool, over: AbortSignal): pg.Pool {
  const connect = pool.connect.bind(pool)
  const patientConnect = (callback?: Parameters<typeof connect>[0]) => {
    if (over.aborted) return new Promise(() => {})
    return callback ? connect(callback) : connect().then(makeClientPatient, tryAgain)
  }
  return Object.assign(pool, { connect: patientConnect as typeof pool.connect })
}

function makeClientPatient(client: pg.PoolClient): pg.PoolClient {
  return new Proxy(client, {
    get: (target, name) => {
      const value = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      if (name !== 'query') return value.bind(target)
      return (...args: unknown[]) => Promise.resolve(value.apply(target, args)).catch(tryAgain)
    },
  })
}

function tryAgain(error: unknown): never {
  if (readFailure(error) !== 'busy') throw error
  throw Object.assign(new Error((error as Error).message, { cause: error }), { code: TRY_AGAIN })
}
