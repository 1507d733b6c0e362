import { NotEmpty } from '#demo/base.ts'
import { TransferError } from '#features/moving/commands/transfer-error.ts'
import { ConfigError } from '#platform/config.ts'
import { DataDirInUse, EmbeddedUnavailable } from '#platform/db/embedded/embedded.ts'
import { MigrationRefused } from '#platform/db/migrate.ts'
import { SourceDatabaseUnreadable } from '#platform/db/source-database.ts'
import { UsageError } from './command.ts'

const PLAIN = [UsageError, DataDirInUse, EmbeddedUnavailable, MigrationRefused, NotEmpty, TransferError, SourceDatabaseUnreadable]

/** What people can mend is told in a sentence; only faults of ours come with a stack. */
export function formatError(error: unknown): string {
  if (error instanceof ConfigError) return error.mistakes.map((line) => `turnout: ${line}`).join('\n')
  if (PLAIN.some((kind) => error instanceof kind)) return `turnout: ${(error as Error).message}`
  const { code, port, address, message } = error as { code?: string; port?: number; address?: string; message?: string }
  if (code === 'EADDRINUSE')
    return `turnout: port ${port} on ${address} is taken by another program. Choose another one, for example PORT=${(port ?? 8000) + 1}.`
  if (code === 'EACCES' && port) return `turnout: port ${port} needs more rights. Choose one above 1023 with PORT.`
  if (code === 'ECONNREFUSED' || code === '28P01' || code === '3D000' || code === 'ENOTFOUND')
    return `turnout: the database of DATABASE_URL cannot be reached: ${message}`
  if (/^(ENOENT|EACCES|EISDIR|ENOTDIR|ENOSPC|EROFS|EDQUOT)$/.test(code ?? '')) return `turnout: ${message}`
  return `turnout: ${error instanceof Error ? error.stack : String(error)}`
}
