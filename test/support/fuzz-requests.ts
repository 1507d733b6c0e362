import fc from 'fast-check'
import { type Endpoint, methodOf, type WriteEndpoint } from '#platform/http/endpoint.ts'
import { bodyFor } from './fuzz-bodies.ts'

export type FuzzRequest = { method: string; url: string; headers: Record<string, string | string[]>; body?: string }

/** Existing ids and values, so that some requests find records. */
export type Known = {
  ids: number[]
  emails: string[]
  /** Ids of records with their users, by a part of the path. The first part that a path contains counts. */
  records: [part: string, rows: { user: number; id: number }[]][]
  credentials: Record<string, string>[]
  partner: Record<string, string>
  /** Credentials with all scopes, by person; 0: the administrator. */
  tokens: ReadonlyMap<number, Record<string, string>>
}

const HOSTILE = [
  '',
  ' ',
  '0',
  '-1',
  '+1',
  '01',
  ' 1 ',
  '1.0',
  '1e3',
  '0x10',
  '1,2',
  ',',
  '1;2',
  '1/2',
  '../1',
  '..',
  '.',
  '1.json',
  '1.xml',
  'null',
  'undefined',
  'NaN',
  'true',
  'me',
  'Me',
  '[]',
  '{}',
  '__proto__',
  'constructor',
  'toString',
  '2147483648',
  '9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '9'.repeat(40),
  '1'.repeat(700),
  "' or 1=1 --",
  '"; drop table event; --',
  '%',
  '_',
  '\\',
  '\\%',
  '$(7*7)',
  '<script>',
  '\u0000',
  'a\u0000b',
  '\u202e',
  '\ufeff',
  'ä',
  'ß',
  'İ',
  '👩‍🚒',
  '１',
  '١',
  'e\u0301',
  '\u2028',
  '\r\nX-Bad: 1',
  'a\tb',
  '"',
  "'",
  '"a',
  '"a b" c',
  "o'neill",
]
const TIMES = [
  '2031-05-04',
  '2031-05-04T08:00',
  '2031-05-04T08:00:00Z',
  '2031-05-04T08:00:00+02:00',
  '20310504T0800',
  '2031-W18-7',
  '2031-03-30T02:30',
  '2031-10-26T02:30',
  '0001-01-01',
  '0001-01-01T00:00+14:00',
  '9999-12-31',
  '9999-12-31T23:59:59-12:00',
  '2031-05-04T24:00',
  '2031-02-30',
  '1935878400',
  '2031-05-04t08:00',
  '2031-05-04 08:00:00.123456789',
  '0000-00-00',
  '-0001-01-01',
]
const GARBAGE = [
  '%',
  '%z',
  '%zz',
  '%ff',
  '%c3%28',
  '%ed%a0%80',
  '%00',
  '%u0041',
  '%%%',
  '+',
  '&&',
  '=',
  '#',
  ';',
  '%2e%2e%2f',
  '%0d%0a',
]
const ORDERINGS = [
  'title',
  '-title',
  'start_time,-end_time',
  '-start_time',
  'id',
  '-event__title,label',
  'signup_flow_configuration',
  'x,-y',
]
/** Not signed by the instance. */
const CURSORS = ['eyJpZCI6MX0', 'A'.repeat(16), 'A'.repeat(40), '_-_-_-_-_-_-_-_-_-', 'AAAAAAAAAAAAAAAA=', 'a b']
const JUNK_NAMES = ['page', 'event[]', 'format', '__proto__', 'access_token', 'token', '', 'limit ', 'LIMIT', 'start_time']

const text = fc.string({ unit: 'binary', maxLength: 40 })
const hostile = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...HOSTILE) }, { weight: 1, arbitrary: text })

function valueFor(name: string, { ids, emails }: Known): fc.Arbitrary<string> {
  const id = fc.constantFrom(...ids).map(String)
  if (/time|gte|lte|since/.test(name)) return fc.oneof(fc.constantFrom(...TIMES), hostile)
  if (name === 'state') return fc.oneof(fc.constantFrom('0', '1', '2', '3', '4', '5'), hostile)
  if (name === 'limit' || name === 'offset') return fc.oneof(fc.nat({ max: 60 }).map(String), hostile)
  if (name === 'ordering') return fc.oneof(fc.constantFrom(...ORDERINGS), hostile)
  if (name === 'search') return fc.oneof(fc.constantFrom('a', 'übung', 'dienst wache', '"a b"', ...emails.slice(0, 2)), hostile)
  if (name === 'email') return fc.oneof(fc.constantFrom(...emails, emails.join(','), emails[0]!.toUpperCase()), hostile)
  if (name === 'cursor')
    return fc.oneof({ weight: 2, arbitrary: fc.constantFrom('', ...CURSORS) }, { weight: 1, arbitrary: hostile })
  if (name === 'fields') return fc.oneof(fc.constantFrom('id', 'id,title', 'display_name, id', 'x,y', ','), hostile)
  if (name === 'include') return fc.oneof(fc.constantFrom('participations', 'participations,', 'shifts'), hostile)
  if (name === 'format') return fc.oneof(fc.constantFrom('json', 'api', 'xml', 'yaml', ''), hostile)
  return fc.oneof(
    { weight: 3, arbitrary: id },
    { weight: 2, arbitrary: hostile },
    { weight: 1, arbitrary: fc.array(id, { maxLength: 8 }).map((many) => many.join(',')) },
  )
}

/** Names of the endpoint's own parameters, mostly. */
function pairFor(endpoint: Endpoint, known: Known): fc.Arbitrary<string> {
  const own = endpoint.kind === 'list' || endpoint.kind === 'record' ? Object.keys(endpoint.parameters) : []
  const name = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...own, 'limit', 'offset', 'cursor', 'fields', 'include') },
    { weight: 1, arbitrary: fc.constantFrom(...JUNK_NAMES) },
    { weight: 1, arbitrary: hostile },
  )
  const encoded = name.chain((each) => valueFor(each, known).map((value) => `${encode(each)}=${encode(value)}`))
  return fc.oneof({ weight: 9, arbitrary: encoded }, { weight: 1, arbitrary: fc.constantFrom(...GARBAGE) })
}

/** Lone surrogates cannot be encoded and become U+FFFD. */
const encode = (value: string): string => encodeURIComponent(value.toWellFormed())

function pathFor(endpoint: Endpoint, { ids, emails, records }: Known): fc.Arbitrary<string> {
  const rows = records.find(([part, found]) => endpoint.path.includes(part) && found.length)?.[1]
  const hit = (name: 'user' | 'id', [each, other]: [{ user: number; id: number }, number]) => (rows ? each[name] : other)
  const miss = fc.oneof(
    { weight: 2, arbitrary: hostile.map(encode) },
    { weight: 1, arbitrary: fc.constantFrom(...GARBAGE.filter((each) => !/[#&]/.test(each))) },
  )
  const email = fc.oneof(fc.constantFrom(...emails).map(encode), hostile.map(encode))
  const there = fc.tuple(fc.constantFrom(...(rows ?? [{ user: 0, id: 0 }])), fc.constantFrom(...ids))
  const ending = fc.oneof(
    { weight: 12, arbitrary: fc.constant('/') },
    { weight: 1, arbitrary: fc.constantFrom('', '.json', '.api/', '.xml', '//', '/x/') },
  )
  // `/api` without the slash is not an API path.
  const start = (path: string) => (path === '/api/' ? path : path.replace(/\/$/, ''))
  return fc.record({ there, miss, misses: fc.nat({ max: 5 }), email, ending }).map((chosen) => {
    const names = [...(endpoint.path as string).matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    // With two names, one may be invalid and the other valid.
    const wrong = chosen.misses < 3 ? names[chosen.misses % Math.max(names.length, 1)] : undefined
    const path = (endpoint.path as string).replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
      if (name === 'email') return chosen.email
      return name === wrong ? chosen.miss : String(hit(name as 'user' | 'id', chosen.there))
    })
    return `${start(path)}${chosen.ending}`.replace(/^\/api\/\/+/, '/api/')
  })
}

/** Characters that Node accepts in a header. */
const headerText = fc
  .string({
    unit: fc
      .integer({ min: 0x20, max: 0xff })
      .filter((code) => code !== 0x7f && (code < 0x80 || code > 0x9f))
      .map((code) => String.fromCharCode(code)),
    maxLength: 60,
  })
  .map((value) => value.trim())
const LONG = 'x'.repeat(3_000)

const headers = (credentials: Record<string, string>[]): fc.Arbitrary<Record<string, string | string[]>> => {
  const maybe = <T>(arbitrary: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })
  const rest = fc.record({
    accept: maybe(
      fc.oneof(
        fc.constantFrom(
          '*/*',
          'application/json',
          'text/html',
          'application/json; indent=4',
          'application/xml',
          'a/b;q=x',
          ',,,',
        ),
        headerText,
      ),
    ),
    'accept-language': maybe(fc.oneof(fc.constantFrom('de', 'en', 'de-AT,en;q=0.1', '*', ';q=', LONG), headerText)),
    'if-none-match': maybe(fc.oneof(fc.constant('*'), fc.constantFrom('W/"x"', '"', 'W/', ',,', LONG), headerText)),
    'content-type': maybe(
      fc.oneof(
        fc.constantFrom('application/json', 'text/plain', 'multipart/form-data', 'application/x-www-form-urlencoded'),
        headerText,
      ),
    ),
    'x-forwarded-for': maybe(headerText),
    origin: maybe(headerText),
    range: maybe(fc.constantFrom('bytes=0-1', 'x')),
  })
  const credential = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...credentials) },
    {
      weight: 1,
      arbitrary: fc
        .oneof(fc.constantFrom('Bearer', 'Bearer  ', `Bearer ${LONG}`, 'Basic x'), headerText)
        .map((authorization) => ({ authorization })),
    },
    { weight: 1, arbitrary: headerText.map((cookie) => ({ cookie })) },
  )
  return fc.tuple(rest, credential).map(([some, who]) => ({
    ...Object.fromEntries(Object.entries(some).filter((entry): entry is [string, string] => entry[1] !== undefined)),
    ...who,
  }))
}

/** The partner must not end its own link, or all its later requests would be refused. */
function credentialsFor({ access, kind }: Endpoint, { credentials, partner }: Known): Record<string, string>[] {
  if (kind === 'action') return credentials
  return access.kind === 'partner' ? [...credentials, ...credentials.map(() => partner)] : [...credentials, partner]
}

const METHODS = ['HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']
const LONGEST_URL = 12_000

const ETAGS = ['*', 'W/"x"', '"x"', 'W/', '', 'x', ',,', LONG]
const KEYS = ['key-1', 'key-2', 'key-3', '', 'with space', 'x'.repeat(300)]
const DRY_RUNS = ['', '?dry_run=true', '?dry_run=1', '?dry_run=false', '?dry_run=maybe', '?dry_run=true&dry_run=0', '?x=1']
/** Only own records are really changed: other writes could take the callers' accounts and permissions away. */
const isReal = ({ access }: WriteEndpoint): boolean => access.kind === 'scope' && access.scope === 'ME_WRITE'

/** A write with a body from its schema, mostly with all that it needs. */
function writeRequest(endpoint: WriteEndpoint, known: Known, body: fc.Arbitrary<string>): fc.Arbitrary<FuzzRequest> {
  const maybe = <T>(weight: number, arbitrary: fc.Arbitrary<T>) =>
    fc.oneof({ weight, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })
  return fc
    .record({
      path: pathFor(endpoint, known),
      body,
      query: isReal(endpoint) ? fc.constantFrom(...DRY_RUNS) : fc.constantFrom('?dry_run=true', '?dry_run=1', '?dry_run=TRUE'),
      ifMatch: fc.oneof(
        { weight: 8, arbitrary: fc.constant('*') },
        { weight: 2, arbitrary: fc.constantFrom(...ETAGS, undefined) },
      ),
      key: maybe(5, fc.constantFrom(...KEYS)),
      type: fc.oneof(
        { weight: 12, arbitrary: fc.constant('application/json') },
        {
          weight: 1,
          arbitrary: fc.constantFrom('application/merge-patch+json', 'text/plain', 'application/json; charset=utf-8', ''),
        },
      ),
      language: maybe(3, fc.constant('de')),
      who: fc.constantFrom(...known.credentials),
    })
    .map(({ path, body: sent, query, ifMatch, key, type, language, who }) => {
      const needsMatch = endpoint.method !== 'POST'
      const headers = Object.entries({
        'content-type': type,
        'if-match': needsMatch ? ifMatch : undefined,
        'idempotency-key': needsMatch ? undefined : key,
        'accept-language': language,
        ...who,
      }).filter((entry): entry is [string, string] => entry[1] !== undefined)
      return { method: endpoint.method, url: `${path}${query}`, headers: Object.fromEntries(headers), body: sent }
    })
}

/** Writes in one transaction. Nothing is stored, since they may be of any kind. */
function batchRequest(endpoint: WriteEndpoint, writes: fc.Arbitrary<FuzzRequest>, known: Known): fc.Arbitrary<FuzzRequest> {
  const operations = fc.array(writes, { minLength: 1, maxLength: 4 }).map((requests) =>
    JSON.stringify({
      operations: requests.map(({ method, url, headers: sent, body = '' }) => {
        const ifMatch = sent['if-match']
        return { method, path: url.split('?')[0]!, ...parsed(body), ...(ifMatch === undefined ? {} : { if_match: ifMatch }) }
      }),
    }),
  )
  return writeRequest(endpoint, known, operations)
}

function parsed(body: string): { body?: unknown } {
  try {
    return { body: JSON.parse(body) }
  } catch {
    return {}
  }
}

/** Reads a record or list that is there, as the person whose record it is. */
function plainRead(endpoint: Endpoint, { ids, emails, records, tokens, partner }: Known): fc.Arbitrary<FuzzRequest> {
  const rows = records.find(([part, found]) => endpoint.path.includes(part) && found.length)?.[1]
  const row = rows ? fc.constantFrom(...rows) : fc.constantFrom(...ids).map((id) => ({ user: 0, id }))
  return row.map(({ user, id }) => {
    const values: Record<string, string> = { id: String(id), user: String(user || 1), email: encode(emails[0]!) }
    const url = (endpoint.path as string).replaceAll(/\{(\w+)\}/g, (_all, name: string) => values[name] ?? String(id))
    const isOwn = endpoint.path.includes('/me/')
    const person = (isOwn ? tokens.get(user) : undefined) ?? tokens.get(0)!
    return { method: 'GET', url, headers: endpoint.access.kind === 'partner' ? partner : person }
  })
}

/** Generates valid and invalid requests from the declarations of the endpoints. */
export function anyRequest(endpoints: Endpoint[], known: Known): fc.Arbitrary<FuzzRequest> {
  const bodies = fc.oneof(fc.constantFrom('', '{}', '[]', '{"name":1}', 'name=a&code=b', 'null', '{"a":', LONG), text)
  const of = (endpoint: Endpoint): fc.Arbitrary<FuzzRequest> =>
    fc
      .record({
        method: fc.oneof(
          { weight: 9, arbitrary: fc.constant(methodOf(endpoint)) },
          { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
        ),
        path: pathFor(endpoint, known),
        query: fc.array(pairFor(endpoint, known), { maxLength: 5 }),
        headers: headers(credentialsFor(endpoint, known)),
        body: bodies,
      })
      .map(({ method, path, query, headers: sent, body }) => {
        const isRead = method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
        const parameters = isRead ? query : ['dry_run=true', ...query]
        const url = `${path}${parameters.length ? `?${parameters.join('&')}` : ''}`.slice(0, LONGEST_URL)
        return { method, url, headers: sent, ...(isRead ? {} : { body }) }
      })
  const nowhere = fc.record({
    method: fc.constantFrom('GET', ...METHODS),
    url: fc.array(hostile.map(encode), { maxLength: 4 }).map((parts) => `/api/${parts.join('/')}/`),
    headers: headers(known.credentials),
  })
  const readable = endpoints.filter(({ kind }) => kind === 'list' || kind === 'record')
  return fc.oneof(
    { weight: 20, arbitrary: fc.oneof(...endpoints.map(of)) },
    { weight: 10, arbitrary: anyWrite(endpoints, known) },
    { weight: 3, arbitrary: fc.oneof(...readable.map((each) => plainRead(each, known))) },
    { weight: 1, arbitrary: nowhere },
  )
}

/** Writes with bodies by the schemas of the endpoints, most of them with a mistake. */
export function anyWrite(endpoints: Endpoint[], known: Known): fc.Arbitrary<FuzzRequest> {
  const writes = endpoints.filter((endpoint): endpoint is WriteEndpoint => endpoint.kind === 'write')
  const isBatch = ({ path }: WriteEndpoint) => path === '/api/batch/'
  const single = writes.filter((each) => !isBatch(each)).map((each) => writeRequest(each, known, bodyFor(each.body, known)))
  const batches = writes.filter(isBatch).map((each) => batchRequest(each, fc.oneof(...single), known))
  return fc.oneof(...single, ...batches)
}
