import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { FormValues } from '#platform/ui/form-values.ts'
import { Problem } from './problem.ts'

export const MAX_BODY_BYTES = 256 * 1024

/** The whole body as text; stops reading as soon as it is too large. */
export async function readText(request: FastifyRequest, most = MAX_BODY_BYTES): Promise<string> {
  return (await readBytes(request, most)).toString('utf8')
}

async function readBytes(request: FastifyRequest, most: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > most) throw new Problem('too_large')
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request.raw as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > most) throw new Problem('too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const mediaType = (request: FastifyRequest): string => (request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()

const READERS: Record<string, (text: string, contentType: string) => unknown> = {
  'application/json': parseJson,
  'application/x-www-form-urlencoded': (text) => Object.fromEntries(new URLSearchParams(text)),
  'multipart/form-data': parseMultipart,
}

/** Media types of bodies that actions take. */
export const PARSED_TYPES = Object.keys(READERS)

/** JSON and forms alike; all mistakes of the body at once. */
export async function readBody<Body>(request: FastifyRequest, schema: z.ZodType<Body>): Promise<Body> {
  const type = mediaType(request)
  if (!Object.hasOwn(READERS, type)) throw new Problem('unsupported_media_type')
  const parsed = schema.safeParse(await READERS[type]!(await readText(request), request.headers['content-type']!))
  if (parsed.success) return parsed.data
  const errors = parsed.error.issues.map((issue) => ({
    pointer: `/${issue.path.join('/')}`,
    code: issue.code,
    detail: issue.message,
  }))
  throw new Problem('invalid_input', { errors })
}

/** Files are nothing that an action wants. */
async function parseMultipart(text: string, contentType: string): Promise<unknown> {
  try {
    const form = await new Response(text, { headers: { 'content-type': contentType } }).formData()
    return Object.fromEntries([...form].filter(([, value]) => typeof value === 'string'))
  } catch (cause) {
    throw new Problem('bad_request', { cause })
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Problem('bad_request', { cause })
  }
}

/** A form as browsers send it; a repeated name becomes a list. */
export async function readForm(request: FastifyRequest, takesFiles = false): Promise<FormValues> {
  const type = mediaType(request)
  const isParts = takesFiles && type === 'multipart/form-data'
  if (type !== 'application/x-www-form-urlencoded' && !isParts) throw new Problem('unsupported_media_type')
  const values: FormValues = Object.create(null)
  for (const [name, value] of isParts ? await readParts(request) : new URLSearchParams(await readText(request))) {
    const earlier = values[name]
    values[name] = earlier === undefined ? value : [...(Array.isArray(earlier) ? earlier : [earlier]), value]
  }
  return values
}

/** A file becomes a `data:` address without a type, for what the sender calls it proves nothing; no file is an empty text. */
async function readParts(request: FastifyRequest): Promise<[string, string][]> {
  const body = new Uint8Array(await readBytes(request, MAX_BODY_BYTES))
  try {
    const form = await new Response(body, { headers: { 'content-type': request.headers['content-type']! } }).formData()
    return await Promise.all(
      [...form].map(async ([name, value]): Promise<[string, string]> => {
        if (typeof value === 'string') return [name, value]
        return [name, value.size ? `data:;base64,${Buffer.from(await value.arrayBuffer()).toString('base64')}` : '']
      }),
    )
  } catch (cause) {
    throw new Problem('bad_request', { cause })
  }
}
