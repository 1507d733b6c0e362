/** One block of an event stream. Without data it only moves the id. */
export type Message = { id: string | undefined; event: string; data: string | undefined; retryMs: number | undefined }

const LINE_END = /\r\n|\n|\r/

/** Reads Server-Sent Events (HTML standard, section 9.2.6). `onBytes` is called whenever something arrives. */
export async function* readMessages(stream: ReadableStream<Uint8Array>, onBytes: () => void): AsyncGenerator<Message, void> {
  const reader = stream.getReader()
  // Ignores a byte order mark at the start.
  const decoder = new TextDecoder()
  let rest = ''
  let block: string[] = []
  try {
    for (;;) {
      const { done, value } = await reader.read()
      // A block without an empty line after it is incomplete and is dropped.
      if (done) return
      onBytes()
      rest += decoder.decode(value, { stream: true })
      // A CR at the end may be the first half of CR LF.
      const usable = rest.endsWith('\r') ? rest.length - 1 : rest.length
      const lines = rest.slice(0, usable).split(LINE_END)
      rest = lines.pop() + rest.slice(usable)
      for (const line of lines) {
        if (line !== '') {
          block.push(line)
          continue
        }
        if (block.length) yield parseBlock(block)
        block = []
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

function parseBlock(lines: readonly string[]): Message {
  const message: Message = { id: undefined, event: 'message', data: undefined, retryMs: undefined }
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (name === 'data') message.data = message.data === undefined ? value : `${message.data}\n${value}`
    else if (name === 'event') message.event = value || 'message'
    else if (name === 'id' && !value.includes('\0')) message.id = value
    else if (name === 'retry' && /^\d+$/.test(value)) message.retryMs = Number(value)
  }
  return message
}
