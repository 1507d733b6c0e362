import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Answer,
  askQuestions,
  changedAnswers,
  findUnanswered,
  fitAnswer,
  judgeAnswer,
  judgeAnswers,
  judgeChoices,
  type Question,
  type QuestionKind,
  readChoices,
  readGiven,
  sumAnswers,
} from './rules.ts'

const question = (kind: QuestionKind, more: Partial<Question> = {}): Question => ({
  id: 1,
  name: 'Size',
  text: 'Which size?',
  description: '',
  isRequired: false,
  kind,
  choices: kind === 'text' ? [] : ['S', 'M', 'L'],
  usesSavedAnswers: true,
  ...more,
})

const FITS: [what: string, kind: QuestionKind, stored: Answer | undefined, fits: Answer | undefined][] = [
  ['nothing', 'single', undefined, undefined],
  ['a choice that is offered', 'single', 'M', 'M'],
  ['a choice that is no longer offered', 'single', 'XXL', undefined],
  ['a list with one choice, now a single choice', 'single', ['M'], 'M'],
  ['a list with several choices, now a single choice', 'single', ['M', 'S'], undefined],
  ['several choices, of which one is no longer offered, now a single choice', 'single', ['M', 'XXL'], 'M'],
  ['a single choice, now several', 'multiple', 'M', ['M']],
  ['several choices, in the order of the question', 'multiple', ['L', 'XXL', 'S'], ['S', 'L']],
  ['several choices, all no longer offered', 'multiple', ['XXL'], undefined],
  ['a text', 'text', 'by train', 'by train'],
  ['choices, now a text', 'text', ['S', 'M'], 'S, M'],
  ['an empty text', 'text', '', undefined],
  ['a text longer than allowed', 'text', 'x'.repeat(101), undefined],
]
for (const [what, kind, stored, fits] of FITS)
  test(`a stored answer becomes an initial value: ${what}`, () => assert.deepEqual(fitAnswer(question(kind), stored), fits))

const INITIAL: [
  what: string,
  given: Answer | undefined,
  saved: Answer | undefined,
  uses: boolean,
  initial: Answer | undefined,
][] = [
  ['the existing answer wins over the saved one', 'S', 'M', true, 'S'],
  ['the saved answer, if there is no existing one', undefined, 'M', true, 'M'],
  ['the saved answer, if the existing one is no longer offered', 'XXL', 'M', true, 'M'],
  ['no saved answer, if the question does not use them', undefined, 'M', false, undefined],
]
for (const [what, given, saved, usesSavedAnswers, initial] of INITIAL)
  test(`the initial value is ${what}`, () => {
    const answers = (one: Answer | undefined) => (one === undefined ? {} : { 1: one })
    const [asked] = askQuestions([question('single', { usesSavedAnswers })], { given: answers(given), saved: answers(saved) })
    assert.deepEqual(asked!.initial, initial)
  })

test('only required questions without an initial value have to be answered on the form', () => {
  const questions = [
    question('single', { id: 1, isRequired: true }),
    question('single', { id: 2, isRequired: true }),
    question('single', { id: 3 }),
  ]
  const asked = askQuestions(questions, { given: { 1: 'M' }, saved: {} })
  assert.deepEqual(
    findUnanswered(asked).map(({ id }) => id),
    [2],
  )
})

const required = { isRequired: true }
const JUDGED: [what: string, asked: Question, given: string[], result: Answer | undefined | { fault: string }][] = [
  ['a required question without a value', question('text', required), ['  '], { fault: 'missing' }],
  ['a required list without a choice', question('multiple', required), [], { fault: 'missing' }],
  ['an optional question without a value', question('text'), [''], undefined],
  ['the text without control characters and spaces around it', question('text'), [' a\n\tb '], 'a b'],
  ['100 characters', question('text'), ['ü'.repeat(100)], 'ü'.repeat(100)],
  ['101 characters', question('text'), ['x'.repeat(101)], { fault: 'too_long' }],
  ['a choice', question('single'), ['M'], 'M'],
  ['another choice', question('single'), ['XXL'], { fault: 'not_offered' }],
  ['two single choices', question('single'), ['S', 'M'], { fault: 'not_offered' }],
  ['several choices, each once and in order', question('multiple'), ['L', 'S', 'L'], ['S', 'L']],
  ['one choice too many', question('multiple'), ['S', 'XXL'], { fault: 'not_offered' }],
]
for (const [what, asked, given, expected] of JUDGED)
  test(`an answer is judged: ${what}`, () => {
    const result = judgeAnswer(asked, given)
    assert.deepEqual(result.ok ? result.answer : { fault: result.fault }, expected)
  })

test('a question that the form did not show keeps its initial answer, or is missing if it is required', () => {
  const questions = [question('single', { id: 1 }), question('text', { id: 2, isRequired: true })]
  const asked = askQuestions(questions, { given: { 1: 'M' }, saved: {} })
  const { answers, faults } = judgeAnswers(asked, new Map())
  assert.deepEqual(answers, { 1: 'M' })
  assert.deepEqual(
    faults.map(({ question: { id }, fault }) => [id, fault]),
    [[2, 'missing']],
  )
})

test('the journal gets only answers that changed, before and after', () => {
  const before = { 1: 'S', 2: ['a'], 3: 'same', 9: 'of a question that is no longer asked' }
  assert.deepEqual(changedAnswers(before, { 2: ['a', 'b'], 3: 'same', 4: 'new' }, [1, 2, 3, 4]), [
    { 1: 'S', 2: ['a'] },
    { 2: ['a', 'b'], 4: 'new' },
  ])
  assert.equal(changedAnswers(before, before, [1, 2, 3]), undefined)
})

const CHOICES: [what: string, kind: QuestionKind, choices: string[], fault: string | undefined][] = [
  ['a text needs none', 'text', [], undefined],
  ['one is too few', 'single', ['S'], 'choices_missing'],
  ['two are enough', 'multiple', ['S', 'M'], undefined],
  ['50 are allowed', 'single', Array.from({ length: 50 }, (_, n) => String(n)), undefined],
  ['51 are too many', 'single', Array.from({ length: 51 }, (_, n) => String(n)), 'choices_many'],
  ['101 characters are too long', 'single', ['S', 'x'.repeat(101)], 'choice_long'],
]
for (const [what, kind, choices, fault] of CHOICES)
  test(`choices: ${what}`, () => assert.equal(judgeChoices(kind, choices), fault))

test('choices are read by line, without empty lines and repetitions', () =>
  assert.deepEqual(readChoices(' S \n\nM\nS'), ['S', 'M']))

test('a form with more answers than a shift has questions is refused', () => {
  const many = Object.fromEntries(Array.from({ length: 31 }, (_, n) => [`question-${n}`, 'x']))
  assert.equal(readGiven(many), undefined)
  assert.equal(readGiven({ asked: Array.from({ length: 31 }, (_, n) => n + 1).join(' ') }), undefined)
  assert.equal(readGiven({ asked: '1', 'question-1': Array.from({ length: 51 }, () => 'x') }), undefined)
  assert.deepEqual(
    [...readGiven({ asked: '1 2 nonsense', 'question-1': 'x', 'question-3': 'y' })!],
    [
      [1, ['x']],
      [2, []],
    ],
  )
})

test('totals count choices, list texts and name people without an answer', () => {
  const questions = [question('single', { id: 1 }), question('multiple', { id: 2 }), question('text', { id: 3 })]
  const people = [
    { name: 'Ann', answers: { 1: 'M', 2: ['S', 'L'], 3: 'by train' } },
    { name: 'Ben', answers: { 1: 'M', 2: ['XXL'] } },
    { name: 'Cem', answers: {} },
  ]
  const [single, multiple, text] = sumAnswers(questions, people)
  const counts = (total: typeof single) => total!.counts.map(({ choice, count }) => `${choice} ${count}`)
  assert.deepEqual([counts(single), single!.unanswered], [['S 0', 'M 2', 'L 0'], ['Cem']])
  assert.deepEqual(counts(multiple), ['S 1', 'M 0', 'L 1', 'XXL 1'])
  assert.deepEqual([text!.texts, text!.unanswered], [[{ name: 'Ann', text: 'by train' }], ['Ben', 'Cem']])
})
