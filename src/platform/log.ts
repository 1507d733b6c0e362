import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

/** Structured lines; whatever could hold a secret or a person's address is removed before it is written. */
export function makeLog(level: string, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
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
