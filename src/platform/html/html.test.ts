import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { attrs, type Child, html, renderHtml, trustedHtml } from './html.ts'

const show = (...values: Child[]) => renderHtml(html`<p>${values}</p>`)
const nasty = fc.oneof(
  fc.string(),
  fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', '/', '=', ' ', '\n', 'a', '`', '-', '!') }),
)

describe('html', () => {
  test('escapes text and attribute values', () => {
    const x = `<img src=x onerror="a('b')">&`
    assert.equal(
      renderHtml(html`<p title="${x}">${[html`<b>${1}</b>`, x]}</p>`),
      '<p title="&lt;img src=x onerror=&quot;a(&#39;b&#39;)&quot;&gt;&amp;"><b>1</b>&lt;img src=x onerror=&quot;a(&#39;b&#39;)&quot;&gt;&amp;</p>',
    )
  })

  test('leaves out characters that turn text around', () => {
    assert.equal(
      renderHtml(html`<p title="${'a\u202eb'}">${'Gus \u202eyarG\u202c \u2066x\u2069 \u200fא'}</p>`),
      '<p title="ab">Gus yarG x \u200fא</p>',
    )
  })

  test('shows nothing for null, undefined and false, and 0 for 0', () => {
    assert.equal(show(null, undefined, false, 0, ['a', [7n]]), '<p>0a7</p>')
  })

  test('interpolated text cannot open a tag', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const inner = renderHtml(html`<p>${text}</p>`).slice(3, -4)
        assert.doesNotMatch(inner, /[<>"']/)
        assert.equal(decode(inner), text)
      }),
    )
  })

  test('interpolated text cannot end its attribute', () => {
    fc.assert(
      fc.property(nasty, nasty, (text, other) => {
        const markup = renderHtml(html`<p title="${text}" data-x='a${other}' ${attrs({ lang: text })}></p>`)
        const found = /^<p title="([^"]*)" data-x='a([^']*)' lang="([^"]*)"><\/p>$/.exec(markup)
        assert.deepEqual(found?.slice(1).map(decode), [text, other, text])
      }),
    )
  })

  test('rejects interpolation in places that cannot be escaped', () => {
    assert.throws(() => html`<p title=${'x'}></p>`, /quoted/)
    assert.throws(() => html`<p ${'onclick=x'}></p>`, /attrs/)
    assert.throws(() => html`<p${'x'}></p>`, /quoted/)
    assert.throws(() => html`<script>${'x'}</script>`, /no values/)
    assert.throws(() => html`<script nonce="${'n'}">${'x'}</script>`, /no values/)
    assert.throws(() => html`<!-- ${'x'} -->`, /no values/)
    assert.throws(() => html`<p onclick="${'x'}"></p>`, /no values/)
    assert.throws(() => html`<p title="${html`<b></b>`}"></p>`, /markup/)
    assert.throws(() => html`<p title="`, /close/)
    assert.throws(() => show({} as unknown as Child), /cannot render/)
    assert.throws(() => attrs({ onclick: 'x' }), /not allowed/)
    assert.throws(() => attrs({ style: 'x' }), /not allowed/)
    assert.throws(() => attrs({ 'a b': 'x' }), /not allowed/)
  })

  test('turns addresses that run scripts into #', () => {
    for (const url of ['javascript:alert(1)', ' JAVA\tSCRIPT:alert(1)', '\u0001javascript:x', 'data:text/html,x', 'vbscript:x']) {
      assert.equal(renderHtml(html`<a href="${url}">x</a>`), '<a href="#">x</a>')
      assert.equal(renderHtml(html`<a ${attrs({ href: url })}>x</a>`), '<a href="#">x</a>')
    }
    assert.throws(() => html`<a href="${'java'}${'script:x'}">x</a>`, /one interpolated value/)
    for (const url of ['/events/?a=1', 'https://a.example/', 'mailto:a@b.example', 'tel:+49', '?page=2', '#main']) {
      assert.equal(renderHtml(html`<a href="${url}">x</a>`), `<a href="${url}">x</a>`)
    }
    assert.equal(renderHtml(html`<a href="/x/${'a:b'}">x</a>`), '<a href="/x/a:b">x</a>')
  })

  test('writes boolean attributes bare and leaves absent ones out', () => {
    assert.equal(
      renderHtml(html`<input ${attrs({ required: true, disabled: false, value: 0, title: undefined, min: null })}>`),
      '<input required value="0">',
    )
  })

  test('takes several values in one attribute', () => {
    assert.equal(renderHtml(html`<p class="${'a'}${false}${' b'}"></p>`), '<p class="a b"></p>')
  })

  test('does not escape trusted HTML', () => {
    assert.equal(show(trustedHtml('<b>x</b>')), '<p><b>x</b></p>')
  })
})

function decode(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}
