import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import type { RequestContext } from '#platform/auth/context.ts'
import { preparePicture } from '#platform/files/pictures.ts'
import type { FileStore } from '#platform/files/store.ts'
import { discardFiles, receiveFile, type Upload } from '#platform/files/upload.ts'
import { scope } from '#platform/http/access.ts'
import { type Endpoint, recordEndpoint, writeEndpoint } from '#platform/http/endpoint.ts'
import { parseLikeForm } from '#platform/http/form-errors.ts'
import { Problem } from '#platform/http/problem.ts'
import { removePicture, setPicture } from './commands/picture.ts'
import { getPicture } from './queries.ts'
import { PROFILE_PICTURE, pictureForm } from './schema.ts'

/** Parsing holds up other requests, so that pictures are smaller here than on the page: about 6 MB, which base64 makes longer. */
const MAX_TEXT = 8_000_000
/** Some programs write line breaks. */
const NO_BASE64 = /[^\w+/=\s-]/
const EXAMPLE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4//8/AAX+Av4N70a4AAAAAElFTkSuQmCC'

const pictureRecord = z
  .strictObject({
    content_type: z.string().nullable().describe('null: there is no picture'),
    data: z.string().nullable().describe('The picture in base64'),
  })
  .meta({ id: 'OwnPicture', examples: [{ content_type: 'image/png', data: EXAMPLE }] })

/** `stored`: what the request has put into the store. */
type PictureBody = { data: string | null; stored?: Upload }
const changeBody = z
  .strictObject({
    data: z
      .string()
      .max(MAX_TEXT)
      .nullable()
      .describe('PNG, JPEG or WebP in base64, about 6 MB at most; null removes the picture'),
  })
  .meta({ example: { data: EXAMPLE } })

function filesOf({ site }: RequestContext): FileStore {
  if (!site.files) throw new Error('this endpoint needs the store of files')
  return site.files
}

async function getOwnPicture(context: RequestContext): Promise<z.infer<typeof pictureRecord> | undefined> {
  const { actor, db } = context
  if (actor.kind !== 'user') return undefined
  const picture = await getPicture(db, actor, actor.userId)
  const content = picture && (await filesOf(context).get(picture.id))
  if (!content) return { content_type: null, data: null }
  return { content_type: picture.content_type, data: (await buffer(content)).toString('base64') }
}

/** As the page does: checked by its bytes, upright, not larger than necessary, without metadata. A job deletes it if nothing refers to it. */
async function storePicture(context: RequestContext, { data }: PictureBody): Promise<PictureBody> {
  if (data === null) return { data }
  // Decoding would leave out what is no base64, the beginning of a `data:` URL for example.
  if (data.trim() === '' || NO_BASE64.test(data)) {
    const detail = context.words.t('profiles.picture_base64')
    throw new Problem('invalid_input', { errors: [{ pointer: '/data', code: 'picture_missing', detail }] })
  }
  const store = filesOf(context)
  const bytes = Buffer.from(data, 'base64')
  const received = await receiveFile(
    store,
    'picture',
    (async function* () {
      yield bytes
    })(),
    () => false,
  )
  const picture = await preparePicture(store, received, PROFILE_PICTURE)
  try {
    const checked = parseLikeForm(pictureForm.schema, { picture }, { words: context.words, keys: { picture: 'data' } })
    return { data, stored: checked.picture }
  } catch (error) {
    await discardFiles(store, [picture])
    throw error
  }
}

const path = '/api/users/me/picture/'
const shared = { path, name: 'Own Picture', tag: 'users', suffix: false } as const

export const ownPictureApi: Endpoint[] = [
  recordEndpoint({
    ...shared,
    access: scope('ME_READ'),
    operationId: 'users_me_picture_retrieve',
    summary: 'The own picture',
    parameters: {},
    record: pictureRecord,
    get: getOwnPicture,
    present: (row: z.infer<typeof pictureRecord>) => row,
  }),
  writeEndpoint<typeof path, PictureBody>({
    ...shared,
    method: 'PATCH',
    access: scope('ME_WRITE'),
    operationId: 'users_me_picture_update',
    summary: 'Upload or remove the own picture',
    description:
      'It is stored as from the page: turned upright, at most 1,024 pixels wide and high, without metadata such as the place. Not in a batch.',
    body: changeBody,
    maxBytes: MAX_TEXT + 1_000,
    prepare: storePicture,
    target: getOwnPicture,
    responses: { 200: { description: 'The own picture', schema: pictureRecord, access: scope('ME_READ') } },
    perform: async (context, _path, { stored }) => {
      await (stored ? setPicture(context, stored) : removePicture(context))
      const about = context.actor.kind === 'user' ? context.actor.userId : null
      return { status: 200, body: await getOwnPicture(context), about }
    },
  }),
]
