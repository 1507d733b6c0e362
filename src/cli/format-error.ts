import { resolve } from 'node:path'
import { ConfigError } from '#platform/config.ts'
import { isConnectionLost } from '#platform/db/failure.ts'
import { OperatorError } from '#platform/operator-error.ts'

/** Only what names the database: an invalid setting is one of the errors to format. */
type DatabaseSettings = { DATABASE_URL?: string | undefined; DATA_DIR?: string | undefined }

/** One line for problems that the operator can fix; bugs are printed with a stack trace. */
export function formatError(error: unknown, settings: DatabaseSettings): string {
  if (error instanceof ConfigError) return error.messages.map((line) => `turnout: ${line}`).join('\n')
  if (error instanceof OperatorError) return `turnout: ${error.message}`
  const { code, port, address, message } = error as { code?: string; port?: number; address?: string; message?: string }
  if (code === 'EADDRINUSE')
    return `turnout: port ${port} on ${address} is taken by another program. Choose another one, for example PORT=${(port ?? 8000) + 1}.`
  if (code === 'EACCES' && port) return `turnout: port ${port} requires root privileges. Choose one above 1023 with PORT.`
  if (code === '28P01' || code === '3D000' || (error instanceof Error && isConnectionLost(error)))
    return `turnout: ${nameDatabase(settings)} cannot be reached: ${message}`
  if (/^(ENOENT|EACCES|EISDIR|ENOTDIR|ENOSPC|EROFS|EDQUOT)$/.test(code ?? '')) return `turnout: ${message}`
  return `turnout: ${error instanceof Error ? error.stack : String(error)}`
}

const nameDatabase = ({ DATABASE_URL, DATA_DIR }: DatabaseSettings): string =>
  DATABASE_URL ? 'the database of DATABASE_URL' : `the embedded database in ${resolve(DATA_DIR || './data')}`
