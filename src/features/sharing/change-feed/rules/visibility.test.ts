import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { KINDS, SCOPES_OF_KIND } from './kinds.ts'
import { type Change, isAccessOf, isAnnounced, judgeChange, type Reader, type What } from './visibility.ts'

const READER: Reader = {
  userId: 1,
  groupIds: new Set([10]),
  seesAllEvents: false,
  changesAllEvents: false,
  viewsUsers: false,
  viewsGroups: false,
  decidesAllHours: false,
  scopes: { public: true, me: true, confidential: true },
}
const NONE = { public: false, me: false, confidential: false }
const CHANGE: Change = {
  position: 1,
  kind: 'event',
  recordId: 5,
  at: '',
  cause: null,
  personId: null,
  beforeGroups: [10],
  afterGroups: [10],
  beforeState: null,
  afterState: null,
  users: [],
  lostUsers: [],
  gainedUsers: [],
  isPersonal: false,
  isNew: false,
  isParticipantShown: false,
  viewerUsers: [],
  viewerGroups: [],
}
type Case = [what: string, change: Partial<Change>, reader: Partial<Reader>, expected: What | undefined]
const run = (cases: readonly Case[], kind: Partial<Change> = {}) => {
  for (const [what, change, reader, expected] of cases) {
    test(`${what}: ${expected ?? 'nothing'}`, () =>
      assert.equal(judgeChange({ ...CHANGE, ...kind, ...change }, { ...READER, ...reader }), expected))
  }
}
const stranger = { groupIds: new Set([11]) }

describe('events', () => {
  run([
    ['changed for a group of the reader', {}, {}, 'updated'],
    ['without the scope', {}, { scopes: { ...READER.scopes, public: false } }, undefined],
    ['of other groups', {}, stranger, undefined],
    ['for all who see all', {}, { ...stranger, seesAllEvents: true }, 'updated'],
    ['drafts for those who see all', { beforeGroups: null, afterGroups: null }, { seesAllEvents: true }, undefined],
    ['published', { beforeGroups: null }, {}, 'visible'],
    ['new', { beforeGroups: null, isNew: true }, {}, 'created'],
    ['deleted', { afterGroups: null }, {}, 'gone'],
    ['for a person with a grant', { users: [1] }, stranger, 'updated'],
    ['for a person who got a grant', { users: [1], gainedUsers: [1] }, stranger, 'visible'],
    ['for a person who lost the grant', { lostUsers: [1] }, stranger, 'gone'],
    ['for another person with a grant', { users: [2], lostUsers: [2] }, stranger, undefined],
    ['personal news for the one who gained', { isPersonal: true, users: [1], gainedUsers: [1] }, stranger, 'visible'],
    ['personal news for the one who lost', { isPersonal: true, lostUsers: [1] }, stranger, 'gone'],
    ['personal news for others', { isPersonal: true, users: [2], gainedUsers: [2] }, {}, undefined],
  ])
})

describe('participations', () => {
  const own = { personId: 1, beforeState: 0, afterState: 1 }
  const others = { ...own, personId: 2, isParticipantShown: true }
  run(
    [
      ['own', own, {}, 'updated'],
      ['own, of an event that the reader no longer sees', own, stranger, 'updated'],
      ['own, being assigned, of an event that the reader sees', { ...own, beforeState: 4, afterState: 4 }, {}, 'updated'],
      ['own, being assigned, of another event', { ...own, beforeState: 4, afterState: 4 }, stranger, undefined],
      ['own, without scopes', own, { scopes: NONE }, undefined],
      ['own, without the scope for oneself', own, { scopes: { ...READER.scopes, me: false } }, 'updated'],
      ['own, new', { ...own, beforeState: null, isNew: true }, {}, 'created'],
      ['own, of a deleted event', { ...own, afterGroups: null }, {}, 'gone'],
      ['of others', others, {}, 'updated'],
      ['of others in another event', others, stranger, undefined],
      ['of others without the scope', others, { scopes: { ...READER.scopes, confidential: false } }, undefined],
      ['declined by others', { ...others, afterState: 2 }, {}, 'gone'],
      ['declined by others, for those who view people', { ...others, afterState: 2 }, { viewsUsers: true }, 'updated'],
      ['of people who are not shown', { ...others, isParticipantShown: false }, {}, undefined],
      ['not shown, for those who view people', { ...others, isParticipantShown: false }, { viewsUsers: true }, 'updated'],
      [
        'of visitors, for those who view people',
        { ...others, isParticipantShown: false, personId: null },
        { viewsUsers: true },
        undefined,
      ],
      ['not shown, for those who change events', { ...others, isParticipantShown: false }, { changesAllEvents: true }, 'updated'],
      ['not shown, for named people', { ...others, isParticipantShown: false, viewerUsers: [1] }, {}, 'updated'],
      ['not shown, for named groups', { ...others, isParticipantShown: false, viewerGroups: [10] }, {}, 'updated'],
      ['not shown, for other groups', { ...others, isParticipantShown: false, viewerGroups: [12] }, {}, undefined],
    ],
    { kind: 'participation' },
  )
})

describe('profiles', () => {
  const hidden = { beforeGroups: null, afterGroups: null }
  run(
    [
      ['the own one, hidden', { ...hidden, personId: 1 }, {}, 'updated'],
      ['the own one without the scope', { personId: 1 }, { scopes: { ...READER.scopes, me: false } }, undefined],
      ['of others', { personId: 2 }, { viewsUsers: true }, 'updated'],
      ['of others, hidden', { ...hidden, personId: 2 }, { viewsUsers: true }, undefined],
      ['of others without the permission', { personId: 2 }, {}, undefined],
      ['of others without the scope', { personId: 2 }, { viewsUsers: true, scopes: { ...NONE, me: true } }, undefined],
    ],
    { kind: 'user' },
  )
})

describe('working hours', () => {
  const others = { personId: 2, isParticipantShown: true }
  run(
    [
      ['own', { personId: 1 }, {}, 'updated'],
      ['own without the scope', { personId: 1 }, { scopes: { ...READER.scopes, me: false } }, undefined],
      ['own, deleted', { personId: 1, afterGroups: null }, {}, 'gone'],
      ['of others', others, {}, undefined],
      ['for those who view people', others, { viewsUsers: true }, 'updated'],
      ['for those who decide about all', others, { decidesAllHours: true }, 'updated'],
      ['for those who decide for the group', { ...others, viewerGroups: [10] }, {}, 'updated'],
      ['of hidden people', { ...others, isParticipantShown: false }, { viewsUsers: true }, undefined],
      ['without the scope', others, { viewsUsers: true, scopes: { ...NONE, me: true } }, undefined],
    ],
    { kind: 'working_hours' },
  )
})

describe('groups', () => {
  run(
    [
      ['for those who view groups', {}, { viewsGroups: true }, 'updated'],
      ['for others', {}, {}, undefined],
      ['without the scope', {}, { viewsGroups: true, scopes: { ...READER.scopes, confidential: false } }, undefined],
      ['hidden', { beforeGroups: null, afterGroups: null }, { viewsGroups: true }, undefined],
    ],
    { kind: 'group' },
  )
})

for (const kind of ['event_type', 'qualification', 'resource']) {
  describe(`records of kind ${kind}`, () => {
    run(
      [
        ['for everybody', { beforeGroups: [], afterGroups: [] }, {}, 'updated'],
        ['without the scope', {}, { scopes: { ...READER.scopes, public: false } }, undefined],
        ['deleted', { beforeGroups: [], afterGroups: null }, {}, 'gone'],
      ],
      { kind },
    )
  })
}

for (const kind of ['waiting_list', 'exchanges', 'inquiries', 'forecast', 'attendance']) {
  const asksForSight = kind === 'waiting_list' || kind === 'exchanges'
  describe(`records of planners of kind ${kind}`, () => {
    run(
      [
        ['for those who see the event', {}, {}, undefined],
        ['for those who change all events', {}, { changesAllEvents: true }, 'updated'],
        ['for responsible people', { viewerUsers: [1] }, {}, 'updated'],
        ['for responsible groups', { viewerGroups: [10] }, {}, 'updated'],
        ['for other responsible people', { viewerUsers: [2], viewerGroups: [12] }, {}, undefined],
        ['without the scope', { viewerUsers: [1] }, { scopes: { ...READER.scopes, confidential: false } }, undefined],
        ['of drafts', { viewerUsers: [1], beforeGroups: null, afterGroups: null }, { seesAllEvents: true }, undefined],
        [
          'of events that the planner does not see',
          {},
          { ...stranger, changesAllEvents: true },
          asksForSight ? undefined : 'updated',
        ],
      ],
      { kind },
    )
  })
}

for (const kind of ['own_waiting_list', 'own_exchanges', 'own_inquiries', 'own_attendance', 'availability', 'companions']) {
  const asksForSight = kind === 'own_waiting_list' || kind === 'companions'
  describe(`own records of kind ${kind}`, () => {
    run(
      [
        ['of the reader', { personId: 1 }, {}, 'updated'],
        ['of the reader without the scope', { personId: 1 }, { scopes: { ...READER.scopes, me: false } }, undefined],
        ['of others', { personId: 2 }, { seesAllEvents: true, changesAllEvents: true, viewsUsers: true }, undefined],
        ['of others, for responsible people', { personId: 2, viewerUsers: [1] }, {}, undefined],
        ['in events that the reader does not see', { personId: 1 }, stranger, asksForSight ? undefined : 'updated'],
        ['in drafts', { personId: 1, beforeGroups: null, afterGroups: null }, {}, undefined],
        ['deleted', { personId: 1, afterGroups: null }, {}, 'gone'],
        ['new', { personId: 1, beforeGroups: null, isNew: true }, {}, 'created'],
      ],
      { kind },
    )
  })
}

describe('access', () => {
  run(
    [
      ['of a group of the reader', { recordId: 10 }, {}, 'updated'],
      ['of another group', { recordId: 1 }, {}, undefined],
      ['of the reader', { recordId: 1, personId: 1 }, {}, 'updated'],
      ['of another person', { recordId: 10, personId: 2 }, {}, undefined],
    ],
    { kind: 'access' },
  )
  test('is no other kind', () => assert.equal(isAccessOf({ ...CHANGE, personId: 1 }, READER), false))
})

test('unknown kinds are not announced', () => {
  assert.deepEqual(['event', 'access', 'page'].map(isAnnounced), [true, true, false])
  assert.equal(judgeChange({ ...CHANGE, kind: 'page' }, READER), undefined)
})

describe('the scopes of a kind', () => {
  const about = { personId: 1, beforeState: 0, afterState: 1, isParticipantShown: true, viewerUsers: [1] }
  const mighty = { ...READER, viewsUsers: true, viewsGroups: true, decidesAllHours: true }
  for (const kind of KINDS)
    for (const [scope, part] of [
      ['PUBLIC_READ', 'public'],
      ['ME_READ', 'me'],
      ['CONFIDENTIAL_READ', 'confidential'],
    ] as const) {
      const needed = SCOPES_OF_KIND[kind]
      const isSeen = !needed.length || needed.includes(scope)
      test(`${scope} alone ${isSeen ? 'shows' : 'does not show'} changes of ${kind}`, () => {
        const scopes = { ...NONE, [part]: true }
        assert.equal(judgeChange({ ...CHANGE, ...about, kind }, { ...mighty, scopes }) !== undefined, isSeen)
      })
    }
})
