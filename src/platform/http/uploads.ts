import multipart, { type MultipartFile, type MultipartValue } from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type PictureLimits, preparePicture } from '#platform/files/pictures.ts'
import type { FileStore } from '#platform/files/store.ts'
import { discardFiles, type ReceivedFile, receiveFile } from '#platform/files/upload.ts'
import type { FormValues } from '#platform/ui/form-values.ts'
import { readForm } from './body.ts'
import { Problem } from './problem.ts'

/** Limits of a form with files. */
export type UploadLimits = {
  /** Of one file. Larger files are read and dropped, so that the form can say which one is too large. */
  maxBytes: number
  maxFiles?: number
  /** Of pictures, as they are stored. */
  pictures?: PictureLimits
}

const MAX_FIELD_BYTES = 256 * 1024
const MAX_FIELDS = 200
/** Of a whole request: a response to a larger one is sent at once, and most browsers then show an error of their own. */
export const MAX_TOTAL_BYTES = 128 * 1024 * 1024

type UploadForm = { values: FormValues; files: Record<string, ReceivedFile[]> }

/** The routes that `serve` adds accept forms with files. */
export async function acceptUploads(app: FastifyInstance, serve: (scope: FastifyInstance) => void): Promise<void> {
  await app.register(async (scope) => {
    await scope.register(multipart)
    serve(scope)
  })
}

/** Reads a form and streams its files into the store. Repeated names become lists. */
export async function readUploads(request: FastifyRequest, store: FileStore, limits: UploadLimits): Promise<UploadForm> {
  if (!request.isMultipart()) return { values: await readForm(request), files: {} }
  if (Number(request.headers['content-length'] ?? 0) > MAX_TOTAL_BYTES) throw new Problem('too_large')
  const form: UploadForm = { values: Object.create(null), files: Object.create(null) }
  try {
    for await (const part of request.parts({
      throwFileSizeLimit: false,
      limits: { fileSize: limits.maxBytes, files: limits.maxFiles ?? 1, fieldSize: MAX_FIELD_BYTES, fields: MAX_FIELDS },
    } as Parameters<FastifyRequest['parts']>[0])) {
      if (part.type === 'file') await addFile(form, store, part)
      else addField(form, part as MultipartValue<unknown>)
    }
  } catch (error) {
    await discardFiles(store, Object.values(form.files).flat())
    const { statusCode } = error as { statusCode?: number }
    if (error instanceof Problem || statusCode !== undefined) throw error
    // The parser's own errors have no code; failures of the store and of connections have one.
    if (error instanceof Error && !('code' in error)) throw new Problem('bad_request', { cause: error })
    throw error
  }
  return form
}

/** Pictures are stored without metadata. To be called when the request is known to be allowed: it takes time and memory. */
export async function prepareFiles(
  store: FileStore,
  files: UploadForm['files'],
  limits: UploadLimits,
): Promise<UploadForm['files']> {
  const prepared: UploadForm['files'] = Object.create(null)
  for (const [name, received] of Object.entries(files)) {
    prepared[name] = []
    for (const file of received) prepared[name].push(await preparePicture(store, file, limits.pictures))
  }
  return prepared
}

async function addFile({ files }: UploadForm, store: FileStore, { fieldname, filename, file }: MultipartFile): Promise<void> {
  const received = await receiveFile(store, filename ?? '', file, () => file.truncated)
  files[fieldname] = [...(files[fieldname] ?? []), received]
}

function addField({ values }: UploadForm, { fieldname, value, valueTruncated }: MultipartValue<unknown>): void {
  if (valueTruncated) throw new Problem('too_large')
  const earlier = values[fieldname]
  const text = String(value)
  values[fieldname] = earlier === undefined ? text : [...(Array.isArray(earlier) ? earlier : [earlier]), text]
}
