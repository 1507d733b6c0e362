import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkMarkup } from './markup.ts'

const document = (body: string): string =>
  `<!doctype html><html lang="en"><head><title>x</title></head><body>${body}</body></html>`

const wrong: [string, string, RegExp][] = [
  ['an unclosed tag', '<p>a', /not closed|implicit/],
  ['an unclosed inline tag', '<div><b>a</div>', /close-order/],
  ['crossed tags', '<b><i></b></i>', /close-order/],
  ['a stray end tag', '<div>a</div></div>', /close-order/],
  ['a stray bracket', '<p>a < b</p>', /no-raw-characters/],
  ['an unquoted attribute', '<p class=a>a</p>', /attr-quotes/],
  ['a self-closing div', '<div/>', /no-self-closing/],
  ['the same id twice', '<p id="a"></p><p id="a"></p>', /no-dup-id/],
  ['a field without label', '<input name="a">', /input-missing-label/],
  ['a choice without label', '<select name="a"></select>', /input-missing-label/],
  ['a text field without label', '<textarea name="a"></textarea>', /input-missing-label/],
  ['a progress bar without label', '<progress value="1"></progress>', /without label/],
  ['an image without alt', '<img src="/a.png">', /h37/],
  ['an svg without alternative', '<svg></svg>', /alternative/],
  ['an svg with a name but no role', '<svg><title>A</title></svg>', /alternative/],
  ['an svg with an empty name', '<svg role="img"><title></title></svg>', /alternative/],
  ['an svg with a role but no name', '<svg role="img"></svg>', /alternative/],
  ['an inline style', '<p style="color:red"></p>', /no-inline-style/],
  ['a style element', '<style>p { color: red }</style>', /no-style-tag/],
  ['a handler', '<p onclick="x()"></p>', /onclick/],
  ['a script address', '<a href="javascript:x">a</a>', /javascript/],
  ['a script address of a form', '<form action=" JavaScript:x"></form>', /javascript/i],
  ['a data address', '<a href="data:text/html,x">a</a>', /data:/],
  ['an inline script without nonce', '<script>x</script>', /nonce/],
  ['a script file without nonce', '<script src="/a.js"></script>', /nonce/],
  ['a link without words', '<a href="/"></a>', /words/],
  ['a button without words', '<button type="button"> </button>', /words/],
  ['a summary without words', '<details><summary></summary></details>', /words/],
  ['a block in a paragraph', '<p><div></div></p>', /implicit|permitted/],
  ['a block in a span', '<span><div></div></span>', /element-permitted-content/],
  ['a list in a label', '<label>a<ul><li>b</li></ul></label>', /element-permitted-content/],
  ['a block in a button', '<button type="button">a<p>b</p></button>', /element-permitted-content/],
  ['a form in a form', '<form><form></form></form>', /element-permitted-content/],
  ['a form in a form, further inside', '<form><div><form></form></div></form>', /element-permitted-content/],
  ['a link in a link', '<a href="/">a<a href="/">b</a></a>', /element-permitted-content/],
  ['a label in a label', '<label>a<label>b</label></label>', /element-permitted-content/],
  ['a button in a button', '<button type="button">a<button type="button">b</button></button>', /element-permitted-content/],
  ['a button in a link', '<a href="/">a<button type="button">b</button></a>', /element-permitted-content/],
  ['a link in a button', '<button type="button">a<a href="/">b</a></button>', /element-permitted-content/],
  ['an item outside of a list', '<div><li>a</li></div>', /element-permitted/],
  ['an attribute twice', '<p class="a" class="b"></p>', /no-dup-attr/],
  ['method="get"', '<form method="get"></form>', /default/],
  ['an attribute of htmx without data-', '<form hx-post="/"></form>', /data-hx-post/],
  ['a role on a table', '<table role="table"></table>', /has a role/],
  ['a role on a cell', '<table><tr><td role="cell">a</td></tr></table>', /has a role/],
  ['a skipped level of headings', document('<h1>a</h1><h3>b</h3>'), /h3 follows h1/],
  ['a skipped level further below', document('<h1>a</h1><h2>b</h2><h2>b</h2><h4>c</h4>'), /h4 follows h2/],
  ['a page that starts with an h2', document('<h2>b</h2><h1>a</h1>'), /h2 follows no heading/],
  ['two h1', document('<h1>a</h1><h1>b</h1>'), /2 h1/],
  ['no h1', document('<p>a</p>'), /0 h1/],
  ['a link to nowhere', document('<h1>a</h1><a href="#b">c</a>'), /#b, which is not there/],
  ['a label for nothing', document('<h1>a</h1><label for="b">c</label>'), /#b, which is not there/],
  ['a missing description', document('<h1 aria-describedby="b">a</h1>'), /#b, which is not there/],
  ['a missing second label', document('<h1 id="a" aria-labelledby="a b">a</h1>'), /#b, which is not there/],
  ['a missing controlled element', document('<h1>a</h1><button type="button" aria-controls="b">c</button>'), /#b, which/],
]
for (const [name, markup, problem] of wrong) test(`finds ${name}`, () => assert.match(checkMarkup(markup).join('\n'), problem))

const SOUND = [
  document(
    '<h1>a &lt; b</h1><label for="x">X</label><input id="x"><svg aria-hidden="true"><path d="M0 0"/></svg><br><a href="#x">x</a>',
  ),
  document('<h1>a</h1><h2>b</h2><h3>c</h3><h2>d</h2>'),
  '<h3>a</h3>',
  '<form data-hx-post="/"></form><table><tr><td>a</td></tr></table><ul role="list"><li>a</li></ul>',
  '<label for="elsewhere">x</label><a href="#elsewhere">x</a>',
  '<script nonce="n" src="/a.js"></script>',
  '<svg role="img"><title>A</title></svg><button type="button"><svg role="img"><title>A</title></svg></button><a href="/" aria-label="A"></a><label>A<progress value="1"></progress></label>',
  '<img src="/a.png" alt="">',
]
for (const markup of SOUND) test(`finds nothing in ${markup.slice(0, 60)}`, () => assert.deepEqual(checkMarkup(markup), []))
