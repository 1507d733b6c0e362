import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mailBodies } from './mail-body.ts'
import { mailName } from './mail-name.ts'

/** What programs that show mails turn into links. */
const LINK = /https?:|www\.\S|\S@\S|\p{L}[.。．｡]\p{L}/u

for (const [what, name, expected] of [
  ['an ordinary name', 'Gus Gray', 'Gus Gray'],
  ['hyphens, apostrophes and initials', "Jean-Luc O'Neil, J. R. R.", "Jean-Luc O'Neil, J. R. R."],
  ['letters of other scripts', 'Łukasz Müller 李小龍 نیلوفر‌جان', 'Łukasz Müller 李小龍 نیلوفر‌جان'],
  ['initials without spaces', 'J.R.R. Tolkien', 'J. R. R. Tolkien'],
  ['an address of a website', 'Win at https://evil.example/now?a=1', 'Win at https evil. example now?a=1'],
  ['a website without a scheme', 'see evil.example', 'see evil. example'],
  ['wide characters for the same', 'see ｅｖｉｌ．ｅｘａｍｐｌｅ／ｎｏｗ', 'see evil. example now'],
  ['the full stop of other scripts', 'evil。example', 'evil. example'],
  ['a dot behind an invisible character', 'evil.\u200bexample', 'evil. example'],
  ['a mailbox', 'mallory@evil.example', 'mallory evil. example'],
  ['a line break', 'Gus\r\n\r\nYour account is blocked', 'Gus Your account is blocked'],
  ['other ways to break a line', 'Gus\u2028is\u2029blocked\u0085now', 'Gus is blocked now'],
  ['text that is shown backwards', 'Gus \u202eyarG', 'Gus yarG'],
  ['nothing that can be shown', '@\u200b/', '–'],
] as const)
  test(`a name in mails, ${what}`, () => {
    assert.equal(mailName(name), expected)
    assert.doesNotMatch(mailName(name), LINK)
  })

test('a name of 60 characters is complete, a longer one is cut', () => {
  assert.equal(mailName('x'.repeat(60)), 'x'.repeat(60))
  assert.equal(mailName('x'.repeat(61)), `${'x'.repeat(59)}…`)
  assert.equal([...mailName('𝒳😀'.repeat(50))].length, 60)
})

test('the greeting and the person whom a mail is for have such names, in both forms', () => {
  const words = { t: (_key: string, { name = '' } = {}) => name, language: 'en' } as never
  const { text, html } = mailBodies({
    words,
    siteName: 'Site',
    siteUrl: 'https://a.example',
    name: 'Gus evil.example',
    about: 'Kim bad.example',
    paragraphs: [],
  })
  for (const form of [text, html]) {
    assert.match(form, /Gus evil\. example/)
    assert.match(form, /Kim bad\. example/)
    assert.doesNotMatch(form, /evil\.example|bad\.example/)
  }
})
