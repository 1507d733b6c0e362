/** What a failed statement means for the caller. Undefined means a bug in the program. */
export type Failure = 'bad_input' | 'conflict' | 'busy' | undefined

/** 25006: the server became a standby while the connection was open. */
const BUSY_CODES = new Set(['25006', '40001', '40P01', '53300', '57014', '55P03'])
const CONNECTION_LOST =
  /ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|connect ENOENT|Connection terminated|timeout exceeded when trying to connect|Client (has encountered a connection error|was closed)/

export function readFailure(error: unknown): Failure {
  if (!(error instanceof Error)) return undefined
  const code = (error as { code?: unknown }).code
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) {
    if (BUSY_CODES.has(code) || code.startsWith('08') || code.startsWith('57P0') || code.startsWith('53')) return 'busy'
    if (code.startsWith('22')) return 'bad_input'
    // A unique value that another request took, or a row that it deleted.
    if (code === '23505' || code === '23503' || code === '23001') return 'conflict'
  }
  return isConnectionLost(error) ? 'busy' : undefined
}

/** The server cannot be reached, or the connection to it ended. */
export function isConnectionLost(error: Error): boolean {
  return CONNECTION_LOST.test(`${String((error as { code?: unknown }).code ?? '')} ${error.message}`)
}
