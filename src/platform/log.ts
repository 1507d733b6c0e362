import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

type ErrorLine = { type: string; message: string; stack?: string | undefined; [place: string]: unknown }

/** Errors of the database carry the rows that they failed on; only what names the place is kept. */
function errorLine(error: unknown): ErrorLine {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) }
  const { name, message, stack, cause } = error
  const { code, constraint, table } = error as { code?: unknown; constraint?: unknown; table?: unknown }
  return { type: name, message, stack, code, constraint, table, ...(cause === undefined ? {} : { cause: errorLine(cause) }) }
}

/** Structured lines; whatever could hold a secret or a person's address is removed before it is written. */
export function makeLog(level: string, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    serializers: { err: errorLine },
    redact: {
      paths: [
        'authorization',
        'cookie',
        'password',
        'token',
        'secret',
        'email',
        '*.authorization',
        '*.cookie',
        '*.password',
        '*.token',
        '*.secret',
        '*.email',
        'req.headers',
        'res.headers',
      ],
      censor: '[removed]',
    },
  }
  return destination ? pino(options, destination) : pino(options)
}
