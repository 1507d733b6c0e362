import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import type { Endpoint as OwnEndpoint, Page as OwnPage, PageRequest as OwnRequest, Redirect } from '#extension'
import type { Actor } from '#platform/auth/actor.ts'
import type { CommandContext, RequestContext } from '#platform/auth/context.ts'
import type { Permission } from '#platform/auth/permissions.ts'
import type { Scope } from '#platform/auth/scopes.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { readModuleNames } from '#platform/features/modules.ts'
import type { Child } from '#platform/html/html.ts'
import { type ApiAccess, anyUser, type PageAccess, permission, scope, signedIn, staff } from '#platform/http/access.ts'
import { actionEndpoint, type Endpoint, recordEndpoint } from '#platform/http/endpoint.ts'
import { actionPage, type Page, type PageRequest, type PageResponse, viewPage } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { fieldValue } from '#platform/ui/form-values.ts'
import { moduleOf } from '../rules/names.ts'
import { contextFor, workFor } from './contexts.ts'
import type { Budgets, Guard } from './guard.ts'

/** What adapting a part of an extension needs. */
export type Host = {
  name: string
  guard: Guard
  budgets: Budgets
  /** Reads what is committed. */
  db: Kysely<DB>
}

function pageAccess(access: OwnPage['access']): PageAccess {
  if (access === 'staff') return staff
  return access === 'signed-in' ? signedIn : permission(access.permission as Permission)
}

const apiAccess = (access: OwnEndpoint['access']): ApiAccess =>
  access === 'any-user' ? anyUser : scope(access.scope as Scope, access.permission as Permission | undefined)

/** Its answer failed or is late: this path answers 503, and nothing else does. */
export async function answer<Result>(
  { name, guard, budgets }: Host,
  context: RequestContext['words'],
  what: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await guard.run(what, budgets.requestMs, work)
  } catch (error) {
    if (error instanceof Problem) throw error
    throw new Problem('unavailable', { detail: context.t('extensions.no_answer', { name }) })
  }
}

type AnyRequest = PageRequest<unknown, Actor>

const requestOf = (host: Host, { context, path, query, csrfToken }: AnyRequest): OwnRequest => ({
  ...(contextFor(host.name, context) as OwnRequest),
  path: path as OwnRequest['path'],
  query,
  csrfToken,
})

/** Own pages or those of Turnout, never another site. */
function redirectOf({ redirect, say }: Redirect): PageResponse {
  if (!/^\/(?![/\\])/.test(redirect)) throw new Error(`redirects to ${redirect}, which is no path`)
  return { redirect, ...(say ? { flash: say } : {}) }
}

function responseOf(given: Awaited<ReturnType<Extract<OwnPage, { show: unknown }>['show']>>): PageResponse {
  if ('notFound' in given) throw new Problem('not_found')
  return 'redirect' in given ? redirectOf(given) : { title: given.title, main: given.main as unknown as Child }
}

const formSchema = z.record(z.string(), z.union([z.string(), z.array(z.string())]))

export function adaptPage(host: Host, page: OwnPage): Page {
  const facts = { path: page.path, access: pageAccess(page.access) }
  if ('show' in page)
    return viewPage({
      ...facts,
      show: (request) =>
        answer(host, request.context.words, `page ${page.path}`, async () =>
          responseOf(await page.show(requestOf(host, request))),
        ),
    })
  return actionPage({
    ...facts,
    form: formSchema,
    submit: (request, values) => {
      const { context, commandContext } = request
      const form = Object.fromEntries(Object.keys(values).map((key) => [key, fieldValue(values, key)]))
      const work = workFor(host.name, commandContext, context.words, host.budgets.requestMs)
      return answer(host, context.words, `page ${page.path}`, async () =>
        responseOf(await page.submit({ ...requestOf(host, request), ...work, person: requestOf(host, request).person }, form)),
      )
    },
  })
}

/** Endpoints of Turnout do not depend on modules; those of an extension that is off are not there. */
async function requireModule({ name }: Host, db: RequestContext['db']): Promise<void> {
  const stored = await rowsOf(db).first(sql<{ value: unknown }>`select value from setting where name = 'modules'`)
  const on = readModuleNames(stored?.value)
  if (on && !on.includes(moduleOf(name))) throw new Problem('not_found')
}

export function adaptEndpoint(host: Host, endpoint: OwnEndpoint): Endpoint {
  const { path, summary } = endpoint
  const what = `endpoint ${path}`
  const facts = {
    path,
    access: apiAccess(endpoint.access),
    name: summary,
    summary,
    tag: host.name,
    operationId: `${endpoint.method.toLowerCase()}_${path.replaceAll(/\W+/g, '_').replaceAll(/^_|_$/g, '')}`,
  }
  if (endpoint.method === 'GET')
    return recordEndpoint({
      ...facts,
      parameters: {},
      record: z.looseObject({}),
      get: async (context: RequestContext, values: unknown) => {
        await requireModule(host, context.db)
        const given = { ...contextFor(host.name, context), path: values as OwnRequest['path'] }
        return answer(host, context.words, what, () => endpoint.read(given))
      },
      present: (row: object) => row,
    })
  return actionEndpoint({
    ...facts,
    method: 'POST',
    body: z.looseObject({}),
    responses: { 200: { description: 'What it says', schema: z.looseObject({}) } },
    perform: async (context: CommandContext, values: unknown, body: Record<string, unknown>) => {
      await requireModule(host, context.db)
      const words = wordsFor(context.actor.kind === 'user' ? context.actor.language : 'en', context.site.timeZone, context.site)
      const work = { ...workFor(host.name, context, words, host.budgets.requestMs), path: values as OwnRequest['path'] }
      const given = await answer(host, words, what, () => endpoint.perform(work, body))
      if (given === undefined) throw new Problem('not_found')
      return { status: 200, body: given }
    },
  })
}
