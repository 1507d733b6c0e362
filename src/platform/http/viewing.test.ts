import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ANONYMOUS, makeActor, type UserActor } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { SESSIONS } from '#test/support/http-server.ts'
import type { Page } from './page.ts'
import { Problem } from './problem.ts'
import { checkViewing, csrfSession, isViewing, withoutWrites } from './viewing.ts'

const words = wordsFor('en', 'UTC')
const ann = SESSIONS.get('ann')!
const olga = { userId: 8, displayName: 'Olga', until: new Date() }
const viewed = makeActor<UserActor>({ ...ann, viewedBy: olga })
const viewedBen = makeActor<UserActor>({ ...viewed, userId: 9 })

test('who looks at pages as somebody else is viewing', () => {
  assert.deepEqual([isViewing(viewed), isViewing(ann), isViewing(ANONYMOUS)], [true, false, false])
})

describe('an administrator who looks as somebody else', () => {
  const [CHANGES, PERSONAL] = [words.t('problem.viewing_changes'), words.t('problem.viewing_personal')]
  const CASES: [what: string, page: Partial<Page>, method: string, refusal: string | undefined][] = [
    ['reads a page', { kind: 'view' }, 'GET', undefined],
    ['reads a form', { kind: 'form' }, 'GET', undefined],
    ['reads a page that changes nothing', { kind: 'view', requires: 'recentSignInToSubmit' }, 'GET', undefined],
    ['does not submit', { kind: 'form' }, 'POST', CHANGES],
    ['submits what stops it', { kind: 'action', isForViewing: true }, 'POST', undefined],
    ['does not read what is personal', { kind: 'view', isPersonal: true }, 'GET', PERSONAL],
    ['does not read what changes when it is shown', { kind: 'view', writes: true }, 'GET', PERSONAL],
    ['does not read what needs a recent proof', { kind: 'view', requires: 'recentSignIn' }, 'GET', PERSONAL],
    ['reads what is personal and for viewing', { kind: 'view', isPersonal: true, isForViewing: true }, 'GET', undefined],
  ]
  for (const [what, page, method, refusal] of CASES)
    test(what, () => {
      const check = (actor: typeof viewed) => checkViewing(page as Page, { actor, words, method })
      if (refusal === undefined) check(viewed)
      else
        assert.throws(
          () => check(viewed),
          (error) => error instanceof Problem && error.code === 'permission_denied' && error.detail === refusal,
        )
      check(ann)
    })
})

test('a form that was opened as somebody belongs to no other session', () => {
  const session = Buffer.alloc(32, 7)
  assert.equal(csrfSession(ann, session), session)
  assert.equal(csrfSession(ANONYMOUS, undefined), undefined)
  assert.equal(csrfSession(viewed, undefined), undefined)
  const marks = [
    session,
    csrfSession(viewed, session)!,
    csrfSession(viewedBen, session)!,
    csrfSession(viewed, Buffer.alloc(32, 8))!,
  ]
  assert.equal(new Set(marks.map((mark) => mark.toString('hex'))).size, 4)
  assert.deepEqual(csrfSession(viewed, session), marks[1])
})

test('a command that runs all the same finds no connection', () => {
  const context = { db: { insertInto: () => {} }, requestId: 'r1' } as unknown as CommandContext
  const looking = withoutWrites(context, words)
  assert.equal(looking.requestId, 'r1')
  assert.throws(
    () => looking.db.insertInto,
    (error) =>
      error instanceof Problem && error.code === 'permission_denied' && error.detail === words.t('problem.viewing_changes'),
  )
})
