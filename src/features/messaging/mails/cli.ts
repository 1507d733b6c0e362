import { systemClock } from '#platform/clock.ts'
import type { Command } from '#platform/command-line/command.ts'
import { keyringOf, requireDatabase } from '#platform/command-line/data-directory.ts'
import { type ReportOutcome, receiveReport } from './commands/bounces.ts'
import { MAX_REPORT_BYTES } from './schema.ts'

/** EX_TEMPFAIL of sysexits.h: the mail server keeps the message and tries again. */
const TRY_LATER = 75

const TEXTS: Record<ReportOutcome, string> = {
  set: 'the address of this person counts as not working from now on',
  counted: 'counted as a temporary failure',
  ignored: 'nothing changed: the address is known not to work, was changed since, or is not the reason of the failure',
  no_report: 'not a report about a mail that could not be delivered (RFC 3464)',
  no_token: 'not about a mail of this instance, or too old',
}

/** For a pipe of a mail server. Never fails because of the message: the server would return it to the sender. */
export const bounce: Command = {
  options: {
    to: { type: 'string', hint: 'ADDRESS', help: 'The address that the report came to, if the headers do not name it' },
  },
  run: async ({ config, values, terminal, withUnmigratedDatabase, asOperator }) => {
    const message = await readInput(process.stdin)
    try {
      requireDatabase(config)
      const keyring = keyringOf(config)
      return await withUnmigratedDatabase(config, async ({ db, config: effective }) => {
        const { actor: _operator, ...context } = asOperator(effective, db, keyring)
        const to = values.to === undefined ? undefined : String(values.to)
        terminal.print(TEXTS[await receiveReport({ ...context, now: systemClock.now() }, { message, to })])
        return 0
      })
    } catch (error) {
      terminal.print((error as Error).message)
      return TRY_LATER
    }
  },
}

/** What is beyond the limit is not part of a report. */
async function readInput(input: AsyncIterable<Buffer | string>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of input) {
    const bytes = Buffer.from(chunk)
    if (size < MAX_REPORT_BYTES) chunks.push(bytes)
    size += bytes.length
  }
  return Buffer.concat(chunks).toString('utf8')
}
