import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '#platform/clock.ts'

export type Mail = {
  to: string
  subject: string
  text: string
  html?: string
  /** Instead of the sender address. */
  replyTo?: string
  headers?: Record<string, string>
  /** The account or the guest that the mail is for. Absent: addresses that nobody has confirmed yet. */
  userId?: number
  guestId?: number
  /** The person asked for this mail a moment ago: it is tried even if mails to the address came back. */
  isAskedFor?: boolean
  /** Where reports about this mail go to (the envelope sender of SMTP). */
  envelopeFrom?: string
}

/** The address of the recipient does not work, so the mail was not sent. Waits in the queue, without further attempts, until it does. */
export class AddressError extends Error {
  readonly isFinal = true
  constructor(cause?: unknown) {
    super(ADDRESS_FAILED, { cause })
  }
}
/** Message of the error, by which the outbox finds such mails. */
export const ADDRESS_FAILED = 'the address of this person does not work'

/** `send` throws on failure; the caller retries. `describe`: the host of the server, or the folder of the files. */
export type Mailer = { send: (mail: Mail) => Promise<void>; describe: string }

type MailOptions = { mailUrl: string | undefined; mailFrom: string | undefined; dataDir: string; clock: Clock }

const AUTOMATIC_HEADERS = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' }

/** Sends by SMTP if MAIL_URL is set; otherwise writes each mail to a file in DATA_DIR/mail. */
export function makeMailer({ mailUrl, mailFrom, dataDir, clock }: MailOptions): Mailer {
  const from = mailFrom ?? 'Turnout <turnout@localhost>'
  if (mailUrl) {
    const transport = once(async () => {
      const { createTransport } = await import('nodemailer')
      return createTransport({ url: mailUrl, connectionTimeout: 10_000, socketTimeout: 20_000 })
    })
    return {
      describe: new URL(mailUrl).host,
      send: async (mail) => {
        await (await transport()).sendMail(messageOf(from, mail))
      },
    }
  }
  const folder = join(dataDir, 'mail')
  const transport = once(async () => {
    const { createTransport } = await import('nodemailer')
    return createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
  })
  return {
    describe: folder,
    send: async (mail) => {
      const { message } = await (await transport()).sendMail({ ...messageOf(from, mail), date: clock.now() })
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const name = `${clock.now().toISOString().replaceAll(':', '-')}-${randomUUID().slice(0, 8)}.eml`
      await writeFile(join(folder, name), message as Buffer, { mode: 0o600 })
    },
  }
}

function messageOf(
  from: string,
  { to: address, headers, userId: _userId, guestId: _guestId, isAskedFor: _isAskedFor, envelopeFrom, ...mail }: Mail,
) {
  // A string would be read as a list of names and addresses.
  const to = { name: '', address }
  return {
    from,
    to,
    ...mail,
    headers: { ...AUTOMATIC_HEADERS, ...headers },
    ...(envelopeFrom ? { envelope: { from: envelopeFrom, to } } : {}),
  }
}

/** Makes the value with the first call: most processes send no mail, and the library takes long to load. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
