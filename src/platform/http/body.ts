import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { parseForeignJson } from '#platform/json-depth.ts'
import type { FormValues } from '#platform/ui/form-values.ts'
import { Problem } from './problem.ts'

const MAX_BODY_BYTES = 256 * 1024

/** The body as text; stops reading at the size limit. */
async function readText(request: FastifyRequest, maxBytes = MAX_BODY_BYTES): Promise<string> {
  return (await readBytes(request, maxBytes)).toString('utf8')
}

async function readBytes(request: FastifyRequest, maxBytes: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw new Problem('too_large')
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request.raw as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) throw new Problem('too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const mediaType = (request: FastifyRequest): string => (request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()

const PARSERS: Record<string, (text: string, contentType: string) => unknown> = {
  'application/json': parseJson,
  'application/x-www-form-urlencoded': (text) => Object.fromEntries(new URLSearchParams(text)),
  'multipart/form-data': parseMultipart,
}

/** Media types that actions accept. */
export const PARSED_TYPES = Object.keys(PARSERS)

/** Parses JSON and forms; reports all errors at once. */
export async function readBody<Body>(request: FastifyRequest, schema: z.ZodType<Body>): Promise<Body> {
  const parsed = schema.safeParse(await parseBody(request))
  if (parsed.success) return parsed.data
  const errors = parsed.error.issues.map((issue) => ({
    pointer: `/${issue.path.join('/')}`,
    code: issue.code,
    detail: issue.message,
  }))
  throw new Problem('invalid_input', { errors })
}

/** Without content, the type of the content does not matter. */
async function parseBody(request: FastifyRequest): Promise<unknown> {
  const type = mediaType(request)
  const isKnown = Object.hasOwn(PARSERS, type)
  if (!isKnown && Number(request.headers['content-length'] ?? 0) > 0) throw new Problem('unsupported_media_type')
  const text = await readText(request)
  if (text === '') return {}
  if (!isKnown) throw new Problem('unsupported_media_type')
  return PARSERS[type]!(text, request.headers['content-type']!)
}

/** Ignores files. */
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
    return parseForeignJson(text)
  } catch (cause) {
    throw new Problem('bad_request', { cause })
  }
}

/** Parses a form; repeated names become a list. */
export async function readForm(request: FastifyRequest, acceptsFiles = false): Promise<FormValues> {
  const type = mediaType(request)
  const isMultipart = acceptsFiles && type === 'multipart/form-data'
  if (type !== 'application/x-www-form-urlencoded' && !isMultipart) throw new Problem('unsupported_media_type')
  const values: FormValues = Object.create(null)
  for (const [name, value] of isMultipart ? await readMultipart(request) : new URLSearchParams(await readText(request))) {
    const earlier = values[name]
    values[name] = earlier === undefined ? value : [...(Array.isArray(earlier) ? earlier : [earlier]), value]
  }
  return values
}

/** Files become `data:` URLs without a media type, because the type that the client claims cannot be trusted; no file is ''. */
async function readMultipart(request: FastifyRequest): Promise<[string, string][]> {
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
