/** Position of an interpolated value. `first`: nothing precedes it in the attribute value. */
export type Hole = { place: 'text' } | { place: 'tag' } | { place: 'value'; attribute: string; first: boolean }

export const URL_ATTRIBUTES = new Set([
  'href',
  'src',
  'action',
  'formaction',
  'data-hx-get',
  'data-hx-post',
  'data-hx-put',
  'data-hx-patch',
  'data-hx-delete',
])

const RAW = new Set(['script', 'style'])
const known = new WeakMap<TemplateStringsArray, Hole[]>()

/** Parsed once per template literal and cached. */
export function holesOf(strings: TemplateStringsArray): Hole[] {
  let holes = known.get(strings)
  if (!holes) {
    holes = readHoles(strings)
    known.set(strings, holes)
  }
  return holes
}

type Place =
  | { in: 'text' }
  | { in: 'tag'; name: string }
  | { in: 'value'; tag: string; attribute: string; quote: string; empty: boolean; holes: number }
  | { in: 'raw'; end: string }

function readHoles(strings: readonly string[]): Hole[] {
  const holes: Hole[] = []
  let place: Place = { in: 'text' }
  strings.forEach((text, index) => {
    place = advance(place, text)
    if (index < strings.length - 1) holes.push(holeAt(place, text))
  })
  // An open tag would change the meaning of the markup that follows.
  if ((place as Place).in !== 'text') throw new TypeError('a template must close the tags that it opens')
  return holes
}

function holeAt(place: Place, before: string): Hole {
  if (place.in === 'text') return { place: 'text' }
  if (place.in === 'tag') {
    // A space in the value would end an unquoted value or a computed name.
    if (!/\s$/.test(before)) throw new TypeError('a value inside a tag must be quoted')
    return { place: 'tag' }
  }
  if (place.in === 'raw') throw new TypeError(`no values are allowed before ${place.end}`)
  if (place.attribute.startsWith('on') || place.attribute === 'style')
    throw new TypeError(`no values are allowed in ${place.attribute}`)
  const first = place.empty
  if (first && place.holes > 0 && URL_ATTRIBUTES.has(place.attribute)) throw new TypeError('a URL must be one interpolated value')
  place.holes += 1
  return { place: 'value', attribute: place.attribute, first }
}

function advance(from: Place, text: string): Place {
  let place = from
  let at = 0
  while (at < text.length) {
    if (place.in === 'text') {
      const open = /<(?=[a-z/!])/gi
      open.lastIndex = at
      const found = open.exec(text)
      if (!found) return place
      if (text.startsWith('<!--', found.index)) {
        place = { in: 'raw', end: '-->' }
        at = found.index + 4
      } else {
        place = { in: 'tag', name: /^[a-z0-9-]*/i.exec(text.slice(found.index + 1))![0].toLowerCase() }
        at = found.index + 1
      }
    } else if (place.in === 'raw') {
      const end: number = text.toLowerCase().indexOf(place.end, at)
      if (end < 0) return place
      at = end + place.end.length
      place = { in: 'text' }
    } else if (place.in === 'tag') {
      const next = /["'>]/g
      next.lastIndex = at
      const found = next.exec(text)
      if (!found) return place
      at = found.index + 1
      if (found[0] === '>') place = RAW.has(place.name) ? { in: 'raw', end: `</${place.name}>` } : { in: 'text' }
      else {
        const attribute: string | undefined = /([^\s"'<>/=]+)\s*=\s*$/.exec(text.slice(0, found.index))?.[1]
        if (!attribute) throw new TypeError('a quote inside a tag must follow name=')
        place = { in: 'value', tag: place.name, attribute: attribute.toLowerCase(), quote: found[0], empty: true, holes: 0 }
      }
    } else {
      const end: number = text.indexOf(place.quote, at)
      if (end !== at) place.empty = false
      if (end < 0) return place
      at = end + 1
      place = { in: 'tag', name: place.tag }
    }
  }
  return place
}
