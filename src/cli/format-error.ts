import { ConfigError } from '#platform/config.ts'
import { isConnectionLost } from '#platform/db/failure.ts'
import { OperatorError } from '#platform/operator-error.ts'

/** One line for problems that the operator can fix; bugs are printed with a stack trace. */
export function formatError(error: unknown): string {
  if (error instanceof ConfigError) return error.messages.map((line) => `turnout: ${line}`).join('\n')
  if (error instanceof OperatorError) return `turnout: ${error.message}`
  const { code, port, address, message } = error as { code?: string; port?: number; address?: string; message?: string }
  if (code === 'EADDRINUSE')
    return `turnout: port ${port} on ${address} is taken by another program. Choose another one, for example PORT=${(port ?? 8000) + 1}.`
  if (code === 'EACCES' && port) return `turnout: port ${port} requires root privileges. Choose one above 1023 with PORT.`
  if (code === '28P01' || code === '3D000' || (error instanceof Error && isConnectionLost(error)))
    return `turnout: the database of DATABASE_URL cannot be reached: ${message}`
  if (/^(ENOENT|EACCES|EISDIR|ENOTDIR|ENOSPC|EROFS|EDQUOT)$/.test(code ?? '')) return `turnout: ${message}`
  return `turnout: ${error instanceof Error ? error.stack : String(error)}`
}
