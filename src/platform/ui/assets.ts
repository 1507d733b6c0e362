import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

type AssetFile = { name: string; url: string; file: string; contentType: string }
type AssetName = keyof typeof SOURCES

/** URLs that every page loads in its head. */
export type PageAssets = {
  stylesheets: string[]
  script: string
  answers: string
  webApp: string
  htmx: string
  favicon: string
  touchIcon: string
}

const here = (path: string) => fileURLToPath(new URL(`../../../assets/${path}`, import.meta.url))
const CSS = 'text/css; charset=utf-8'
const SCRIPT = 'text/javascript; charset=utf-8'

const SOURCES = {
  'app.css': { file: here('app.css'), contentType: CSS },
  'frame.css': { file: here('frame.css'), contentType: CSS },
  'forms.css': { file: here('forms.css'), contentType: CSS },
  'pieces.css': { file: here('pieces.css'), contentType: CSS },
  'lists.css': { file: here('lists.css'), contentType: CSS },
  'notifications.css': { file: here('notifications.css'), contentType: CSS },
  'roster.css': { file: here('roster.css'), contentType: CSS },
  'manage.css': { file: here('manage.css'), contentType: CSS },
  'federation.css': { file: here('federation.css'), contentType: CSS },
  'find.css': { file: here('find.css'), contentType: CSS },
  'board.css': { file: here('board.css'), contentType: CSS },
  'board.js': { file: here('board.js'), contentType: SCRIPT },
  'planning.css': { file: here('planning.css'), contentType: CSS },
  'planning.js': { file: here('planning.js'), contentType: SCRIPT },
  'pictures.js': { file: here('pictures.js'), contentType: SCRIPT },
  'files.js': { file: here('files.js'), contentType: SCRIPT },
  'guests.css': { file: here('guests.css'), contentType: CSS },
  'preview.png': { file: here('preview.png'), contentType: 'image/png' },
  'visit.css': { file: here('visit.css'), contentType: CSS },
  'roster.js': { file: here('roster.js'), contentType: SCRIPT },
  'reports.css': { file: here('reports.css'), contentType: CSS },
  'check-in.css': { file: here('check-in.css'), contentType: CSS },
  'check-in.js': { file: here('check-in.js'), contentType: SCRIPT },
  'timeline.css': { file: here('timeline.css'), contentType: CSS },
  'timeline.js': { file: here('timeline.js'), contentType: SCRIPT },
  'shift-table.css': { file: here('shift-table.css'), contentType: CSS },
  'shift-table.js': { file: here('shift-table.js'), contentType: SCRIPT },
  'people-times.css': { file: here('people-times.css'), contentType: CSS },
  'people-times.js': { file: here('people-times.js'), contentType: SCRIPT },
  'shortages.css': { file: here('shortages.css'), contentType: CSS },
  'handbook.css': { file: here('handbook.css'), contentType: CSS },
  'catalogue.css': { file: here('catalogue.css'), contentType: CSS },
  'catalogue.js': { file: here('catalogue.js'), contentType: SCRIPT },
  'passkeys.js': { file: here('passkeys.js'), contentType: SCRIPT },
  'web-app.js': { file: here('web-app.js'), contentType: SCRIPT },
  'answers.js': { file: here('answers.js'), contentType: SCRIPT },
  'app.js': { file: here('app.js'), contentType: SCRIPT },
  'htmx.js': { file: fileURLToPath(import.meta.resolve('htmx.org/dist/htmx.min.js')), contentType: SCRIPT },
  'swagger-ui.css': { file: fileURLToPath(import.meta.resolve('@fastify/swagger-ui/static/swagger-ui.css')), contentType: CSS },
  'swagger-ui.js': {
    file: fileURLToPath(import.meta.resolve('@fastify/swagger-ui/static/swagger-ui-bundle.js')),
    contentType: SCRIPT,
  },
  'api-docs.css': { file: here('api-docs.css'), contentType: CSS },
  'api-docs.js': { file: here('api-docs.js'), contentType: SCRIPT },
  'favicon.svg': { file: here('favicon.svg'), contentType: 'image/svg+xml' },
  'icon-192.png': { file: here('icon-192.png'), contentType: 'image/png' },
  'icon-512.png': { file: here('icon-512.png'), contentType: 'image/png' },
  'icon-maskable-512.png': { file: here('icon-maskable-512.png'), contentType: 'image/png' },
}

const FILES = new Map<string, AssetFile>(
  Object.entries(SOURCES).map(([name, source]) => [name, { name, url: urlOf(name, source.file), ...source }]),
)

/** All static files, each with a URL that contains a hash of its content, so that it can be cached forever. */
export function assetFiles(): AssetFile[] {
  return [...FILES.values()]
}

export function assetUrl(name: AssetName): string {
  return FILES.get(name)!.url
}

export function pageAssets(): PageAssets {
  return {
    stylesheets: [
      assetUrl('app.css'),
      assetUrl('frame.css'),
      assetUrl('forms.css'),
      assetUrl('pieces.css'),
      assetUrl('lists.css'),
      assetUrl('manage.css'),
    ],
    script: assetUrl('app.js'),
    answers: assetUrl('answers.js'),
    webApp: assetUrl('web-app.js'),
    htmx: assetUrl('htmx.js'),
    favicon: assetUrl('favicon.svg'),
    touchIcon: assetUrl('icon-192.png'),
  }
}

function urlOf(name: string, file: string): string {
  const hash = createHash('sha256').update(readFileSync(file)).digest('base64url').slice(0, 12)
  const dot = name.lastIndexOf('.')
  return `/assets/${name.slice(0, dot)}.${hash}${name.slice(dot)}`
}
