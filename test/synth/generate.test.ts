import { describe, expect, it } from 'vitest'
import type { Agent } from '../../src/synth/agent.js'
import { toDot, toMermaid } from '../../src/synth/draw-graph.js'
import { environments } from '../../src/synth/environments/index.js'
import { type GenerateEvent, type GenerateOptions, generateTasks } from '../../src/synth/generate.js'
import { replay } from '../../src/synth/replay.js'
import { histogramLines, histogramMean, stats } from '../../src/synth/stats.js'
import type { EnvironmentSource, Task, ToolGraph } from '../../src/synth/types.js'
import { counter, makeTool, record, string } from './counter.js'

async function make(
  sources: readonly EnvironmentSource[],
  options?: Partial<GenerateOptions>,
): Promise<Task[]> {
  const tasks: Task[] = []
  for await (const task of generateTasks(sources, options)) tasks.push(task)
  return tasks
}

const few = { graphs: 2, tasksPerGraph: 1 }
const sourceOf = ({ environment }: Task): EnvironmentSource =>
  environments.find(({ name }) => name === environment)!

/** The tool and all that comes before it. */
function needsOf({ edges }: ToolGraph, node: string): Set<string> {
  const needs = new Set([node])
  for (const need of needs) for (const { from, to } of edges) if (to === need) needs.add(from)
  return needs
}

describe('generateTasks', () => {
  it('gives the same bytes for the same seed, other tasks for another', async () => {
    const one = JSON.stringify(await make(environments, few))
    expect(JSON.stringify(await make(environments, few))).toBe(one)
    expect(JSON.stringify(await make(environments, { ...few, seed: 1 }))).not.toBe(one)
  })

  it('makes tasks that replay and pass values from turn to turn, and covers every tool, over 20 seeds', async () => {
    const used = new Map(environments.map(({ name }) => [name, new Set<string>()]))
    for (let seed = 0; seed < 20; seed++)
      for (const task of await make(environments, { graphs: 1, tasksPerGraph: 1, seed })) {
        expect(await replay(sourceOf(task), task.trace, { seed: task.seed })).toMatchObject({ ok: true })
        expect(task.requests).toHaveLength(task.golden.length)
        const sources = task.trace.flatMap((calls, turn) =>
          calls.flatMap(({ provenance }) => Object.values(provenance).map((source) => ({ turn, source }))),
        )
        const passed = sources.filter(({ source }) => source.from === 'edge')
        expect(passed.length).toBeGreaterThan(0)
        for (const { turn, source } of passed)
          if (source.from === 'edge') expect(source.turn).toBeLessThan(turn)
        for (const { name } of task.golden.flat()) used.get(task.environment)!.add(name)
      }
    for (const { name, tools } of environments) expect(used.get(name)!.size).toBe(tools.length)
  })

  it('keeps to the order of its graph: one call of a tool, those it needs in earlier turns', async () => {
    for (const { graph, golden } of await make(environments, few)) {
      const at = new Map(golden.flatMap((calls, t) => calls.map(({ name }) => [name, t] as const)))
      expect([...at.keys()].sort()).toEqual([...graph.nodes].sort())
      for (const { from, to } of graph.edges) expect(at.get(from)).toBeLessThan(at.get(to)!)
    }
  })

  it('covers every tool of an environment with short tasks too', async () => {
    const events: GenerateEvent[] = []
    const options = { maxStages: 4, stageSize: 2, graphs: 3, tasksPerGraph: 8, keep: 24 }
    const tasks = await make(environments.slice(0, 3), { ...options, onEvent: (event) => events.push(event) })
    expect(Math.max(...tasks.map(({ golden }) => golden.length))).toBe(4)
    const used = new Set(
      tasks.flatMap(({ environment, golden }) => golden.flat().map(({ name }) => environment + name)),
    )
    const drawn = events.filter((event) => event.kind === 'graph')
    expect(drawn).toHaveLength(9)
    let count = 0
    for (const { environment, graph } of drawn)
      for (const node of graph.nodes) {
        if (needsOf(graph, node).size > 4) continue
        expect(used).toContain(environment + node)
        count++
      }
    expect(count).toBeGreaterThan(40)
  })

  it('keeps at most so many, graph after graph, no two with one golden trace', async () => {
    const tasks = await make(environments.slice(0, 1), { keep: 7 })
    expect(tasks.map(({ group }) => group.slice(-5))).toEqual([
      'g0-t0',
      'g1-t0',
      'g2-t0',
      'g0-t1',
      'g1-t1',
      'g2-t1',
      'g0-t2',
    ])
    expect(new Set(tasks.map(({ golden }) => JSON.stringify(golden))).size).toBe(7)
  })

  it('leaves out a tool that finds no arguments and says so; the others stay', async () => {
    const [first] = environments
    const stuck = makeTool('stuck', 'query', record({ key: string }), record({}), () => {
      throw new Error('never')
    })
    const source = { ...first!, tools: [...first!.tools, stuck] }
    const events: GenerateEvent[] = []
    const tasks = await make([source], { ...few, onEvent: (event) => events.push(event) })
    expect(tasks).toHaveLength(2)
    expect(events).toContainEqual({
      kind: 'ungroundable',
      environment: first!.name,
      tool: 'stuck',
      reason: 'refused: never',
    })
    expect(events.at(-1)).toEqual({
      kind: 'environment',
      environment: first!.name,
      kept: 2,
      uncovered: ['stuck'],
    })
    expect(tasks[0]!.graph.nodes).not.toContain('stuck')
  })

  it('gives up a trace that does not come out again, with the index of the call', async () => {
    let calls = 0
    const drift = makeTool('drift', 'query', record({}), record({ n: {} }), () => ({ n: calls++ }))
    const events: GenerateEvent[] = []
    const source = { ...counter, tools: [drift] }
    const options = {
      graphs: 1,
      tasksPerGraph: 1,
      onEvent: (event: GenerateEvent) => void events.push(event),
    }
    expect(await make([source], options)).toEqual([])
    const [rejected] = events.filter((event) => event.kind === 'rejected')
    expect(rejected).toMatchObject({ why: 'not-replayed' })
    expect(rejected!.detail).toMatch(/^golden\[0\]\[0\] drift: output\.n: expected \d+, got \d+/)
  })

  it('says in the task which turns do not commute, or leaves such tasks out', async () => {
    const tools = counter.tools
      .filter(({ name }) => name === 'inc')
      .flatMap((tool) => [tool, { ...tool, name: 'inc2' }])
    const source = { ...counter, tools }
    const options = { graphs: 1, tasksPerGraph: 1 }
    expect(await make([source], options)).toMatchObject([{ orderMatters: [0] }])
    expect(await make([source], { ...options, commuting: true })).toEqual([])
  })

  it('keeps what an agent solves once, and counts', async () => {
    const agent = (passes: number): Agent => ({
      name: 'test',
      solve: async ({ golden }, _, attempt) => (attempt === passes ? golden : golden.map(() => [])),
    })
    const [source] = environments
    expect(await make([source!], { ...few, agent: agent(3) })).toMatchObject([
      { attempts: 4, passed: 1 },
      { attempts: 4, passed: 1 },
    ])
    const why: string[] = []
    const onEvent = (event: GenerateEvent): void => void (event.kind === 'rejected' && why.push(event.why))
    expect(await make([source!], { ...few, agent: agent(3), attempts: 3, onEvent })).toEqual([])
    expect(why).toEqual(['not-solved', 'not-solved'])
  })

  it('refuses, before the first task, what will not do', async () => {
    const [first, second] = environments
    const bad = { ...second!, tools: [...second!.tools, second!.tools[0]!] }
    await expect(make([first!, bad])).rejects.toThrow(
      /openEnvironment: source\.tools\[\d+\]\.name: expected a name/,
    )
    await expect(make([first!, first!])).rejects.toThrow(
      'generateTasks: sources[1].name: expected a name of its own',
    )
    await expect(make([first!], { keep: 0 })).rejects.toThrow('generateTasks: options.keep')
    await expect(make([{ ...first!, tools: [] }])).rejects.toThrow('generateTasks: sources[0].tools')
    const writer = { name: 'short', write: async () => ['Please.'] }
    await expect(make([first!], { ...few, writer })).rejects.toThrow(
      /generateTasks: short: expected \d+ requests/,
    )
  })

  it('drops edges of unknown tools that a judge proposes', async () => {
    const judge = { infer: async () => [{ from: 'ghost', to: 'inc', kind: 'semantic' as const }] }
    const source = { ...counter, tools: counter.tools.filter(({ name }) => name === 'inc') }
    const events: GenerateEvent[] = []
    const options = {
      judge,
      graphs: 1,
      tasksPerGraph: 1,
      onEvent: (event: GenerateEvent) => void events.push(event),
    }
    expect(await make([source], options)).toHaveLength(1)
    expect(events[0]).toMatchObject({ kind: 'graph', removed: [{ reason: 'unknown-tool' }] })
  })
})

describe('stats', () => {
  it('counts environments, tools, turns, graphs and passes', async () => {
    const [source] = environments
    const tasks = await make([source!], few)
    const tried = tasks.map((task, k) => ({ ...task, attempts: 8, passed: k === 0 ? 8 : 3 }))
    const counted = stats([source!], tried)
    expect(counted).toMatchObject({
      environments: 1,
      tools: source!.tools.length,
      tasks: 2,
      passRate: 11 / 16,
    })
    expect(counted.toolCounts).toEqual([[source!.tools.length, 1]])
    expect(counted.passRates).toEqual([
      [0.3, 1],
      [1, 1],
    ])
    expect(counted.calls).toBe(2 * source!.tools.length)
    expect(counted.nodes.reduce((sum, [, times]) => sum + times, 0)).toBe(2)
    expect(stats([], [])).toMatchObject({ tasks: 0, passRate: 0, turns: [] })
  })

  it('draws histograms', () => {
    const values = [
      [5, 2],
      [10, 4],
    ] as const
    expect(histogramMean(values)).toBeCloseTo(50 / 6)
    expect(histogramMean([])).toBe(0)
    expect(histogramLines(values, 4)).toEqual([' 5  ## 2', '10  #### 4'])
    expect(histogramLines([])).toEqual([])
  })
})

describe('a drawn graph', () => {
  const graph = {
    nodes: ['a "1"', 'b'],
    edges: [
      { from: 'a "1"', to: 'b', kind: 'parameter' as const, bindings: [['x', 'y']] as [string, string][] },
      { from: 'b', to: 'a "1"', kind: 'semantic' as const },
    ],
  }
  it('is Mermaid', () => {
    expect(toMermaid(graph)).toBe(
      'flowchart TD\n  t0["a #34;1#34;"]\n  t1["b"]\n  t0 -->|"y"| t1\n  t1 -.-> t0\n',
    )
  })
  it('is DOT', () => {
    expect(toDot(graph)).toBe(
      'digraph tools {\n  "a \\"1\\"";\n  "b";\n  "a \\"1\\"" -> "b" [label="y"];\n  "b" -> "a \\"1\\"" [style=dashed];\n}\n',
    )
  })
})
