import type { ParticipantMount } from '#features/staffing/participations/points.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import type { FileStore } from '#platform/files/store.ts'
import { signedIn } from '#platform/http/access.ts'
import { downloadFile } from '#platform/http/file-download.ts'
import { type Download, type Page, viewPage } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import { type AttachmentDetails, getAttachment } from '../queries.ts'

export type FileOptions = { files: FileStore; maxBytes: number; quotaBytes: number }

type Downloadable = Pick<AttachmentDetails, 'fileId' | 'name' | 'type' | 'bytes'>

export function download({ words }: RequestContext, store: FileStore, file: Downloadable | undefined): Promise<Download> {
  if (!file) throw new Problem('not_found')
  const { fileId, name, type, bytes } = file
  if (fileId === null || name === null || type === null || bytes === null)
    throw new Problem('not_found', { detail: words.t('files.missing_detail') })
  return downloadFile(store, { id: fileId, name, content_type: type, bytes })
}

export const downloadPage = ({ files }: FileOptions): Page =>
  viewPage({
    path: '/events/{event}/files/{id}/',
    access: signedIn,
    show: async ({ context, path }) => download(context, files, await getAttachment(context, path.event, path.id)),
  })

/** Downloads at the URLs of visitors and guests, whose mount decides about access to the event. */
const downloadPageFor = ({ mount, eventPath }: ParticipantMount, files: FileStore): Page =>
  viewPage({
    path: `${eventPath}files/{id}/`,
    access: mount.access,
    show: async (request) => {
      const mounted = await mount.authorize(request)
      if (!('links' in mounted)) return mounted
      const id = (request.path as { id: number }).id
      if (mounted.eventId === undefined) throw new Problem('not_found')
      const content = await download(request.context, files, await getAttachment(request.context, mounted.eventId, id))
      return { ...content, headers: { ...mounted.headers, ...content.headers } }
    },
  })

/** Downloads for those who take part under other paths. */
export const downloadPageAt =
  (files: FileStore) =>
  (place: ParticipantMount): Page => {
    const page = downloadPageFor(place, files)
    return place.wrap?.(page) ?? page
  }
