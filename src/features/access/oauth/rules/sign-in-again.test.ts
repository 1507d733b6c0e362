import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mustSignInAgain } from './sign-in-again.ts'

const at = (seconds: number): Date => new Date(1_900_000_000_000 + seconds * 1000)
const CASES: [what: string, demand: Partial<Parameters<typeof mustSignInAgain>[0]>, expected: boolean][] = [
  ['a session is enough', {}, false],
  ['the application asks for it', { prompts: ['consent', 'login'] }, true],
  ['a sign-in after the request is enough', { prompts: ['login'], maxAge: 0, signedInAt: at(101) }, false],
  ['a sign-in at the time of the request is not after it', { prompts: ['login'], signedInAt: at(100) }, true],
  ['the sign-in is as old as allowed', { maxAge: 110 }, false],
  ['the sign-in is older than allowed', { maxAge: 109 }, true],
]
for (const [what, demand, expected] of CASES) {
  test(`${what}: ${expected ? 'again' : 'not again'}`, () =>
    assert.equal(
      mustSignInAgain({ prompts: [], maxAge: undefined, askedAt: at(100), signedInAt: at(0), now: at(110), ...demand }),
      expected,
    ))
}
