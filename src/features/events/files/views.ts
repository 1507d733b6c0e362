import { eventPath } from '#features/events/events/rules/slug.ts'
import { acceptedTypes } from '#platform/files/file-types.ts'
import { attrs, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { cardView } from '#platform/ui/card.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { linkButtonView } from '#platform/ui/form.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { type IconName, iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tableView } from '#platform/ui/table.ts'
import type { Attachment, StoredAttachment } from './queries.ts'
import { eventFilesPath, isAlmostFull, kindOf, roundBytes, typeName } from './rules.ts'
import { ATTACHED_PICTURE, ATTACHMENT_TYPES, chosenFilesForm, filesForm } from './schema.ts'

export const FILES = '/manage/files/'
export const storedPath = (id: number): string => `${FILES}${id}/`
export const editPath = (id: number): string => `${storedPath(id)}edit/`

const ICONS: Record<ReturnType<typeof kindOf>, IconName> = {
  pdf: 'file-text',
  picture: 'image',
  table: 'file-spreadsheet',
  slides: 'presentation',
  text: 'file-text',
  other: 'file',
}

/** “1.2 MB”, with a space that does not break. */
export function sizeText(words: Words, bytes: number): string {
  const { value, unit } = roundBytes(bytes)
  return `${words.number(value)}\u00a0${unit}`
}
type FileList = {
  words: Words
  files: readonly Attachment[]
  /** The page of a file is below this path. */
  folder: string
  /** Shown at the end of each line. */
  action?: (file: Attachment) => Html
}

function fileListView({ words, files, folder, action }: FileList): Html {
  return html`<ul class="files" role="list">${files.map((file) => {
    const { id, title, type, bytes } = file
    const isMissing = file.fileId === null || bytes === null
    const name = isMissing
      ? html`<span class="wrap">${title}</span>`
      : html`<a class="wrap" href="${`${folder}${id}/`}">${title}</a>`
    const about = isMissing ? words.t('files.missing') : `${typeName(type)}, ${sizeText(words, bytes)}`
    return html`<li class="file">${iconView(isMissing ? 'circle-alert' : ICONS[kindOf(type)])}<span class="file-about">${name}<span class="muted">${about}</span></span>${action?.(file)}</li>`
  })}</ul>`
}

type EventFiles = { words: Words; eventId: number; files: readonly Attachment[]; folder: string; mayChange: boolean }

/** A card on the event page. Undefined: nothing to show to this reader. */
export function eventFilesView({ words, eventId, files, folder, mayChange }: EventFiles): Html | undefined {
  if (!files.length) return undefined
  const change = linkButtonView({
    href: eventFilesPath(eventId),
    label: words.t('files.change'),
    icon: 'pencil',
    kind: 'quiet',
    small: true,
    attributes: { 'aria-label': words.t('files.change_of') },
  })
  return cardView({
    title: words.t('files.title'),
    body: fileListView({ words, files, folder }),
    footer: mayChange && change,
  })
}

type ChangePage = {
  words: Words
  csrfToken: string
  event: { id: number; title: string }
  files: readonly Attachment[]
  /** There are shared files that the event does not have. */
  hasShared: boolean
  state: FormState
  maxBytes: number
}

type UploadForm = {
  words: Words
  csrfToken: string
  state: FormState
  maxBytes: number
  action: string
  cancel: string
  help: string
}

function uploadFormView({ words, csrfToken, state, maxBytes, action, cancel, help }: UploadForm): Html {
  return filesForm.view({
    words,
    csrfToken,
    action,
    attributes: { enctype: 'multipart/form-data', 'data-upload': words.t('files.uploading') },
    state,
    submit: { label: words.t('files.submit'), icon: 'upload' },
    cancel: { href: cancel },
    layout: (field) =>
      field('files', {
        help: `${words.t('files.choose_help', { limit: sizeText(words, maxBytes) })} ${help}`,
        attributes: { accept: acceptedTypes(ATTACHMENT_TYPES), 'data-max-side': ATTACHED_PICTURE.maxSide },
      }),
  })
}

/** The form to add files that every planner can choose. */
export function addFilesView({
  words,
  csrfToken,
  state,
  maxBytes,
}: Pick<UploadForm, 'words' | 'csrfToken' | 'state' | 'maxBytes'>): Html {
  const help = words.t('files.choose_help_shared')
  const form = uploadFormView({ words, csrfToken, state, maxBytes, action: `${FILES}new/`, cancel: FILES, help })
  return html`${pageHeadView({ title: words.t('files.add') })}${form}`
}

type ChosenFiles = Pick<ChangePage, 'words' | 'csrfToken' | 'event' | 'files' | 'state'>

/** The form to add shared files to an event. */
export function chooseFilesView({ words, csrfToken, event, files, state }: ChosenFiles): Html {
  const form = chosenFilesForm.view({
    words,
    csrfToken,
    action: `${eventFilesPath(event.id)}choose/`,
    state,
    submit: words.t('files.choose_submit'),
    cancel: { href: eventFilesPath(event.id) },
    layout: (field) =>
      field('files', {
        options: files.map(({ id, title, type, bytes }) => ({
          value: id,
          label: title,
          help: bytes === null ? words.t('files.missing') : `${typeName(type)}, ${sizeText(words, bytes)}`,
        })),
      }),
  })
  return html`${pageHeadView({ title: words.t('files.for_every_event'), facts: words.t('files.shared_facts') })}${
    files.length ? form : emptyView({ icon: 'paperclip', text: words.t('files.none_shared') })
  }`
}

/** The files of an event with buttons to remove them, and the form to add more. */
export function changeFilesView({ words, csrfToken, event, files, hasShared, state, maxBytes }: ChangePage): Html {
  const path = eventFilesPath(event.id)
  const remove = ({ id, title }: Attachment) =>
    linkButtonView({
      href: `${path}${id}/remove/`,
      label: words.t('files.remove'),
      kind: 'quiet',
      small: true,
      icon: 'trash-2',
      attributes: { 'aria-label': words.t('files.remove_named', { file: title }) },
    })
  const cancel = eventPath(event.id, event.title)
  const form = uploadFormView({
    words,
    csrfToken,
    state,
    maxBytes,
    action: path,
    cancel,
    help: words.t('files.choose_help_event'),
  })
  const choose =
    hasShared &&
    linkButtonView({ href: `${path}choose/`, label: words.t('files.choose_shared'), icon: 'paperclip', kind: 'quiet' })
  return html`${pageHeadView({ title: words.t('files.of_event', { event: event.title }) })}
<div class="stack">${files.length > 0 && cardView({ title: words.t('files.title'), body: fileListView({ words, files, folder: path, action: remove }) })}
${cardView({ title: words.t('files.add'), body: form, footer: choose })}</div>`
}

type StoredFiles = {
  words: Words
  now: Date
  files: readonly StoredAttachment[]
  usedBytes: number
  quotaBytes: number
  may: { add: boolean; delete: boolean }
}

export function storedFilesView({ words, now, files, usedBytes, quotaBytes, may }: StoredFiles): Html {
  const add = may.add && linkButtonView({ href: `${FILES}new/`, label: words.t('files.add'), icon: 'plus', kind: 'primary' })
  const used = words.t('files.used_of', { used: sizeText(words, usedBytes), quota: sizeText(words, quotaBytes) })
  const bar = attrs({ value: Math.min(usedBytes, quotaBytes), max: quotaBytes })
  return html`${pageHeadView({ title: words.t('files.title'), facts: files.length > 0 && words.t('files.intro'), actions: [add] })}
<div class="stack"><label class="progress"><span class="progress-label"><span>${words.t('files.used')}</span><span>${used}</span></span><progress ${bar}></progress></label>
${isAlmostFull(usedBytes, quotaBytes) && html`<p class="side-note">${iconView('triangle-alert', { size: 16 })}<span>${words.t('files.almost_full')}</span></p>`}
${files.length ? storedTableView({ words, now, files, may }) : emptyView({ icon: 'paperclip', text: words.t('files.none_at_all') })}</div>`
}

const MAX_EVENTS = 3

function storedTableView({ words, now, files, may }: Pick<StoredFiles, 'words' | 'now' | 'files' | 'may'>): Html {
  return tableView<StoredAttachment>({
    caption: words.t('files.title'),
    rows: files,
    columns: [
      {
        label: words.t('files.name'),
        main: true,
        cell: ({ id, title, fileId, isShared }) =>
          html`${
            fileId === null
              ? html`<span class="wrap">${title}</span>`
              : html`<a class="wrap" href="${storedPath(id)}">${title}</a>`
          }${isShared && html` ${badgeView({ tone: 'info', text: words.t('files.badge_shared') })}`}`,
      },
      {
        label: words.t('files.size'),
        numeric: true,
        cell: ({ bytes }) => (bytes === null ? words.t('files.missing') : sizeText(words, bytes)),
      },
      { label: words.t('files.events'), cell: (file) => eventsView(words, file) },
      {
        label: words.t('files.uploader'),
        cell: ({ uploader, createdAt }) =>
          words.t('files.uploaded_at', {
            who: uploader ?? words.t('files.unknown_person'),
            when: words.relative(createdAt, now),
          }),
      },
      {
        label: words.t('files.actions'),
        actions: true,
        cell: ({ id, title }) => [
          linkButtonView({
            href: editPath(id),
            label: words.t('files.edit'),
            kind: 'quiet',
            small: true,
            icon: 'pencil',
            attributes: { 'aria-label': words.t('files.edit_title', { file: title }) },
          }),
          may.delete &&
            linkButtonView({
              href: `${storedPath(id)}delete/`,
              label: words.t('files.delete'),
              kind: 'quiet',
              small: true,
              icon: 'trash-2',
              attributes: { 'aria-label': words.t('files.delete_named', { file: title }) },
            }),
        ],
      },
    ],
  })
}

function eventsView(words: Words, { events, eventCount }: Pick<StoredAttachment, 'events' | 'eventCount'>): Html {
  if (!eventCount) return html`<span class="muted">${words.t('files.no_event')}</span>`
  const shown = events.slice(0, MAX_EVENTS)
  const more = eventCount - shown.length
  if (!shown.length) return html`<span class="muted">${words.t('files.other_events', { count: more })}</span>`
  return html`<span>${shown.map(({ id, title, isDeleted }, index) => html`${index > 0 && ', '}${isDeleted ? title : html`<a class="wrap" href="${eventPath(id, title)}">${title}</a>`}`)}${more > 0 && html` <span class="muted">${words.t('files.more_events', { count: more })}</span>`}</span>`
}
