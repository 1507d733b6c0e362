import { createHash, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { cleanFileName, detectFileType, type FileType, MacroSearch, mayBeArchive, SIGNATURE_BYTES } from './file-types.ts'
import { declaresMacros } from './macros.ts'
import type { PictureFault } from './picture-exits.ts'
import type { FileStore } from './store.ts'

/** A file that was sent with a form and passed the checks. Its bytes are stored; `keepFile` makes them permanent. */
export type Upload = { id: string; name: string; type: FileType; bytes: number; sha256: string }

/** A file as it was received. Without an id it is not stored: it is empty, too large or a picture with a fault. */
type ReceivedFile = Omit<Upload, 'id' | 'type'> & {
  id: string | undefined
  type: FileType | undefined
  isTooLarge: boolean
  fault?: PictureFault
}

/** Streams a file into the store. `isCut` tells at the end whether the size limit stopped it. */
export async function receiveFile(
  store: FileStore,
  name: string,
  source: AsyncIterable<Buffer>,
  isCut: () => boolean,
): Promise<ReceivedFile> {
  const id = randomUUID()
  const hash = createHash('sha256')
  let start = Buffer.alloc(0)
  let end = Buffer.alloc(0)
  const macros = new MacroSearch()
  /** The parts of an archive, which is read as a whole; its size is limited like that of every file. */
  const archive: Buffer[] = []
  let bytes = 0
  await store.put(
    id,
    (async function* () {
      for await (const chunk of source) {
        if (start.length < SIGNATURE_BYTES) start = Buffer.concat([start, chunk.subarray(0, SIGNATURE_BYTES)])
        end = Buffer.concat([end, chunk.subarray(-SIGNATURE_BYTES)]).subarray(-SIGNATURE_BYTES)
        macros.add(chunk)
        if (mayBeArchive(start) && !macros.hasMacros) archive.push(chunk)
        hash.update(chunk)
        bytes += chunk.length
        yield chunk
      }
    })(),
  )
  const isTooLarge = isCut()
  const isUsable = !isTooLarge && bytes > 0
  if (!isUsable) await store.delete(id)
  const type = detectFileType({ start, end, name, hasMacros: macros.hasMacros })
  const hasHiddenMacros = isUsable && type !== undefined && mayBeArchive(start) && (await declaresMacros(Buffer.concat(archive)))
  return {
    id: isUsable ? id : undefined,
    name,
    type: hasHiddenMacros ? undefined : type,
    bytes,
    sha256: hash.digest('hex'),
    isTooLarge,
  }
}

const received = z.custom<ReceivedFile>((value) => typeof value === 'object' && value !== null && 'isTooLarge' in value)

/** All files of a field as they were received, for forms that check several at once. Without a chosen file: none. */
export const receivedFiles: z.ZodType<ReceivedFile[]> = z
  .unknown()
  .transform((value) => (Array.isArray(value) ? value : []).flatMap((each) => received.safeParse(each).data ?? []))
  // Without a chosen file, browsers send an empty one without a name.
  .transform((files) => files.filter(({ name, bytes }) => name !== '' || bytes > 0))

/** Messages are keys of the catalogue. */
type UploadMessages = { missing?: string; tooLarge: string; wrongType: string }

/** A file of one of these types; without `missing`, no file is undefined. */
export function uploadSchema(types: readonly FileType[], messages: UploadMessages & { missing: string }): z.ZodType<Upload>
export function uploadSchema(types: readonly FileType[], messages: UploadMessages): z.ZodType<Upload | undefined>
export function uploadSchema(types: readonly FileType[], { missing, tooLarge, wrongType }: UploadMessages): z.ZodType<unknown> {
  return z.unknown().transform((value, context): Upload | undefined => {
    const refuse = (message: string) => {
      context.addIssue(message)
      return z.NEVER
    }
    const parsed = received.safeParse(Array.isArray(value) ? value[0] : value)
    // Without a chosen file, browsers send an empty one.
    if (!parsed.success || (parsed.data.bytes === 0 && !parsed.data.isTooLarge)) return missing ? refuse(missing) : undefined
    const { id, name, type, bytes, sha256, isTooLarge, fault } = parsed.data
    if (isTooLarge) return refuse(tooLarge)
    const isAccepted = type !== undefined && types.includes(type)
    if (fault && isAccepted) return refuse(`form.picture_${fault}`)
    if (type === 'image/heic' && types.includes('image/jpeg') && !isAccepted) return refuse('form.picture_heic')
    if (id === undefined || !isAccepted) return refuse(wrongType)
    return { id, name: cleanFileName(name, type), type, bytes, sha256 }
  })
}

/** Deletes the files of a form that was not accepted. */
export async function discardFiles(store: FileStore, files: readonly ReceivedFile[]): Promise<void> {
  for (const { id } of files) if (id !== undefined) await store.delete(id)
}

export type { ReceivedFile }
