import { permission } from '#platform/http/access.ts'
import { formPage, type Page, type PageBody, type PageRequest, type Refused, viewPage } from '#platform/http/page.ts'
import { sourceLanguageOf } from '#platform/i18n/languages.ts'
import type { Words } from '#platform/i18n/words.ts'
import { parseForeignJson } from '#platform/json-depth.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import type { FormError } from '#platform/ui/form.ts'
import { EMPTY_STATE } from '#platform/ui/form-values.ts'
import { importCatalogue } from '../commands/catalogue-import.ts'
import { compareWithExisting, exportCatalogue, findExistingQualifications } from '../queries.ts'
import type { ExchangedQualification } from '../rules/catalogue-import.ts'
import { STARTERS, type Starter, starterCatalogue } from '../rules/starters.ts'
import { exchangedCatalogue, importForm } from '../schema.ts'
import { completeView, IMPORT, importView, previewView, STARTERS_PATH, startersView } from '../views/catalogue-import.ts'
import { QUALIFICATIONS } from '../views/qualifications.ts'
import { crumbs } from './qualifications.ts'

const exportPage = viewPage({
  path: `${QUALIFICATIONS}export/`,
  access: permission('view_qualification'),
  show: async ({ context }) => ({
    content: `${JSON.stringify(await exportCatalogue(context.db), null, 2)}\n`,
    contentType: 'application/json; charset=utf-8',
    headers: { 'content-disposition': 'attachment; filename="qualifications.json"' },
  }),
})

type Entries = readonly ExchangedQualification[]
type Read = { ok: true; entries: Entries } | { ok: false; errors: FormError[] }

/** Reports the first error with its position. */
function readCatalogue(text: string, words: Words): Read {
  const refuse = (message: string): Read => ({ ok: false, errors: [{ field: 'catalogue', text: message }] })
  let content: unknown
  try {
    content = parseForeignJson(text)
  } catch {
    return refuse(words.t('qualification.import_not_json'))
  }
  const parsed = exchangedCatalogue.safeParse(content)
  if (!parsed.success) {
    const [index, ...field] = parsed.error.issues[0]!.path
    if (typeof index !== 'number') return refuse(words.t('qualification.import_not_list'))
    return refuse(words.t('qualification.import_wrong', { number: index + 1, field: field.join('.') || '–' }))
  }
  const seen = new Set<string>()
  for (const { uuid, title } of parsed.data) {
    if (seen.has(uuid)) return refuse(words.t('qualification.import_double', { title }))
    seen.add(uuid)
  }
  return { ok: true, entries: parsed.data }
}

const startersPage = viewPage({
  path: STARTERS_PATH,
  access: permission('add_qualification'),
  show: async ({ context: { words } }) => ({
    title: words.t('qualification.starters_title'),
    breadcrumb: crumbs(words),
    main: startersView({
      words,
      rows: STARTERS.map((starter) => ({
        starter,
        titles: starterCatalogue(starter, sourceLanguageOf(words.language)).map(({ title }) => title),
      })),
    }),
  }),
})

async function showPreview(
  { context: { words, db }, csrfToken }: PageRequest,
  entries: Entries,
  starter?: Starter,
): Promise<PageBody> {
  const lines = await compareWithExisting(db, entries)
  const chosen = new Set(entries.map(({ uuid }) => uuid))
  const main = previewView({ words, csrfToken, catalogue: JSON.stringify(entries), lines, chosen, starter })
  return {
    title: words.t(starter ? 'qualification.starters_title' : 'qualification.import_title'),
    breadcrumb: crumbs(words),
    main,
  }
}

/** What exists stays as it is: a list to begin with must not undo what somebody has changed since. */
async function showStarter(request: PageRequest, starter: Starter): Promise<PageBody> {
  const { words, db } = request.context
  const known = new Set((await findExistingQualifications(db)).map(({ uuid }) => uuid))
  const missing = starterCatalogue(starter, sourceLanguageOf(words.language)).filter(({ uuid }) => !known.has(uuid))
  if (missing.length) return showPreview(request, missing, starter)
  return { title: words.t('qualification.starters_title'), breadcrumb: crumbs(words), main: completeView(words, starter) }
}

function showImport({ context: { words }, csrfToken }: PageRequest, refused?: Refused): PageBody {
  const main = importView({ words, csrfToken, state: refused ?? EMPTY_STATE })
  return { title: words.t('qualification.import_title'), breadcrumb: crumbs(words), main, scripts: [assetUrl('catalogue.js')] }
}

const importPage = formPage({
  path: IMPORT,
  access: permission('add_qualification'),
  form: importForm.schema,
  show: async (request, refused) => {
    const starter = STARTERS.find((each) => each === request.query.get('starter'))
    if (starter && !refused) return showStarter(request, starter)
    return showImport(request, refused)
  },
  submit: async (request, { catalogue, chosen, step }) => {
    const { words } = request.context
    const read = readCatalogue(catalogue, words)
    if (!read.ok) return { refused: read.errors }
    if (step === 'preview') return showPreview(request, read.entries)
    const input = { entries: read.entries, chosen: new Set(chosen) }
    const outcome = await importCatalogue(request.commandContext, input)
    if (!outcome.ok)
      return { refused: [{ field: 'catalogue', text: words.t('qualification.cycle', { path: outcome.path.join(' → ') }) }] }
    const text = words.t('qualification.import_done', { added: outcome.added, changed: outcome.changed })
    return { redirect: QUALIFICATIONS, flash: { kind: 'good', text } }
  },
})

export const catalogueExchangePages: Page[] = [exportPage, startersPage, importPage]
