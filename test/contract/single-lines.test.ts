import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { ENDPOINTS } from '#endpoints'
import { SCOPES } from '#platform/auth/scopes.ts'
import { bodyLine, SINGLE_LINE, toSingleLine } from '#platform/single-line.ts'
import { defineForm, email, text, textarea } from '#platform/ui/define-form.ts'
import { ANN, HELPERS, OLGA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

type Json = {
  type?: unknown
  properties?: Record<string, Json>
  items?: Json
  anyOf?: Json[]
  enum?: unknown
  const?: unknown
} & {
  format?: string
  pattern?: string
}

/** Fields with a free text. */
function freeTexts(schema: Json, at: string): { at: string; pattern: string | undefined }[] {
  if (schema.properties) return Object.entries(schema.properties).flatMap(([name, part]) => freeTexts(part, `${at}/${name}`))
  if (schema.items) return freeTexts(schema.items, `${at}/*`)
  if (schema.anyOf) return schema.anyOf.flatMap((part) => freeTexts(part, at))
  const isText = [schema.type].flat().includes('string')
  return isText && !schema.enum && !schema.const && !schema.format ? [{ at, pattern: schema.pattern }] : []
}

/** Judged by the form of the page, which takes one line. */
const BY_FORM = [
  '/api/users/ /display_name',
  '/api/users/ /email',
  '/api/users/ /phone',
  '/api/users/{id}/ /display_name',
  '/api/users/{id}/ /email',
  '/api/users/{id}/ /phone',
  '/api/users/me/details/ /display_name',
  '/api/users/me/details/ /phone',
  '/api/users/me/details/ /emergency_name',
  '/api/users/me/details/ /emergency_phone',
  '/api/users/me/picture/ /data',
  '/api/groups/ /name',
  '/api/users/me/availability/ /weekly/*/from',
  '/api/users/me/availability/ /weekly/*/until',
  '/api/groups/{id}/ /name',
  '/api/qualifications/ /title',
  '/api/qualifications/ /abbreviation',
  '/api/qualifications/{id}/ /title',
  '/api/qualifications/{id}/ /abbreviation',
  '/api/qualification-categories/ /title',
  '/api/qualification-categories/{id}/ /title',
  '/api/working-hours/ /date',
  '/api/working-hours/ /reason',
  '/api/working-hours/{id}/ /date',
  '/api/working-hours/{id}/ /reason',
]
/** Texts of several lines, and values that must be one of those that exist. */
const OTHERS =
  /\/(description|default_description|comment|reason|text|wish|place|signup_flow_slug|structure_slug|color|sub_block|path|if_match|answers|message|kinds\/\*\/kind)$/

describe('texts of one line in bodies of writes', () => {
  const found = ENDPOINTS.flatMap((endpoint) => {
    if (endpoint.kind !== 'write' || !endpoint.body) return []
    const schema = z.toJSONSchema(endpoint.body, { io: 'input', unrepresentable: 'any' }) as Json
    return freeTexts(schema, '').map(({ at, pattern }) => ({ name: `${endpoint.path} ${at}`, pattern }))
  })
  for (const { name, pattern } of found)
    test(name, () => {
      if (BY_FORM.includes(name) || OTHERS.test(name)) return
      assert.equal(pattern, SINGLE_LINE.source, 'uses bodyLine, or is listed here')
    })
  test('there are some', () => assert.ok(found.filter(({ pattern }) => pattern === SINGLE_LINE.source).length > 10))
})

const BROKEN = ['a\nb', 'a\rb', 'a\tb', 'a\u0007b', 'a\u0085b', 'a\u2028b', 'a\u2029b']

describe('line breaks and control characters', async () => {
  const world = await openWorld()
  const olga = world.as(OLGA, ...SCOPES)
  const event = await world.addEvent({ seenBy: [HELPERS], shifts: [{}] })
  const { body: type } = await olga.post('/api/event-types/', { title: 'Race' })
  const { body: category } = await olga.post('/api/qualification-categories/', { title: 'Medical' })
  const times = { start_time: '2031-06-04T08:00:00+02:00', end_time: '2031-06-04T10:00:00+02:00' }
  const cases: [method: 'POST' | 'PATCH', path: string, pointer: string, body: (text: string) => object][] = [
    ['POST', '/api/events/', '/title', (title) => ({ title, location: 'Pier', type: type.id })],
    ['POST', '/api/events/', '/location', (location) => ({ title: 'Run', location, type: type.id })],
    [
      'POST',
      '/api/events/',
      '/shifts/0/label',
      (label) => ({ title: 'Run', location: 'x', type: type.id, shifts: [{ ...times, label }] }),
    ],
    ['PATCH', `/api/events/${event.id}/`, '/title', (title) => ({ title })],
    ['PATCH', `/api/shifts/${event.shifts[0]}/`, '/label', (label) => ({ label })],
    [
      'PATCH',
      `/api/shifts/${event.shifts[0]}/`,
      '/structure_configuration/teams/0/title',
      (title) => ({ structure_slug: 'named_teams', structure_configuration: { teams: [{ title, min_count: 0 }] } }),
    ],
    ['POST', '/api/event-types/', '/title', (title) => ({ title })],
    ['POST', '/api/buildingblocks/', '/name', (name) => ({ name, block_type: 'atomic', positions: [{ label: 'x' }] })],
    [
      'POST',
      '/api/buildingblocks/',
      '/positions/0/label',
      (label) => ({ name: 'x', block_type: 'atomic', positions: [{ label }] }),
    ],
    ['POST', '/api/users/', '/display_name', (name) => ({ display_name: name, email: 'line@example.org' })],
    ['PATCH', '/api/users/me/details/', '/display_name', (name) => ({ display_name: name })],
    ['PATCH', '/api/users/me/details/', '/emergency_name', (name) => ({ emergency_name: name })],
    ['POST', '/api/groups/', '/name', (name) => ({ name })],
    ['POST', '/api/qualifications/', '/title', (title) => ({ title, category_id: category.id })],
    [
      'POST',
      '/api/qualifications/',
      '/abbreviation',
      (abbreviation) => ({ title: 'Medic', abbreviation, category_id: category.id }),
    ],
    ['POST', '/api/qualification-categories/', '/title', (title) => ({ title })],
    ['POST', '/api/working-hours/', '/reason', (reason) => ({ user: ANN.id, date: '2020-03-02', hours: 1, reason })],
    ['POST', '/api/users/me/working-hours/', '/reason', (reason) => ({ date: '2020-03-02', hours: 1, reason })],
    ['POST', `/api/shifts/${event.shifts[0]}/participations/`, '/placeholder', (placeholder) => ({ placeholder })],
    [
      'POST',
      '/api/webhooks/',
      '/name',
      (name) => ({ name, url: 'https://roster.example.org/', kinds: ['event'], scopes: ['PUBLIC_READ'] }),
    ],
  ]
  for (const [method, path, pointer, bodyWith] of cases)
    test(`${method} ${path.replaceAll(/\d+/g, '{id}')} refuses them in ${pointer}, and only there`, async () => {
      const options = { query: 'dry_run=true', headers: { 'if-match': '*' } }
      for (const broken of BROKEN) {
        const { status, body } = await olga.send(method, path, bodyWith(broken), options)
        assert.deepEqual(
          [status, body.errors?.map((each: { pointer: string }) => each.pointer)],
          [400, [pointer]],
          JSON.stringify(broken),
        )
        assert.match(body.errors[0].detail, /one line/)
      }
      const { status, text: answer } = await olga.send(method, path, bodyWith(' a b '), options)
      assert.ok(status < 300, answer)
    })
  test('are explained in the language of the caller', async () => {
    const { body } = await olga.post('/api/event-types/', { title: 'a\nb' }, { headers: { 'accept-language': 'de' } })
    assert.match(body.errors[0].detail, /eine Zeile/)
  })
})

test('fields of forms take one line, except those for several', () => {
  const { schema } = defineForm({
    plain: text({ label: 'form.which' }),
    own: text({ label: 'form.which', schema: z.string().transform(Number).default(7) }),
    address: email({ label: 'form.which' }),
    several: textarea({ label: 'form.which' }),
  })
  const fine = { plain: ' a b ', own: '5', address: 'a@b.example', several: 'a\nb' }
  assert.deepEqual(schema.parse(fine), { ...fine, plain: 'a b', own: 5 })
  assert.deepEqual(schema.parse({}), { plain: '', own: 7, address: '', several: '' })
  for (const broken of BROKEN)
    for (const field of ['plain', 'own', 'address']) {
      const { error } = schema.safeParse({ ...fine, [field]: broken })
      assert.deepEqual(
        error?.issues.map(({ path, message }) => [path, message]),
        [[[field], 'form.one_line']],
      )
    }
})

test('a form that reads its fields itself makes one line of them, as browsers do', () => {
  for (const broken of BROKEN) {
    assert.equal(toSingleLine(` ${broken}\n`), 'a b')
    assert.equal(bodyLine.safeParse(broken).success, false)
  }
  assert.equal(bodyLine.parse(' ä 🚒 \u200d ß '), 'ä 🚒 \u200d ß')
})
