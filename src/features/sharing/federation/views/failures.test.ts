import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#app' // registers the words of all features
import { wordsFor } from '#platform/i18n/words.ts'
import { failureText } from './failures.ts'

const CASES: [message: string, english: string, german: string][] = [
  ['Invite code is not valid', 'the code is not valid', 'der Code ist ungültig'],
  ['Invite code is expired', 'the code has expired', 'der Code ist abgelaufen'],
  ['the invitation was refused', 'it gave no reason', 'ein Grund wurde nicht genannt'],
  ['connect ECONNREFUSED 127.0.0.1:1', 'it cannot be reached', 'die Instanz ist nicht erreichbar'],
  ['no response within 5 seconds', 'no response within 5 seconds', 'keine Antwort innerhalb von 5 Sekunden'],
  ['it answered 502', 'it answered with the error 502', 'die Instanz hat mit dem Fehler 502 geantwortet'],
  ['the list is no JSON', 'its response cannot be understood', 'die Antwort ist nicht verständlich'],
  ['Quota of guests exceeded', 'Quota of guests exceeded', 'Quota of guests exceeded'],
]
for (const [message, english, german] of CASES)
  test(`explains “${message}” in both languages`, () => {
    assert.equal(failureText(wordsFor('en', 'UTC'), message), english)
    assert.equal(failureText(wordsFor('de', 'UTC'), message), german)
  })
