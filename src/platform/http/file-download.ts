import { FILE_TYPES, type FileType } from '#platform/files/file-types.ts'
import type { FileStore } from '#platform/files/store.ts'
import type { Download } from './page.ts'
import { requireFound } from './problem.ts'

type DownloadedFile = { id: string; name: string; content_type: string; bytes: number }

const POLICY = "default-src 'none'; frame-ancestors 'none'"

/**
 * A file that somebody uploaded. Pictures and PDF are shown by the browser, everything else is saved; the policy keeps even a file with
 * misleading content from running scripts or loading anything.
 */
export async function downloadFile(store: FileStore, { id, name, content_type, bytes }: DownloadedFile): Promise<Download> {
  const content = requireFound(await store.get(id))
  const isShown = FILE_TYPES[content_type as FileType]?.isShown ?? false
  // Browsers do not open their PDF viewer, which has a sandbox of its own, in a sandboxed document.
  const isSandboxed = content_type !== 'application/pdf'
  return {
    content,
    contentType: content_type,
    headers: {
      'content-length': String(bytes),
      'content-disposition': `${isShown ? 'inline' : 'attachment'}; ${fileNameParameters(name)}`,
      'content-security-policy': isSandboxed ? `${POLICY}; sandbox` : POLICY,
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    },
  }
}

/** RFC 6266: a name in ASCII for old clients, and the complete one. */
function fileNameParameters(name: string): string {
  const ascii = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)
  return `filename="${ascii}"; filename*=UTF-8''${encoded}`
}
