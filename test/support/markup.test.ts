import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkMarkup } from './markup.ts'

const wrong: [string, string, RegExp][] = [
  ['an unclosed tag', '<p>a', /not closed/],
  ['crossed tags', '<b><i></b></i>', /closes/],
  ['a stray bracket', '<p>a < b</p>', /not a tag/],
  ['the same id twice', '<p id="a"></p><p id="a"></p>', /2 times/],
  ['a field without label', '<input name="a">', /without label/],
  ['an image without alt', '<img src="/a.png">', /alt/],
  ['an svg without alternative', '<svg></svg>', /alternative/],
  ['an inline style', '<p style="color:red"></p>', /style/],
  ['a handler', '<p onclick="x()"></p>', /onclick/],
  ['a script address', '<a href="javascript:x">a</a>', /javascript/],
  ['a script without nonce', '<script>x</script>', /nonce/],
  ['a link without words', '<a href="/"></a>', /words/],
  ['a block in a paragraph', '<p><div></div></p>', /inside/],
  ['a form in a form', '<form><form></form></form>', /inside/],
  ['an attribute twice', '<p class="a" class="b"></p>', /twice/],
  ['two h1', '<html><h1>a</h1><h1>b</h1></html>', /2 h1/],
  ['a link to nowhere', '<html><h1>a</h1><a href="#b">c</a></html>', /not there/],
]
for (const [name, markup, problem] of wrong) test(`finds ${name}`, () => assert.match(checkMarkup(markup).join('\n'), problem))

test('finds nothing in sound markup', () => {
  const markup =
    '<!doctype html><html lang="en"><body><h1>a &lt; b</h1><label for="x">X</label><input id="x"><svg aria-hidden="true"><path d="M0 0"/></svg><br></body></html>'
  assert.deepEqual(checkMarkup(markup), [])
})
