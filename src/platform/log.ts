import { type DestinationStream, type LogFn, type Logger, pino } from 'pino'
import { systemClock } from './clock.ts'

export type Log = Logger

const ERROR_LEVEL = 50

type ErrorLine = { type: string; message: string; stack?: string | undefined; [field: string]: unknown }

/** Database errors contain the values of the failed row; log only code, constraint and table. */
function errorLine(error: unknown): ErrorLine {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) }
  const { name, message, stack, cause } = error
  const { code, constraint, table } = error as { code?: unknown; constraint?: unknown; table?: unknown }
  return { type: name, message, stack, code, constraint, table, ...(cause === undefined ? {} : { cause: errorLine(cause) }) }
}

type RecentError = { at: Date; what: string }

const MAX_KEPT = 20
const kept: RecentError[] = []

/** The newest last. Of this process, since its start; the log has them all. */
export const findRecentErrors = (): readonly RecentError[] => kept

/** Names what is needed to find the error in the log, without its message, which may contain personal data. */
function keepError(at: Date, fields: unknown, message: string): void {
  const { err, route, requestId, task } = (typeof fields === 'object' && fields !== null ? fields : {}) as Record<string, unknown>
  const { name, code } = (err instanceof Error ? err : {}) as { name?: string; code?: unknown }
  const parts = [message, task, name, code, route, requestId].filter((part) => typeof part === 'string' && part !== '')
  kept.push({ at, what: parts.join(' · ') })
  if (kept.length > MAX_KEPT) kept.shift()
}

/** JSON lines; fields that may contain secrets or e-mail addresses are redacted. */
export function makeLog(level: string, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    serializers: { err: errorLine },
    hooks: {
      logMethod(this: Log, args: Parameters<LogFn>, method: LogFn, level: number) {
        if (level >= ERROR_LEVEL) keepError(systemClock.now(), args[0], args.findLast((each) => typeof each === 'string') ?? '')
        return method.apply(this, args)
      },
    },
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
