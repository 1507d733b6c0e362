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
}

/** `send` throws on failure; the caller retries. */
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
      describe: `mail goes to the server ${new URL(mailUrl).host}`,
      send: async ({ headers, ...mail }) => {
        await (await transport()).sendMail({ from, ...mail, headers: { ...AUTOMATIC_HEADERS, ...headers } })
      },
    }
  }
  const folder = join(dataDir, 'mail')
  const transport = once(async () => {
    const { createTransport } = await import('nodemailer')
    return createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
  })
  return {
    describe: `mail is written to ${folder}`,
    send: async ({ headers, ...mail }) => {
      const { message } = await (await transport()).sendMail({
        from,
        ...mail,
        headers: { ...AUTOMATIC_HEADERS, ...headers },
        date: clock.now(),
      })
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const name = `${clock.now().toISOString().replaceAll(':', '-')}-${randomUUID().slice(0, 8)}.eml`
      await writeFile(join(folder, name), message as Buffer, { mode: 0o600 })
    },
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
