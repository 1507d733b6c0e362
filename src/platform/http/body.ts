import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type Language, type SourceLanguage, sourceLanguageOf } from '#platform/i18n/languages.ts'
import type { Words } from '#platform/i18n/words.ts'
import { parseForeignJson } from '#platform/json-depth.ts'
import { findJsonFault } from '#platform/json-fault.ts'
import { SINGLE_LINE } from '#platform/single-line.ts'
import type { FormValues } from '#platform/ui/form-values.ts'
import { YEARS_RULE } from './body-day.ts'
import { type InputError, Problem } from './problem.ts'

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
  const { body, errors } = judgeBody(await parseBody(request), schema, ACTION_STYLE)
  if (errors.length) throw new Problem('invalid_input', { errors })
  return body as Body
}

const JSON_TYPES = ['application/json', 'application/merge-patch+json']

/** The body of a write as it was sent, and parsed. Without content it is an empty object, whatever its type. */
export async function readJson(
  request: FastifyRequest,
  words: Words,
  maxBytes = MAX_BODY_BYTES,
): Promise<{ text: string; value: unknown }> {
  const refuse = () =>
    new Problem('unsupported_media_type', {
      detail: words.t('problem.send_json', { type: JSON_TYPES[0]! }),
      headers: { accept: JSON_TYPES.join(', ') },
    })
  const isJson = JSON_TYPES.includes(mediaType(request))
  if (!isJson && Number(request.headers['content-length'] ?? 0) > 0) throw refuse()
  const bytes = await readBytes(request, maxBytes)
  if (bytes.length === 0) return { text: '', value: {} }
  if (!isJson) throw refuse()
  if (!isIdentity(request)) {
    const headers = { 'accept-encoding': 'identity' }
    throw new Problem('unsupported_media_type', { detail: words.t('problem.send_uncompressed'), headers })
  }
  const text = readUtf8(bytes)
  if (text === undefined) throw new Problem('bad_request', { detail: words.t('problem.send_utf8') })
  try {
    return { text, value: parseForeignJson(text) }
  } catch (cause) {
    const fault = findJsonFault(text)
    throw new Problem('bad_request', {
      cause,
      detail: fault ? words.t('problem.malformed_json', fault) : words.t('problem.deep_json'),
    })
  }
}

const isIdentity = ({ headers }: FastifyRequest): boolean =>
  ['', 'identity'].includes((headers['content-encoding'] ?? '').trim().toLowerCase())

const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** Undefined for bytes of other encodings, which would be stored as replacement characters. A byte order mark is left out. */
function readUtf8(bytes: Buffer): string | undefined {
  try {
    return UTF8.decode(bytes)
  } catch {
    return undefined
  }
}

/** How a body is judged. */
type BodyStyle = {
  language: SourceLanguage
  /** How mistakes are described. */
  messages: z.core.$ZodErrorMap
  /** The pointer to the whole body. */
  root: string
}

/** The parsed body, if there are no errors. Without a schema, only an empty object is valid. */
function judgeBody(value: unknown, schema: z.ZodType | undefined, { language, messages, root }: BodyStyle) {
  const parsed = (schema ?? z.strictObject({})).safeParse(value, { error: messages })
  function* findErrors() {
    for (const issue of parsed.error?.issues ?? []) yield* inputErrors(issue, language)
    yield* findUnstorable(value, language)
  }
  const errors = firstErrors(findErrors())
  return { body: parsed.data, errors: errors.map((error) => (error.pointer === '' ? { ...error, pointer: root } : error)) }
}

/** Characters of pointers and texts. Each mistake can name a key that is nearly as long as the body. */
const ENOUGH_ERRORS = 65_536

function firstErrors(errors: Iterable<InputError>): InputError[] {
  const first: InputError[] = []
  let length = 0
  for (const error of errors) {
    first.push(error)
    length += (error.pointer ?? '').length + error.detail.length
    if (length > ENOUGH_ERRORS) break
  }
  return first
}

/** All mistakes in the types of the body of a write, or the body. */
export const judgeWriteBody = (value: unknown, schema: z.ZodType | undefined, language: Language) =>
  judgeBody(value, schema, styleFor(language))

const UNSTORABLE: Record<SourceLanguage, string> = {
  en: 'Invalid text: contains a null character or half of a surrogate pair',
  de: 'Ungültiger Text: enthält ein Nullzeichen oder ein halbes Surrogatpaar',
}

/** PostgreSQL stores neither null characters nor lone surrogates. */
function* findUnstorable(value: unknown, language: SourceLanguage, path: readonly string[] = []): Iterable<InputError> {
  const isBad = (text: string) => text.includes('\0') || !text.isWellFormed()
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : []
  if (typeof value === 'string' ? isBad(value) : entries.some(([name]) => isBad(name)))
    yield { pointer: jsonPointer(path).toWellFormed(), code: 'invalid_text', detail: UNSTORABLE[language] }
  for (const [name, each] of entries) yield* findUnstorable(each, language, [...path, name])
}

type PartOptions = {
  language: Language
  /** Where the part is in the body. */
  at: readonly PropertyKey[]
  /** Keys that are not errors although the schema does not have them. */
  allowedKeys: ReadonlySet<string>
}

/** Errors of a part of a body whose schema depends on other keys. Unknown keys are errors, also of loose objects. */
export function findPartErrors(
  schema: z.ZodType,
  value: unknown,
  { language: wanted, at, allowedKeys }: PartOptions,
): InputError[] {
  const language = sourceLanguageOf(wanted)
  const parsed = schema.safeParse(value, { error: MESSAGES[language] })
  const wrong = (parsed.error?.issues ?? []).flatMap((issue) => inputErrors(issue, language, at))
  const unknown = findUnknownKeys(schema, value, at).filter((path) => !allowedKeys.has(String(path.at(-1))))
  return [...wrong, ...unknown.map((path) => unknownKeyError(path, language))]
}

function unknownKeyError(path: readonly PropertyKey[], language: SourceLanguage): InputError {
  const keys = [String(path.at(-1))]
  const message = MESSAGES[language]({ code: 'unrecognized_keys', keys, path: [], input: undefined } as never)
  const detail = typeof message === 'string' ? message : (message?.message ?? keys[0]!)
  return { pointer: jsonPointer(path), code: 'unrecognized_keys', detail }
}

function findUnknownKeys(schema: z.core.$ZodType, value: unknown, path: readonly PropertyKey[]): PropertyKey[][] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return findUnknownKeys(schema.unwrap(), value, path)
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.flatMap((each, index) => findUnknownKeys(schema.element, each, [...path, index]))
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) =>
    Object.hasOwn(schema.shape, key) ? findUnknownKeys(schema.shape[key], part, [...path, key]) : [[...path, key]],
  )
}

const LINES: Record<SourceLanguage, z.core.$ZodErrorMap> = {
  en: withLines(
    withYears(z.locales.en().localeError, 'Invalid date: the years 1900 to 2199 are possible'),
    'Invalid text: one line, without tabs and other control characters',
  ),
  de: withLines(
    withYears(z.locales.de().localeError, 'Ungültiges Datum: möglich sind die Jahre 1900 bis 2199'),
    'Ungültiger Text: eine Zeile, ohne Tabulatoren und andere Steuerzeichen',
  ),
}
const MESSAGES: Record<SourceLanguage, z.core.$ZodErrorMap> = {
  en: withRequired(LINES.en, 'Is required'),
  de: withRequired(LINES.de, 'Muss angegeben werden'),
}
function styleFor(wanted: Language): BodyStyle {
  const language = sourceLanguageOf(wanted)
  return { language, messages: MESSAGES[language], root: '' }
}

/** Answers of actions stay as they always were, byte by byte. */
const ACTION_STYLE: BodyStyle = { language: 'en', messages: LINES.en, root: '/' }

/** What is not there has no type that could be wrong. */
function withRequired(map: z.core.$ZodErrorMap, text: string): z.core.$ZodErrorMap {
  const codes = ['invalid_type', 'invalid_value', 'invalid_union']
  return (issue) => (issue.input === undefined && codes.includes(issue.code ?? '') ? text : map(issue))
}

/** Patterns are no explanation. */
function withLines(map: z.core.$ZodErrorMap, text: string): z.core.$ZodErrorMap {
  return (issue) => (issue.code === 'invalid_format' && issue.pattern === String(SINGLE_LINE) ? text : map(issue))
}

function withYears(map: z.core.$ZodErrorMap, text: string): z.core.$ZodErrorMap {
  return (issue) => (issue.code === 'custom' && issue.params?.rule === YEARS_RULE ? text : map(issue))
}

/** Unknown keys get one error each, at their place, that names no other: with all of them it would grow by the square. */
function inputErrors(issue: z.core.$ZodIssue, language: SourceLanguage, at: readonly PropertyKey[] = []): InputError[] {
  const path = [...at, ...issue.path]
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKeyError([...path, key], language))
  return [{ pointer: jsonPointer(path), code: issue.code, detail: issue.message }]
}

/** RFC 6901. */
function jsonPointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
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

/** `true`: small ones. */
export type FilesInForm = boolean | { maxBytes: number }

type FormLimits = { files?: FilesInForm | undefined; maxBytes?: number | undefined }

/** Parses a form; repeated names become a list. */
export async function readForm(request: FastifyRequest, { files = false, maxBytes }: FormLimits = {}): Promise<FormValues> {
  const type = mediaType(request)
  const isMultipart = files !== false && type === 'multipart/form-data'
  if (type !== 'application/x-www-form-urlencoded' && !isMultipart) throw new Problem('unsupported_media_type')
  const values: FormValues = Object.create(null)
  const fields = isMultipart ? await readMultipart(request, files) : new URLSearchParams(await readText(request, maxBytes))
  for (const [name, value] of fields) {
    const earlier = values[name]
    values[name] = earlier === undefined ? value : [...(Array.isArray(earlier) ? earlier : [earlier]), value]
  }
  return values
}

/** Files become `data:` URLs without a media type, because the type that the client claims cannot be trusted; no file is ''. */
async function readMultipart(request: FastifyRequest, files: FilesInForm): Promise<[string, string][]> {
  const maxBytes = typeof files === 'object' ? files.maxBytes : MAX_BODY_BYTES
  const body = new Uint8Array(await readBytes(request, maxBytes))
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
