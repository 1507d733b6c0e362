// How mail servers say that a mail cannot be delivered (RFC 3463, RFC 5321): which answers mean that the address does not work.

/** `hard`: the address does not work; `soft`: it may work later; `other`: the address is not the reason. */
type FailureKind = 'hard' | 'soft' | 'other'

const ENHANCED = /\b([245])\.(\d{1,3})\.(\d{1,3})\b/

/** Of an enhanced status code such as `5.1.1`. */
export function kindOfStatus(status: string): FailureKind {
  const [, group, subject, detail] = ENHANCED.exec(status) ?? []
  if (group === '4') return 'soft'
  if (group !== '5') return 'other'
  // Mailbox full: it may be emptied.
  if (subject === '2' && detail === '2') return 'soft'
  // The sender's address, the size of the mail.
  if ((subject === '1' && (detail === '7' || detail === '8')) || (subject === '2' && detail === '3')) return 'other'
  // Mail system, protocol, content, and policy or authentication: faults of a server or of the mail.
  return ['3', '5', '6', '7'].includes(subject!) ? 'other' : 'hard'
}

const IS_POLICY = /spam|block|polic|blacklist|blocklist|reputation|relay|denied|auth|spf|dkim|dmarc|greylist|rate|quota|full/i
const IS_ADDRESS = /user|mailbox|recipient|address|account|unknown|no such/i

/** Of an answer to `RCPT TO`, with or without an enhanced status code. */
export function kindOfAnswer(answer: string): FailureKind {
  const code = /^\s*(\d{3})/.exec(answer)?.[1] ?? ''
  if (code.startsWith('4')) return 'soft'
  if (!code.startsWith('5')) return 'other'
  if (ENHANCED.test(answer)) return kindOfStatus(answer)
  return ['550', '551', '553'].includes(code) && IS_ADDRESS.test(answer) && !IS_POLICY.test(answer) ? 'hard' : 'other'
}

/** What nodemailer adds to the errors of a conversation with a server. */
type SmtpError = { code?: unknown; command?: unknown; response?: unknown; rejectedErrors?: unknown }

/** The answer of a server that refused the recipient for good; undefined for every other failure. */
export function readRefusal(error: unknown): { reason: string } | undefined {
  if (!(error instanceof Error)) return undefined
  const { rejectedErrors } = error as SmtpError
  for (const each of Array.isArray(rejectedErrors) ? [...rejectedErrors, error] : [error]) {
    const { command, response } = each as SmtpError
    if (command === 'RCPT TO' && typeof response === 'string' && kindOfAnswer(response) === 'hard')
      return { reason: describeReason(response) }
  }
  return undefined
}

const MAX_REASON_LENGTH = 300

/** For people and logs: one line without mail addresses. */
export const describeReason = (text: string): string =>
  text
    .replaceAll(/[^\s<>"',;:]+@[^\s<>"',;]+/g, '…')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: texts of other servers may contain any character
    .replaceAll(/[\s\u0000-\u001f]+/g, ' ')
    .trim()
    .slice(0, MAX_REASON_LENGTH)
