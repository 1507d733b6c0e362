import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { attrs, type Html, html, trustedHtml } from '#platform/html/html.ts'

const NAMES = [
  'activity',
  'arrow-left',
  'arrow-right',
  'award',
  'bell',
  'blocks',
  'building-2',
  'calendar-check',
  'calendar-clock',
  'calendar-days',
  'calendar-off',
  'calendar-plus',
  'calendar-x',
  'chart-column',
  'chart-gantt',
  'check',
  'chevron-down',
  'chevron-left',
  'chevron-right',
  'circle-alert',
  'circle-check',
  'circle-dashed',
  'circle-question-mark',
  'circle-x',
  'clock',
  'copy',
  'download',
  'ellipsis',
  'external-link',
  'eye',
  'eye-off',
  'file',
  'file-spreadsheet',
  'file-text',
  'globe',
  'graduation-cap',
  'grip-vertical',
  'hand-helping',
  'handshake',
  'history',
  'hourglass',
  'house',
  'image',
  'inbox',
  'info',
  'key-round',
  'layers',
  'life-buoy',
  'link',
  'list-checks',
  'list-filter',
  'lock',
  'log-in',
  'log-out',
  'mail',
  'map-pin',
  'message-square-text',
  'monitor',
  'moon',
  'network',
  'paperclip',
  'pencil',
  'phone',
  'plus',
  'presentation',
  'printer',
  'puzzle',
  'refresh-cw',
  'repeat',
  'scale',
  'search',
  'search-x',
  'send',
  'settings',
  'shield-alert',
  'shield-check',
  'sliders-horizontal',
  'star',
  'sun',
  'tag',
  'trash-2',
  'triangle-alert',
  'truck',
  'undo-2',
  'upload',
  'user',
  'user-check',
  'user-minus',
  'user-plus',
  'user-x',
  'users',
  'wand-sparkles',
  'webhook',
  'wrench',
  'x',
  'zoom-in',
] as const

export type IconName = (typeof NAMES)[number]
export const ICON_NAMES: readonly IconName[] = NAMES

/** They point in the direction of reading, and are mirrored from right to left. */
const FLIPPED: ReadonlySet<IconName> = new Set(['arrow-left', 'arrow-right', 'chevron-left', 'chevron-right'])

// Read at startup, so that a missing file stops the process instead of failing a page.
const SHAPES = new Map(NAMES.map((name) => [name, readShape(name)]))

/** By size and name. A page has up to 160 icons, of sizes that are written in the code. */
const untitled = new Map<number, Map<IconName, Html>>()

/** Without `title`, a label must be beside the icon; screen readers skip it. */
export function iconView(name: IconName, { title, size = 20 }: { title?: string; size?: number } = {}): Html {
  if (title) return makeIcon(name, size, title)
  const ofSize = untitled.get(size) ?? new Map<IconName, Html>()
  untitled.set(size, ofSize)
  const icon = ofSize.get(name) ?? makeIcon(name, size)
  ofSize.set(name, icon)
  return icon
}

function makeIcon(name: IconName, size: number, title?: string): Html {
  const alternative = title ? { role: 'img' } : { 'aria-hidden': 'true' }
  return html`<svg class="${FLIPPED.has(name) ? 'icon flips' : 'icon'}" ${attrs({ width: size, height: size, ...alternative })} viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" focusable="false">${title && html`<title>${title}</title>`}${SHAPES.get(name)}</svg>`
}

function readShape(name: string): Html {
  const svg = readFileSync(fileURLToPath(import.meta.resolve(`lucide-static/icons/${name}.svg`)), 'utf8')
  const shape = /<svg[^>]*>([\s\S]*)<\/svg>/.exec(svg)?.[1]
  if (!shape) throw new Error(`not an icon: ${name}`)
  return trustedHtml(shape.replace(/\s*\n\s*/g, ''))
}
