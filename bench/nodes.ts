import { processorMs } from '#test/support/process/processor-time.ts'
import type { Dataset } from './data.ts'
import { lightThroughput } from './light-client.ts'
import { type Served, serve } from './measure.ts'

/** Requests per second, and per second that the nodes used a processor: the client and the database use the same processors. */
type Rate = { perSecond: number; perProcessorSecond: number }

/** One node, and two nodes that are asked at the same time. Alternates, so that other load affects both. */
export async function measureNodes(data: Dataset, seconds: number): Promise<{ one: Rate; two: Rate }> {
  const nodes = [await serve('./server.ts', [data.url]), await serve('./server.ts', [data.url])] as [Served, Served]
  const ask = async (asked: Served[]): Promise<Rate> => {
    const usedMs = () => asked.reduce((sum, { child }) => sum + (processorMs(child.pid!) ?? Number.NaN), 0)
    const [usedBefore, begun] = [usedMs(), performance.now()]
    const rates = await Promise.all(
      asked.map((node) => lightThroughput({ url: `${node.address}/api/events/?limit=20`, token: data.ann }, seconds)),
    )
    const perSecond = rates.reduce((sum, rate) => sum + rate)
    return { perSecond, perProcessorSecond: perSecond / ((usedMs() - usedBefore) / (performance.now() - begun)) }
  }
  const [ones, twos]: [Rate[], Rate[]] = [[], []]
  for (let round = 0; round < 2; round++) {
    ones.push(await ask(nodes.slice(0, 1)))
    twos.push(await ask(nodes))
  }
  await Promise.all(nodes.map((node) => node.stop()))
  const fastest = (rates: Rate[]) => rates.reduce((a, b) => (b.perSecond > a.perSecond ? b : a))
  return { one: fastest(ones), two: fastest(twos) }
}
