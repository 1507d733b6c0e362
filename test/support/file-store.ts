import { Readable } from 'node:stream'
import type { FileStore } from '#platform/files/store.ts'

export type MemoryStore = FileStore & { content: Map<string, { bytes: Buffer; storedAt: Date }> }

/** Keeps uploaded files in memory. */
export function makeMemoryStore(now: () => Date = () => new Date()): MemoryStore {
  const content: MemoryStore['content'] = new Map()
  return {
    content,
    put: async (id, source) => {
      const chunks: Uint8Array[] = []
      for await (const chunk of source) chunks.push(chunk)
      content.set(id, { bytes: Buffer.concat(chunks), storedAt: now() })
    },
    get: async (id) => {
      const found = content.get(id)
      return found && Readable.from([found.bytes])
    },
    delete: async (id) => void content.delete(id),
    list: async function* () {
      for (const [id, { storedAt }] of content) yield { id, storedAt }
    },
  }
}
