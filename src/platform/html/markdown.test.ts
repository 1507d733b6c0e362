import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { renderHtml } from './html.ts'
import { markdownView } from './markdown.ts'

const show = (text: string) => renderHtml(markdownView(text))

test('renders lists, emphasis and line breaks', () => {
  assert.equal(show('- *a*\n- b'), '<div class="prose"><ul>\n<li><em>a</em></li>\n<li>b</li>\n</ul>\n</div>')
})

test('shows markup as text', () => {
  assert.match(show('<script>x</script>'), /&lt;script&gt;x&lt;\/script&gt;/)
})

describe('headings follow those of the page and skip no level', () => {
  for (const [levels, firstLevel, expected] of [
    [[1, 2, 3], 3, [3, 4, 5]],
    [[1, 2, 3], 2, [2, 3, 4]],
    [[3, 3, 1, 2], 3, [3, 3, 3, 4]],
    [[1, 4, 2, 6], 2, [2, 3, 3, 4]],
    [[1, 2, 3, 4, 5, 6], 3, [3, 4, 5, 6, 6, 6]],
  ] as const)
    test(`${levels} below level ${firstLevel - 1}`, () => {
      const text = levels.map((level) => `${'#'.repeat(level)} a`).join('\n\n')
      const shown = renderHtml(markdownView(text, { firstLevel }))
      const read = [...shown.matchAll(/<h(\d)>a<\/h(\d)>/g)].map(([, open, close]) => [Number(open), Number(close)])
      assert.deepEqual(
        read,
        expected.map((level) => [level, level]),
      )
    })
  test('by default below a section of the page', () => assert.match(show('# a'), /<h3>a<\/h3>/))
})

test('links only http, https and mailto, with rel="nofollow"', () => {
  assert.match(show('[a](https://a.example)'), /<a href="https:\/\/a\.example" rel="nofollow noopener">a<\/a>/)
  assert.match(show('https://a.example/x'), /<a href="https:\/\/a\.example\/x" rel="nofollow noopener">/)
  assert.match(show('[a](mailto:a@b.example)'), /<a href="mailto:a@b\.example"/)
  for (const url of ['javascript:alert(1)', 'data:text/html,x', 'file:///etc', '//evil.example', 'JaVaScRiPt:x', 'ftp://a']) {
    assert.doesNotMatch(show(`[a](${url})`), /<a /, url)
  }
  assert.match(show('[a]()'), /<p><a>a<\/a><\/p>/)
})

test('does not render images', () => {
  assert.doesNotMatch(show('![a](https://a.example/x.png)'), /<img/)
})

test('renders only allowed tags for any input', () => {
  const unit = fc.constantFrom(
    '<',
    '>',
    '"',
    '[',
    ']',
    '(',
    ')',
    '`',
    '*',
    '#',
    '!',
    '\n',
    ' ',
    'a',
    'javascript:',
    'https://a',
    '&',
  )
  const tags = /^(div|p|h[3-6]|ul|ol|li|em|strong|code|pre|blockquote|hr|br|a|s|table|thead|tbody|tr|th|td)$/
  fc.assert(
    fc.property(fc.string({ unit }), (text) => {
      for (const [, name] of show(text).matchAll(/<\/?([a-z0-9]+)/gi)) assert.match(name!, tags)
      assert.doesNotMatch(show(text), /href="(?!https?:\/\/|mailto:)/)
    }),
  )
})
