import type { Schemas, TurnoutClient } from '../../clients/typescript/src/client.ts'

/** Only compiled: each line with an expected error shows that the compiler refuses a mistake. */
export async function use(client: TurnoutClient): Promise<unknown[]> {
  const event = await client.get('/api/events/{id}/', { path: { id: 12 }, query: { type: 2 } })
  const start: string | null = event.start_time
  const page = await client.get('/api/participations/', { query: { event: [1, 2], state: 1, limit: undefined } })
  const label: string = page.results[0]!.state.label
  const own: Schemas['UserinfoParticipation'] = await client.post('/api/shifts/{id}/signup/', { path: { id: 7 } })
  const { etag, body } = await client.request('GET', '/api/users/me/participations/{id}/', { path: { id: 1 } })
  await client.patch('/api/users/me/participations/{id}/', {
    path: { id: 1 },
    ifMatch: etag!,
    body: { comment: body.event_title },
  })
  const nothing: undefined = await client.delete('/api/federation/guest/delete/', { ifMatch: '*' })
  for await (const shift of client.pages('/api/shifts/', { query: { search: 'boat' } }))
    await client.get('/api/events/{id}/', { path: { id: shift.event_id } })
  const changed = await client.change('/api/users/me/participations/{id}/', { path: { id: 1 } }, (record) =>
    record.comments.length ? undefined : { comment: 'I bring the van' },
  )

  // @ts-expect-error there is no such path
  await client.get('/api/event/')
  // @ts-expect-error the id is missing
  await client.get('/api/events/{id}/')
  // @ts-expect-error the id has another name
  await client.get('/api/events/{id}/', { path: { event: 1 } })
  // @ts-expect-error there is no such filter
  await client.get('/api/events/', { query: { colour: 'red' } })
  // @ts-expect-error a state is one of five numbers
  await client.get('/api/participations/', { query: { state: 9 } })
  // @ts-expect-error events cannot be deleted at the path of their list
  await client.delete('/api/events/', { ifMatch: '*' })
  // @ts-expect-error there is no such key
  await client.post('/api/shifts/{id}/signup/', { path: { id: 7 }, body: { comments: 'x' } })
  // @ts-expect-error the operations are missing
  await client.post('/api/batch/')
  // @ts-expect-error the version is missing
  await client.patch('/api/users/me/participations/{id}/', { path: { id: 1 }, body: {} })
  // @ts-expect-error a record has no pages
  void client.pages('/api/users/me/')
  // @ts-expect-error a list of other people's participations cannot be changed
  await client.change('/api/participations/', {}, () => ({}))
  // @ts-expect-error an event without shifts has no times
  const certain: string = event.start_time
  // @ts-expect-error this is a page in HTML
  await client.get('/api/schema/swagger-ui/')
  return [start, label, own, nothing, changed, certain]
}
