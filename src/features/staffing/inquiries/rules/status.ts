type Answer = 'can' | 'cannot' | 'too_late'
type Asked = { userId: number; askedAt: Date | null; withdrawnAt: Date | null; answer: Answer | null }
type AskedState = Answer | 'open' | 'withdrawn' | 'waiting'

export function stateOf({ answer, withdrawnAt, askedAt }: Omit<Asked, 'userId'>): AskedState {
  if (answer) return answer
  if (withdrawnAt) return 'withdrawn'
  return askedAt ? 'open' : 'waiting'
}

/** What counts for a person who was asked several times: the first of these. */
const ORDER: readonly AskedState[] = ['can', 'cannot', 'too_late', 'open', 'withdrawn', 'waiting']

type AskedCounts = Record<AskedState, number> & {
  /** People to whom a question was sent, whatever became of it. */
  asked: number
}

/** How many people were asked for a shift, by what became of it. Each person counts once. */
export function countStates(people: readonly Asked[]): AskedCounts {
  const states = new Map<number, AskedState>()
  const asked = new Set<number>()
  for (const person of people) {
    const [before, state] = [states.get(person.userId), stateOf(person)]
    if (before === undefined || ORDER.indexOf(state) < ORDER.indexOf(before)) states.set(person.userId, state)
    if (person.askedAt) asked.add(person.userId)
  }
  const counts = { can: 0, cannot: 0, too_late: 0, open: 0, withdrawn: 0, waiting: 0, asked: asked.size }
  for (const state of states.values()) counts[state]++
  return counts
}

type Running = {
  nextWaveAt: Date | null
  endedAt: Date | null
  waveSize: number | null
  people: readonly Pick<Asked, 'askedAt'>[]
}

/** The next people who are asked without anybody doing anything. Undefined: nobody is. */
export function nextWaveOf(inquiries: readonly Running[]): { at: Date; count: number } | undefined {
  return inquiries
    .flatMap(({ nextWaveAt, endedAt, waveSize, people }) => {
      const waiting = people.filter(({ askedAt }) => !askedAt).length
      return nextWaveAt && !endedAt && waiting ? [{ at: nextWaveAt, count: Math.min(waveSize ?? 1, waiting) }] : []
    })
    .sort((a, b) => a.at.getTime() - b.at.getTime())[0]
}
