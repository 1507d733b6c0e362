// The app in a separate process: node bench/server.ts <database url> [cold | unkept]
import { forgetBodies } from '#features/events/events/queries/record-bodies.ts'
import { forgetPages } from '#features/events/events/queries/remembered-pages.ts'
import { forgetKeptPages } from '#platform/http/kept-pages.ts'
import { forgetListBodies } from '#platform/http/list-bodies.ts'
import { openBenchApp } from './app.ts'

const [url = '', temperature] = process.argv.slice(2)
const { app, db } = await openBenchApp(url)
// Clear the caches before each request, as after a start; only kept pages, as after a write.
if (temperature === 'cold' || temperature === 'unkept')
  app.app.server.prependListener('request', () => {
    forgetKeptPages(db)
    if (temperature === 'unkept') return
    forgetBodies(db.read)
    forgetPages(db.read)
    forgetListBodies(db.read)
  })
console.log(await app.app.listen({ host: '127.0.0.1', port: 0 }))
process.on('SIGTERM', () => process.exit(0))
