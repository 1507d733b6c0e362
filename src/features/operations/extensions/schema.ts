import { z } from 'zod'
import type { Extension, PersonalColumn } from '#extension'
import { PERMISSIONS } from '#platform/auth/permissions.ts'
import { SCOPES } from '#platform/auth/scopes.ts'
import {
  channelPath,
  endpointsBelow,
  isExtensionName,
  isIdentifier,
  isPathBelow,
  pagesBelow,
  settingsPath,
} from './rules/names.ts'

// biome-ignore lint/suspicious/noExplicitAny: the interface has the types, and the code of an extension may not keep them
const code = z.custom<any>((value) => typeof value === 'function', 'must be a function')
const identifier = z.string().refine(isIdentifier, 'must have lower-case letters, digits and _ only')
const message = z.union([z.string(), z.strictObject({ one: z.string(), other: z.string() })])
const messages = z.record(z.string().regex(/^[\w.-]{1,80}$/, 'must have letters, digits, dots, - and _ only'), message)

const forms = z.strictObject({
  zero: z.string().optional(),
  one: z.string().optional(),
  two: z.string().optional(),
  few: z.string().optional(),
  many: z.string().optional(),
  other: z.string(),
})
const language = z.string().regex(/^[a-z]{2,3}(-[A-Z][A-Za-z]{1,3})?$/, 'must be the code of a language')

const pageAccess = z.union(
  [z.enum(['signed-in', 'staff']), z.strictObject({ permission: z.enum(PERMISSIONS) })],
  'must be signed-in, staff or a permission',
)
const endpointAccess = z.union(
  [z.literal('any-user'), z.strictObject({ scope: z.enum(SCOPES), permission: z.enum(PERMISSIONS).optional() })],
  'must be any-user or a scope',
)

const page = z.union([
  z.strictObject({ path: z.string(), access: pageAccess, show: code }),
  z.strictObject({ path: z.string(), access: pageAccess, submit: code }),
])
const screen = z.strictObject({
  path: z.string(),
  title: z.string(),
  script: z.instanceof(URL),
  style: z.instanceof(URL),
  scopes: z.array(z.enum(SCOPES)).min(1),
})
const endpointFacts = { path: z.string(), access: endpointAccess, summary: z.string() }
const endpoint = z.union([
  z.strictObject({ method: z.literal('GET'), ...endpointFacts, read: code }),
  z.strictObject({ method: z.literal('POST'), ...endpointFacts, perform: code }),
])

const formField = z
  .strictObject({
    name: identifier,
    label: z.string(),
    help: z.string().optional(),
    kind: z.enum(['text', 'textarea', 'number', 'switch', 'choice']),
    options: z.array(z.strictObject({ value: z.string().min(1), label: z.string() })).optional(),
    isRequired: z.boolean().optional(),
  })
  .refine(({ kind, options }) => (kind === 'choice') === (options !== undefined), 'only a choice has options, and it needs them')
const formSection = z.strictObject({ title: z.string(), fields: z.array(formField).min(1), read: code, save: code })
const additions = z.strictObject({
  eventSection: code.optional(),
  personSection: code.optional(),
  homeLink: code.optional(),
  eventForm: formSection.optional(),
  shiftForm: formSection.optional(),
  eventAction: z
    .strictObject({ task: z.enum(['plan', 'staff', 'day', 'after']), label: z.string(), path: z.string() })
    .optional(),
  personAction: z.strictObject({ label: z.string(), help: z.string(), path: z.string() }).optional(),
})

const personalColumn: z.ZodType<PersonalColumn> = z.strictObject({
  table: identifier,
  column: identifier,
  label: z.string(),
  withhold: z.array(identifier).optional(),
  whenErased: z.enum(['delete', 'clear', 'keep']),
  whenMerged: z.union([z.enum(['move', 'delete']), z.strictObject({ moveUnless: z.array(identifier).min(1) })]),
}) as never

const setting = z.strictObject({
  name: identifier,
  label: z.string(),
  help: z.string().optional(),
  kind: z.enum(['text', 'url', 'secret', 'switch']),
  isRequired: z.boolean().optional(),
})
const channel = z.strictObject({
  name: identifier,
  label: z.string(),
  needs: z.array(z.string()).optional(),
  guide: code,
  receive: code,
  send: code,
})

const notificationKind = z.strictObject({
  name: identifier,
  label: z.string(),
  help: z.string(),
  subject: z.string(),
  text: z.string(),
  topic: z.enum(['shifts', 'news', 'account']).optional(),
  isOptIn: z.boolean().optional(),
  isAboutEvent: z.boolean().optional(),
  link: z.strictObject({ path: z.string(), label: z.string() }).optional(),
})
const flag = z.string().regex(/^[a-z][a-z0-9-]*$/, 'must have lower-case letters, digits and - only')
const command = z.strictObject({
  name: identifier,
  summary: z.string().min(1),
  options: z
    .record(
      flag,
      z.strictObject({
        type: z.enum(['string', 'boolean']),
        hint: z.string().optional(),
        help: z.string(),
        required: z.boolean().optional(),
      }),
    )
    .optional(),
  operands: z.array(z.strictObject({ name: z.string(), help: z.string(), optional: z.boolean().optional() })).optional(),
  run: code,
})

const manifest = z.strictObject({
  name: z.string().refine(isExtensionName, 'must have 2 to 30 lower-case letters, digits and _'),
  version: z.string().regex(/^\d+\.\d+\.\d+/, 'must be a semantic version'),
  turnout: z.string(),
  words: z.strictObject({ en: messages, de: messages }),
  translations: z.record(language, z.record(z.string(), z.union([z.string(), forms]))).optional(),
  migrations: z.array(z.strictObject({ name: identifier, sql: z.string() })).optional(),
  pages: z.array(page).optional(),
  screens: z.array(screen).max(1).optional(),
  endpoints: z.array(endpoint).optional(),
  adds: additions.optional(),
  rules: z.array(z.strictObject({ name: identifier, judge: code })).optional(),
  flows: z.array(z.strictObject({ name: identifier, label: z.string(), hasRequests: z.boolean() })).optional(),
  settings: z.array(setting).optional(),
  channels: z.array(channel).optional(),
  notificationKinds: z.array(notificationKind).optional(),
  commands: z.array(command).optional(),
  tasks: z.array(z.strictObject({ name: identifier, schedule: z.string(), run: code })).optional(),
  readers: z.array(z.strictObject({ name: identifier, kinds: z.array(z.string()).min(1), read: code })).optional(),
  personalData: z.array(personalColumn).optional(),
  retention: z.array(z.strictObject({ table: identifier, column: identifier, days: z.int().min(1) })).optional(),
})

const DESCRIPTION = ['title', 'text', 'who']

const sameKeys = ({ en, de }: Extension['words']): boolean =>
  JSON.stringify(Object.keys(en).sort()) === JSON.stringify(Object.keys(de).sort())

const findTwice = (list: readonly { name: string }[]): string[] =>
  list.flatMap(({ name }, index) => (list.findIndex((other) => other.name === name) < index ? [name] : []))

/** What is wrong with the default export of an extension; empty: nothing. */
export function findFaults(value: unknown): string[] {
  const parsed = manifest.safeParse(value)
  if (!parsed.success)
    return parsed.error.issues.map(({ path, message: text }) => `${path.join('.') || 'default export'}: ${text}`)
  const { name, words, screens = [], endpoints = [], personalData = [], flows = [], migrations = [] } = parsed.data as Extension
  const {
    settings = [],
    channels = [],
    rules = [],
    notificationKinds = [],
    commands = [],
    translations = {},
    adds = {},
  } = parsed.data as Extension
  const { eventForm, shiftForm, eventAction, personAction } = adds
  const pages = [...(parsed.data.pages ?? []), ...screens]
  const misplaced = [
    ...pages
      .filter(({ path }) => !isPathBelow(pagesBelow(name), path))
      .map(({ path }) => `page ${path} is not below ${pagesBelow(name)}`),
    ...pages
      .filter(({ path }) =>
        [settingsPath(name), ...channels.map((each) => channelPath(name, each.name))].some((own) => path.startsWith(own)),
      )
      .map(({ path }) => `page ${path} is a page of Turnout`),
    ...[eventAction, personAction, ...notificationKinds.map(({ link }) => link)]
      .filter((link) => link !== undefined && !isPathBelow(pagesBelow(name), link.path))
      .map((link) => `link ${link?.path} is not below ${pagesBelow(name)}`),
    ...endpoints
      .filter(({ path }) => !isPathBelow(endpointsBelow(name), path))
      .map(({ path }) => `endpoint ${path} is not below ${endpointsBelow(name)}`),
  ]
  const labels = [
    ...DESCRIPTION,
    ...personalData.map(({ label }) => label),
    ...[...flows, ...settings, ...channels].map(({ label }) => label),
    ...screens.map(({ title }) => title),
    ...notificationKinds.flatMap(({ label, help, subject, text, link }) => [
      label,
      help,
      subject,
      text,
      ...(link ? [link.label] : []),
    ]),
    ...settings.flatMap(({ help }) => help ?? []),
    ...[eventForm?.title, shiftForm?.title, eventAction?.label, personAction?.label, personAction?.help].flatMap(
      (key) => key ?? [],
    ),
    ...[...(eventForm?.fields ?? []), ...(shiftForm?.fields ?? [])].flatMap(({ label, help, options = [] }) => [
      label,
      ...(help === undefined ? [] : [help]),
      ...options.map((option) => option.label),
    ]),
  ]
  const unknown = channels.flatMap(({ needs = [] }) => needs).filter((need) => !settings.some((each) => each.name === need))
  return [
    ...misplaced,
    ...labels.filter((key) => !(key in words.en)).map((key) => `words.en has no ${key}`),
    ...(sameKeys(words) ? [] : ['words.en and words.de have different keys']),
    ...Object.entries(translations).flatMap(([code, texts]) =>
      Object.keys(texts).flatMap((key) => (key in words.en ? [] : [`translations.${code}: words.en has no ${key}`])),
    ),
    ...unknown.map((need) => `channels: there is no setting ${need}`),
    ...Object.entries({
      migrations,
      settings,
      channels,
      rules,
      notificationKinds,
      commands,
      'event form': eventForm?.fields ?? [],
      'shift form': shiftForm?.fields ?? [],
    }).flatMap(([part, list]) => findTwice(list).map((twice) => `${part}: ${twice} is there twice`)),
  ]
}
