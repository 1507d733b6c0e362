import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

type ErrorLine = { type: string; message: string; stack?: string | undefined; [field: string]: unknown }

/** Database errors contain the values of the failed row; log only code, constraint and table. */
function errorLine(error: unknown): ErrorLine {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) }
  const { name, message, stack, cause } = error
  const { code, constraint, table } = error as { code?: unknown; constraint?: unknown; table?: unknown }
  return { type: name, message, stack, code, constraint, table, ...(cause === undefined ? {} : { cause: errorLine(cause) }) }
}

/** JSON lines; fields that may contain secrets or e-mail addresses are redacted. */
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
