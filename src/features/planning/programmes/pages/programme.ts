import { buffer } from 'node:stream/consumers'
import { eventPath } from '#features/events/events/rules/slug.ts'
import { countNotifiedOf, type PlannedEvent, requirePlannedEvent } from '#features/planning/planning/queries/events.ts'
import { findStoredShifts } from '#features/planning/planning/queries/shifts.ts'
import { undoForm } from '#features/planning/planning/schema.ts'
import { planAssets } from '#features/planning/planning/views/assets.ts'
import type { FileStore } from '#platform/files/store.ts'
import type { ReceivedFile } from '#platform/files/upload.ts'
import { signedIn } from '#platform/http/access.ts'
import { actionPage, formPage, type Page, type PageBody, type Redirect, type UserRequest } from '#platform/http/page.ts'
import { Problem, requireFound } from '#platform/http/problem.ts'
import type { RateLimiter } from '#platform/http/rate-limiter.ts'
import { checkUrl } from '#platform/outbound/addresses.ts'
import type { Outbound } from '#platform/outbound/outbound.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import type { FormError } from '#platform/ui/form.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { EMPTY_STATE, type FormState, type FormValues, fieldValues } from '#platform/ui/form-values.ts'
import { type Applied, applyProgramme, MAX_NEW_SHIFTS } from '../commands/apply.ts'
import { fetchProgramme, readFile } from '../commands/fetch.ts'
import { storeFetched } from '../commands/follow.ts'
import { changeOptions, removeProgramme, setSource } from '../commands/source.ts'
import { undoProgramme } from '../commands/undo.ts'
import { ProgrammeFileError } from '../formats/programme-file.ts'
import { getProgramme, loadPlan, type Programme } from '../queries/programme.ts'
import { canUndo } from '../rules/following.ts'
import { chosenNames, countNames, FACETS, type ProgrammeOptions } from '../rules/options.ts'
import { digestOf } from '../rules/plan.ts'
import { applyForm, MAX_PROGRAMME_BYTES, optionsForm, sourceForm } from '../schema.ts'
import { failureText, faultText, SIZE_MB } from '../views/faults.ts'
import { type Names, optionsState, optionsView, toName } from '../views/options.ts'
import { previewView } from '../views/preview.ts'
import { programmePath, sourceView } from '../views/source.ts'

type Options = { files: FileStore; outbound: Outbound; limiter: RateLimiter }
type Request = UserRequest<{ event: number }>

async function requireBoth(request: Request): Promise<{ event: PlannedEvent; programme: Programme }> {
  const event = await requirePlannedEvent(request.context, request.path.event)
  const programme = requireFound(await getProgramme(request.context.db, event.id))
  return { event, programme }
}

const eventCrumb = ({ id, title }: PlannedEvent) => ({ href: eventPath(id, title), label: title })
const programmeCrumb = ({ context: { words } }: Request, { id }: PlannedEvent) => ({
  href: programmePath(id),
  label: words.t('programme.title'),
})

function sourceBody(request: Request, event: PlannedEvent, state: FormState, back: string): PageBody {
  const { words } = request.context
  const isOther = back === programmePath(event.id)
  const title = words.t(isOther ? 'programme.other_source' : 'programme.title')
  const main = sourceView({ words, csrfToken: request.csrfToken, eventId: event.id, back, state, title })
  return { title, main, breadcrumb: isOther ? [eventCrumb(event), programmeCrumb(request, event)] : [eventCrumb(event)] }
}

type Shown = { values?: FormValues; errors?: readonly FormError[]; notice?: string; status?: number }

async function previewBody(request: Request, event: PlannedEvent, programme: Programme, shown: Shown = {}): Promise<PageBody> {
  const { words, now, site, db, actor } = request.context
  const { plan, shifts } = await loadPlan(db, programme, { now, timeZone: site.timeZone })
  const moved = plan.rows.flatMap((row) =>
    row.verdict === 'changed' && row.parts.some(({ part, does }) => part === 'times' && does === 'apply') ? [row.shift.id] : [],
  )
  const ids = (name: string) => new Set(fieldValues(shown.values ?? {}, name).map(Number))
  const main = previewView({
    words,
    now,
    csrfToken: request.csrfToken,
    event,
    programme: { ...programme, sessions: programme.content.sessions.length },
    plan,
    seen: digestOf(plan, programme.options),
    pattern: shifts.find(({ id }) => id === programme.options.pattern),
    former: canUndo(programme.former, now) ? programme.former : undefined,
    notified: moved.length ? await countNotifiedOf(db, actor, moved) : 0,
    chosen: { overwrite: ids('overwrite'), remove: shown.values ? ids('remove') : undefined, again: ids('again') },
    errors: shown.errors ?? [],
    notice: shown.notice,
  })
  return {
    title: words.t('programme.title'),
    main,
    wide: true,
    breadcrumb: [eventCrumb(event)],
    ...(shown.status ? { status: shown.status } : {}),
    ...planAssets(),
  }
}

const programmePage: Page = formPage({
  path: '/events/{event}/programme/',
  access: signedIn,
  form: applyForm,
  show: async (request, refused) => {
    const event = await requirePlannedEvent(request.context, request.path.event)
    const programme = await getProgramme(request.context.db, event.id)
    if (!programme) return sourceBody(request, event, EMPTY_STATE, eventPath(event.id, event.title))
    return previewBody(request, event, programme, refused)
  },
  submit: async (request, chosen) => {
    const { words } = request.context
    const event = await requirePlannedEvent(request.context, request.path.event)
    const outcome = await applyProgramme(request.commandContext, { eventId: event.id, ...chosen })
    if (outcome.ok) {
      const undo = { action: programmePath(event.id, 'undo'), fields: { step: String(outcome.step) } }
      return {
        redirect: programmePath(event.id),
        flash: { kind: outcome.left ? 'warn' : 'good', text: appliedText(request, outcome), undo },
      }
    }
    if (outcome.reason === 'nothing')
      return { redirect: programmePath(event.id), flash: { kind: 'info', text: words.t('programme.applied_nothing') } }
    if (outcome.reason === 'too_many')
      return { refused: [{ text: words.t('programme.too_many_shifts', { count: MAX_NEW_SHIFTS }) }] }
    const programme = requireFound(await getProgramme(request.commandContext.db, event.id))
    return previewBody(request, event, programme, { notice: words.t('programme.stale'), status: 409 })
  },
})

function appliedText({ context: { words } }: Request, { created, changed, removed, left, notified }: Applied): string {
  const lines = [
    created && words.t('programme.applied_created', { count: created }),
    changed && words.t('programme.applied_changed', { count: changed }),
    removed && words.t('programme.applied_removed', { count: removed }),
    left && words.t('programme.applied_left', { count: left }),
    notified && words.t('plan.notified', { count: notified }),
  ].filter((line) => typeof line === 'string')
  return lines.length ? lines.join(' ') : words.t('programme.applied_kept')
}

async function readUpload({ files }: Options, file: ReceivedFile, timeZone: string) {
  const stream = file.id === undefined ? undefined : await files.get(file.id)
  if (!stream || file.id === undefined) throw new ProgrammeFileError('empty')
  const bytes = await buffer(stream)
  await files.delete(file.id)
  return readFile(bytes, timeZone)
}

const sourcePage = (options: Options): Page =>
  formPage({
    path: '/events/{event}/programme/source/',
    access: signedIn,
    form: sourceForm.schema,
    uploads: { maxBytes: MAX_PROGRAMME_BYTES },
    authorizeUpload: (request) => requirePlannedEvent(request.context, request.path.event),
    show: async (request, refused) => {
      const event = await requirePlannedEvent(request.context, request.path.event)
      const programme = await getProgramme(request.context.db, event.id)
      const back = programme ? programmePath(event.id) : eventPath(event.id, event.title)
      return sourceBody(request, event, refused ?? sourceForm.state({ url: programme?.url ?? '' }), back)
    },
    submit: async (request, { file: [file], url }) => {
      const { words, site, actor } = request.context
      const event = await requirePlannedEvent(request.context, request.path.event)
      const refuse = (field: 'file' | 'url', text: string) => ({ refused: [{ field, text }] })
      const done = (count: number): Redirect => ({
        redirect: programmePath(event.id),
        flash: { kind: 'good', text: words.t('programme.was_read', { count }) },
      })
      if (!file && !url) return refuse('file', words.t('programme.nothing_given'))
      if (file) {
        // The address of the programme so far stands in its field; a file takes its place.
        const known = await getProgramme(request.context.db, event.id)
        if (url && url !== known?.url) return refuse('url', words.t('programme.both_given'))
        if (file.isTooLarge) return refuse('file', words.t('programme.file_too_big', { size: SIZE_MB }))
        try {
          const read = await readUpload(options, file, site.timeZone)
          const source = { kind: 'file' as const, fileName: file.name.slice(0, 255) }
          await setSource(request.commandContext, { eventId: event.id, source, file: read })
          return done(read.content.sessions.length)
        } catch (error) {
          if (!(error instanceof ProgrammeFileError)) throw error
          return refuse('file', faultText(words, error))
        }
      }
      const refusal = url.length > 2000 ? 'not_a_url' : checkUrl(url, site.outboundAllow ?? [])
      if (refusal) return refuse('url', words.t(`programme.url_${refusal}`))
      if (isTooOften(options, actor)) return refuse('url', words.t('programme.too_often'))
      const fetched = await fetchProgramme(options.outbound, { url, timeZone: site.timeZone })
      if (fetched.outcome === 'failed') return refuse('url', failureText(words, fetched.failure))
      if (fetched.outcome === 'unchanged') return done(0)
      const { etag, lastModified } = fetched
      const source = { kind: 'address' as const, url, etag, lastModified }
      await setSource(request.commandContext, { eventId: event.id, source, file: fetched.file })
      return done(fetched.file.content.sessions.length)
    },
  })

function namesOf({ content: { sessions } }: Programme): Names[] {
  return FACETS.map((facet) => ({ facet, names: countNames(sessions, facet) })).filter(({ names }) => names.length > 1)
}

const optionsPage: Page = formPage({
  path: '/events/{event}/programme/options/',
  access: signedIn,
  form: optionsForm.schema,
  show: async (request, refused) => {
    const { words, db } = request.context
    const { event, programme } = await requireBoth(request)
    const names = namesOf(programme)
    const main = optionsView({
      words,
      csrfToken: request.csrfToken,
      eventId: event.id,
      state: refused ?? optionsState(programme.options, names, programme.automaticById !== null),
      names,
      shifts: await findStoredShifts(db, event.id),
      hasAddress: programme.url !== null,
    })
    return {
      title: words.t('programme.options'),
      main,
      breadcrumb: [eventCrumb(event), programmeCrumb(request, event)],
      ...planAssets(),
    }
  },
  submit: async (request, { room, track, type, follow_up, pattern, automatic, ...plain }) => {
    const { words, db } = request.context
    const { event, programme } = await requireBoth(request)
    const chosen: Record<string, string[]> = { room, track, type }
    const errors: FormError[] = []
    const options: ProgrammeOptions = {
      ...programme.options,
      ...plain,
      followUp: follow_up,
      pattern: pattern ? Number(pattern) : null,
    }
    for (const { facet, names } of namesOf(programme)) {
      const all = names.map(({ name }) => name)
      const kept = chosen[facet]!.map(toName).filter((name) => all.includes(name))
      if (!kept.length) errors.push({ field: facet, text: words.t('programme.choose_one') })
      options[facet] = chosenNames(kept, all)
    }
    if (plain.from && plain.until && plain.until < plain.from)
      errors.push({ field: 'until', text: words.t('programme.period_invalid') })
    const shifts = await findStoredShifts(db, event.id)
    if (options.pattern !== null && !shifts.some(({ id }) => id === options.pattern))
      errors.push({ field: 'pattern', text: words.t('form.invalid') })
    if (errors.length) return { refused: errors }
    await changeOptions(request.commandContext, { eventId: event.id, options, isAutomatic: automatic })
    return { redirect: programmePath(event.id), flash: { kind: 'good', text: words.t('programme.options_saved') } }
  },
})

const isTooOften = ({ limiter }: Options, actor: Request['context']['actor']): boolean => !limiter.take(String(actor.userId))

const fetchPage = (options: Options): Page =>
  actionPage({
    path: '/events/{event}/programme/fetch/',
    access: signedIn,
    form: emptyForm,
    submit: async (request) => {
      const { words, site, actor } = request.context
      const { event, programme } = await requireBoth(request)
      const redirect = programmePath(event.id)
      const { url } = programme
      if (url === null) throw new Problem('not_found')
      if (isTooOften(options, actor)) return { redirect, flash: { kind: 'bad', text: words.t('programme.too_often') } }
      const fetched = await fetchProgramme(options.outbound, { url, known: programme, timeZone: site.timeZone })
      await storeFetched(request.commandContext, { eventId: event.id, url, fetched })
      if (fetched.outcome === 'failed') {
        const text = words.t('programme.fetched_failed', { reason: failureText(words, fetched.failure) })
        return { redirect, flash: { kind: 'bad', text } }
      }
      const after = await getProgramme(request.commandContext.db, event.id)
      const hasChanged = after?.readAt.getTime() !== programme.readAt.getTime()
      return {
        redirect,
        flash: { kind: 'good', text: words.t(hasChanged ? 'programme.fetched_changed' : 'programme.fetched_same') },
      }
    },
  })

const undoPage: Page = actionPage({
  path: '/events/{event}/programme/undo/',
  access: signedIn,
  form: undoForm,
  submit: async (request, { step }) => {
    const { words } = request.context
    const { event } = await requireBoth(request)
    const redirect = programmePath(event.id)
    const outcome = await undoProgramme(request.commandContext, { eventId: event.id, step })
    if (!outcome.ok) return { redirect, flash: { kind: 'bad', text: words.t('programme.undo_late') } }
    const text = [
      words.t('programme.undone', { count: outcome.undone }),
      ...(outcome.left ? [words.t('programme.undone_left', { count: outcome.left })] : []),
    ].join(' ')
    return { redirect, flash: { kind: outcome.left ? 'warn' : 'good', text } }
  },
})

const removePage: Page = formPage({
  path: '/events/{event}/programme/remove/',
  access: signedIn,
  form: emptyForm,
  show: async (request) => {
    const { words } = request.context
    const { event } = await requireBoth(request)
    const title = words.t('programme.remove')
    const main = confirmView({
      words,
      title,
      csrfToken: request.csrfToken,
      danger: true,
      consequences: [words.t('programme.remove_shifts'), words.t('programme.remove_links')],
      action: programmePath(event.id, 'remove'),
      submit: title,
      cancel: { href: programmePath(event.id) },
    })
    return { title, main, breadcrumb: [eventCrumb(event), programmeCrumb(request, event)] }
  },
  submit: async (request) => {
    const { words } = request.context
    const { event } = await requireBoth(request)
    await removeProgramme(request.commandContext, { eventId: event.id })
    return { redirect: eventPath(event.id, event.title), flash: { kind: 'good', text: words.t('programme.removed') } }
  },
})

export const programmePages = (options: Options): Page[] => [
  programmePage,
  sourcePage(options),
  optionsPage,
  fetchPage(options),
  undoPage,
  removePage,
]
