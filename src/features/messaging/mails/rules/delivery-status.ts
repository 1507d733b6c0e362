// Reads reports about mails that could not be delivered (RFC 3462, RFC 3464). Anything else, such as an automatic reply, is no report.

type StatusReport = {
  /** Where the report went to and what it is about: our own addresses with a token are among these texts. */
  addresses: string
  failures: { status: string; action: string; reason: string }[]
}

const MAX_DEPTH = 5
const MAX_PARTS = 50

type Part = { headers: Map<string, string[]>; body: string }

export function parseStatusReport(message: string): StatusReport | undefined {
  const outer = readPart(message.replaceAll('\r\n', '\n'))
  const status = findPart(outer, 0)
  if (!status) return undefined
  const addresses = ['delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to', 'to']
    .flatMap((name) => outer.headers.get(name) ?? [])
    .join('\n')
  // The first group is about the message, and each further one about a recipient.
  const groups = status.body.split(/\n[ \t]*\n/).map((text) => readFields(text))
  const failures = groups.flatMap((fields) => {
    const code = fields.get('status')?.[0]
    if (code === undefined) return []
    const reason = fields.get('diagnostic-code')?.[0]?.replace(/^\s*[\w-]+\s*;\s*/, '') ?? code
    return [{ status: code.trim(), action: (fields.get('action')?.[0] ?? '').trim().toLowerCase(), reason }]
  })
  return failures.length ? { addresses, failures } : undefined
}

function findPart({ headers, body }: Part, depth: number): Part | undefined {
  const type = headers.get('content-type')?.[0] ?? ''
  if (/^\s*message\/(global-)?delivery-status\b/i.test(type)) return { headers, body }
  const boundary = /\bboundary\s*=\s*(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(type)
  if (depth >= MAX_DEPTH || !/^\s*multipart\//i.test(type) || !boundary) return undefined
  const separator = `--${boundary[1] ?? boundary[2]}`
  const parts = `\n${body}`.split(`\n${separator}`).slice(1, MAX_PARTS)
  for (const part of parts) {
    if (part.startsWith('--')) return undefined
    const found = findPart(readPart(part.replace(/^[ \t]*\n/, '')), depth + 1)
    if (found) return found
  }
  return undefined
}

function readPart(text: string): Part {
  const end = text.indexOf('\n\n')
  if (text.startsWith('\n')) return { headers: new Map(), body: text.slice(1) }
  return end < 0
    ? { headers: readFields(text), body: '' }
    : { headers: readFields(text.slice(0, end)), body: text.slice(end + 2) }
}

/** Names in lower case; folded lines are joined. */
function readFields(text: string): Map<string, string[]> {
  const fields = new Map<string, string[]>()
  for (const line of text.replaceAll(/\n[ \t]+/g, ' ').split('\n')) {
    const found = /^([!-9;-~]+):(.*)$/.exec(line)
    if (!found) continue
    const name = found[1]!.toLowerCase()
    fields.set(name, [...(fields.get(name) ?? []), found[2]!.trim()])
  }
  return fields
}
